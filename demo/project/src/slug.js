/** A title as the last part of an address: `Hello, World!` is `hello-world`. */
export const slug = (title) =>
  title
    .toLowerCase()
    .replace(/[^a-z0-9]+/, "-")
    .replace(/^-|-$/g, "")

// What the scripted model answers in the walk. Paced texts stay in the middle for as long as a picture of them takes.
const edit = (path, oldString, newString) => ({ tools: [{ name: "edit_file", input: { path, oldString, newString } }] })
const bash = (command) => ({ tools: [{ name: "bash", input: { command } }] })
const todos = (...contents) => ({ name: "todo_write", input: { todos: contents.map(([content, status]) => ({ content, status })) } })

export const longCommand = "node --test >/dev/null && echo all pass; for n in 1 2 3; do echo watching, round $n; done; sleep 60"

export const first = {
  steps: [
    { text: "I'll run the tests first.", ...bash("node --test --test-reporter=tap | grep '^# fail'") },
    { text: "Two fail. I read both sides.", tools: [{ name: "read_file", input: { path: "src/slug.js" } }, { name: "read_file", input: { path: "test/slug.test.js" } }] },
    { text: "The test could expect what the function gives.", ...edit("test/slug.test.js", '"what-is-a-slug"', '"what-- is a slug?"') },
    {
      text: "Then the function: its pattern lacks the **global** flag, so only the first run of other characters becomes a hyphen.",
      tools: [
        todos(["mend the pattern", "in_progress"], ["say so in the README", "pending"], ["run the tests again", "pending"]),
        ...edit("src/slug.js", '.replace(/[^a-z0-9]+/, "-")', '.replace(/[^a-z0-9]+/g, "-")').tools
      ]
    },
    edit("README.md", "# slugs", "# Slugs"),
    edit("README.md", "Titles to address parts.", "Titles to the last part of an address."),
    { tools: [{ name: "ask", input: { question: "Shall I look for other callers, too?", options: [{ label: "yes", detail: "a helper reads the project" }, { label: "no" }] } }] },
    {
      tools: [
        todos(["mend the pattern", "done"], ["say so in the README", "done"], ["run the tests again", "in_progress"]),
        { name: "task", input: { description: "find the callers", prompt: "Which files call slug()?", kind: "explore" } }
      ]
    },
    bash(longCommand),
    { tools: [todos(["mend the pattern", "done"], ["say so in the README", "done"], ["run the tests again", "done"])] },
    {
      text: "The tests pass. The command was stopped, its rounds were not needed.\n\n| file | change |\n| --- | --- |\n| `src/slug.js` | pattern with `g` |\n| `README.md` | two lines |\n\nNothing else calls `slug`, so every address stays as it was.",
      pace: 1000
    },
    { text: "A length limit belongs into `slug` itself: cut at the last hyphen before it, so that no word is broken.", pace: 1000 }
  ],
  agents: {
    "find the callers": [
      { tools: [{ name: "grep", input: { pattern: "slug\\(" } }] },
      { tools: [{ name: "read_file", input: { path: "src/index.js" } }] },
      { text: "Only test/slug.test.js calls slug().", pace: 1000 }
    ]
  }
}

export const second = [{ text: "The pattern without its `g` flag: only the first run of other characters was replaced." }]

/** Characters that turn the order of what is shown, or show nothing at all. */
const hidden = /[\u00ad\u061c\u115f\u1160\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\u{e0000}-\u{e007f}]/gu

/** A text as a person who has to decide about it may see it: what hides in it is written out. */
export const visible = (text: string): string =>
  text.replace(hidden, (each) => `\\u{${(each.codePointAt(0) ?? 0).toString(16)}}`)

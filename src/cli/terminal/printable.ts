/**
 * Characters that a terminal obeys and a person does not see: control characters but tab and line feed, and those that turn
 * the direction of writing around.
 */
const OBEYED = /[^\P{Cc}\t\n]|[\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu

/** A text that only shows: what a stranger put into a name or a message moves no cursor and hides no line. */
export function printable(text: string): string {
  return text.replaceAll(OBEYED, (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

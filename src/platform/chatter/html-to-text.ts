const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  '#39': "'",
  nbsp: ' ',
}

/** What a post says, without its marks: paragraphs and line ends are kept, everything else of HTML goes. */
export function htmlToText(html: string): string {
  return html
    .replaceAll(/<br\s*\/?>/gi, '\n')
    .replaceAll(/<\/(?:p|div|li|h[1-6]|blockquote|tr)>/gi, '\n\n')
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll(/&(#?\w{1,10});/g, (whole, name: string) => ENTITIES[name] ?? whole)
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim()
}

/** Tags that show nothing by themselves: what an editor leaves of a note in which nothing was written. */
const EMPTY_TAGS = /<\/?(?:p|br|div|span)\s*\/?>/gi
/** Blanks, and characters that nobody sees: direction marks, zero-width ones, fillers. */
const UNSEEN = /[\s\p{C}\u115f\u1160\u2800\u3164\uffa0]|\u034f/gu

/** Whether nothing is to be read in a text: blanks, characters without a shape, empty paragraphs. */
export function saysNothing(text: string): boolean {
  return (
    text
      .replaceAll(EMPTY_TAGS, '')
      .replaceAll(/&nbsp;/gi, '')
      .replaceAll(UNSEEN, '') === ''
  )
}

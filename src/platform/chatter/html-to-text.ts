import { isUnseen } from '../../unseen.ts'

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
/** How editors and scripts write characters that nobody sees. */
const UNSEEN_NAMES = /&(?:nbsp|ensp|emsp|thinsp|zwnj|zwj|lrm|rlm|shy|ZeroWidthSpace);/gi
const BY_NUMBER = /&#(?:x([0-9a-f]{1,5})|(\d{1,6}));/gi

/** Whether nothing is to be read in a text: blanks, characters without a shape, empty paragraphs. */
export function saysNothing(text: string): boolean {
  if (!/[<&]/.test(text)) return isUnseen(text)
  const shown = text
    .replaceAll(EMPTY_TAGS, '')
    .replaceAll(UNSEEN_NAMES, '')
    .replaceAll(BY_NUMBER, (_whole, hex: string | undefined, digits: string | undefined) =>
      String.fromCodePoint(hex === undefined ? Number(digits) : Number.parseInt(hex, 16)),
    )
  return isUnseen(shown)
}

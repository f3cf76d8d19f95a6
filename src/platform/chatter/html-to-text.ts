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

type AttributeValue = string | number | boolean | readonly string[] | undefined

/** One instruction of a call, and what is inside it. Plain data, so that rules can build, join and compare them. */
export interface Verb {
  readonly name: string
  readonly attributes: Readonly<Record<string, AttributeValue>>
  readonly children: readonly (Verb | string)[]
}

/** The provider refuses longer documents with its error 11750. */
export const MARKUP_BYTES_MAX = 64 * 1024

/** The document is longer than the provider accepts. */
export class MarkupTooLargeError extends Error {
  readonly code = 'markup_too_large'
  override readonly name = 'MarkupTooLargeError'

  constructor(bytes: number) {
    super(`The markup has ${bytes} bytes, the provider accepts ${MARKUP_BYTES_MAX}`)
  }
}

export function verb(
  name: string,
  attributes: Verb['attributes'] = {},
  children: readonly (Verb | string)[] = [],
): Verb {
  return { name, attributes, children }
}

/**
 * The document that carries out the verbs, byte for byte as the provider's own builder writes it (which makes a document for
 * each element, and took an eighth of the time of an answer). Characters that XML cannot carry are dropped. No XML
 * declaration, which UTF-8 does not need: other parties compare these documents byte for byte. Throws `MarkupTooLargeError`.
 */
export function renderMarkup(verbs: readonly Verb[]): string {
  const markup = element({ name: 'Response', attributes: {}, children: verbs })
  const bytes = Buffer.byteLength(markup)
  if (bytes > MARKUP_BYTES_MAX) throw new MarkupTooLargeError(bytes)
  return markup
}

function element({ name, attributes, children }: Verb): string {
  const inner = children.map((child) => (typeof child === 'string' ? escaped(child, IN_TEXT) : element(child))).join('')
  return inner === '' ? `<${name}${written(attributes)}/>` : `<${name}${written(attributes)}>${inner}</${name}>`
}

function written(attributes: Verb['attributes']): string {
  let all = ''
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined) continue
    all += ` ${name}="${escaped(Array.isArray(value) ? value.join(' ') : String(value), IN_ATTRIBUTES)}"`
  }
  return all
}

// As canonical XML has them: whatever a reader would take for something else.
const IN_TEXT = /[&<>\r]/g
const IN_ATTRIBUTES = /[&<"\t\n\r]/g
const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\t': '&#x9;',
  '\n': '&#xA;',
  '\r': '&#xD;',
}

function escaped(text: string, special: RegExp): string {
  return legalText(text).replaceAll(special, (character) => ESCAPES[character] ?? character)
}

/** Everything but the characters of XML 1.0: control characters, half characters, U+FFFE and U+FFFF. */
const ILLEGAL = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu

/** The text without the characters that XML cannot carry. */
export function legalText(text: string): string {
  return text.replaceAll(ILLEGAL, '')
}

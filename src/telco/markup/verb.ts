import VoiceResponse from 'twilio/lib/twiml/VoiceResponse.js'

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
 * The document that carries out the verbs, written by the provider's own builder. Characters that XML cannot carry are
 * dropped first: the builder throws for some, and writes others that the provider cannot read. No XML declaration, which
 * UTF-8 does not need: other parties compare these documents byte for byte. Throws `MarkupTooLargeError`.
 */
export function renderMarkup(verbs: readonly Verb[]): string {
  const response = new VoiceResponse()
  for (const each of verbs) append(response, each)
  const markup = response.toString().replace(/^<\?xml[^>]*\?>/, '')
  const bytes = Buffer.byteLength(markup)
  if (bytes > MARKUP_BYTES_MAX) throw new MarkupTooLargeError(bytes)
  return markup
}

type Parent = Pick<VoiceResponse, 'addChild' | 'addText'>

function append(parent: Parent, { name, attributes, children }: Verb): void {
  const element = parent.addChild(name, writtenAttributes(attributes))
  for (const child of children) {
    if (typeof child === 'string') element.addText(legalText(child))
    else append(element, child)
  }
}

function writtenAttributes(attributes: Verb['attributes']): Record<string, string> {
  const written: Record<string, string> = {}
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined) continue
    written[name] = legalText(Array.isArray(value) ? value.join(' ') : String(value))
  }
  return written
}

/** Everything but the characters of XML 1.0: control characters, half characters, U+FFFE and U+FFFF. */
const ILLEGAL = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu

/** The text without the characters that XML cannot carry. */
export function legalText(text: string): string {
  return text.replaceAll(ILLEGAL, '')
}

import type { MarkupElement } from './element.ts'
import { elementNamed, wordsOf } from './language.ts'
import { deafness, unspeakable } from './speech.ts'

/** Something that the provider writes into the account's debugger before it goes on with the call. */
export interface MarkupWarning {
  /** The provider's number of it. */
  readonly code: number
  readonly message: string
}

/** A schema warning: "continues where possible" (docs/reference/providers.md#voice-answers). */
const SCHEMA = 12200
/** Numbers of their own: https://www.twilio.com/docs/api/errors/13511, /13331 and /13330. */
const CODES: Readonly<Record<string, number>> = {
  'Say voice': 13511,
  'Say language': 13512,
  'Gather language': 13331,
  'Gather hints': 13330,
}
const HINTS_MAX = 500
const HINT_CHARS_MAX = 100

/** Everything in the document that the provider would warn of. */
export function markupWarnings(element: MarkupElement): MarkupWarning[] {
  const language = elementNamed(element.name)
  if (language === undefined) return [schema(`<${element.name}> is no element`)]
  const hasStrayText = !language.text && element.text.trim() !== ''
  return [
    ...(hasStrayText ? [schema(`<${element.name}> holds text`)] : []),
    ...attributeWarnings(element, language.attributes),
    ...meaningWarnings(element),
    ...element.children.flatMap((child) => {
      const isAllowed = elementNamed(child.name) === undefined || language.children.includes(child.name)
      const misplaced = isAllowed ? [] : [schema(`<${child.name}> stands in <${element.name}>`)]
      return [...misplaced, ...markupWarnings(child)]
    }),
  ]
}

function schema(message: string): MarkupWarning {
  return { code: SCHEMA, message }
}

function attributeWarnings({ name, attributes }: MarkupElement, kinds: Readonly<Record<string, string>>) {
  return Object.entries(attributes).flatMap(([attribute, value]): MarkupWarning[] => {
    const kind = Object.hasOwn(kinds, attribute) ? kinds[attribute] : undefined
    if (kind === undefined) return [schema(`<${name}> has no attribute ${attribute}`)]
    if (isValue(value, kind) && (!/method$/i.test(attribute) || isValue(value, 'PayStatusCallbackMethod'))) return []
    return [
      { code: CODES[`${name} ${attribute}`] ?? SCHEMA, message: `${attribute}="${value}" of <${name}> is no value` },
    ]
  })
}

function isValue(value: string, kind: string): boolean {
  if (kind === 'text') return true
  if (kind === 'number') return /^\d+$/.test(value)
  if (kind === 'boolean') return ['true', 'false'].includes(value)
  const words = wordsOf(kind.replace(/\*$/, ''))
  return kind.endsWith('*') ? value.split(' ').every((word) => words.includes(word)) : words.includes(value)
}

/** What no list of words tells. */
function meaningWarnings(element: MarkupElement): MarkupWarning[] {
  const { name, attributes } = element
  if (name === 'Say') return warning(13511, unspeakable(element))
  if (name === 'Gather') return [...warning(13331, deafness(element)), ...hintWarnings(attributes.hints)]
  if (name !== 'Stream' || attributes.url === undefined) return []
  // https://www.twilio.com/docs/voice/twiml/stream: wss only, and no query string.
  return /^wss:\/\/[^\s?]+$/.test(attributes.url) ? [] : [schema(`<Stream> cannot be opened to ${attributes.url}`)]
}

function hintWarnings(hints: string | undefined): MarkupWarning[] {
  const all = hints?.split(',').map((hint) => hint.trim()) ?? []
  if (all.length > HINTS_MAX) return warning(13330, `there are ${all.length} hints`)
  const long = all.find((hint) => hint.length > HINT_CHARS_MAX)
  return warning(13330, long === undefined ? undefined : `a hint has ${long.length} characters`)
}

function warning(code: number, message: string | undefined): MarkupWarning[] {
  return message === undefined ? [] : [{ code, message }]
}

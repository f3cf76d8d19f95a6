import { wordsIn } from '../../audio.ts'
import type { Problems } from '../../problems.ts'
import type { Outcome } from '../../service-link.ts'
import { type MarkupElement, readElements } from '../markup/element.ts'
import { markupWarnings } from '../markup/warnings.ts'
import type { Fields } from './fields.ts'

/** Where the next document of a leg comes from. */
export type DocumentSource =
  | {
      readonly kind: 'address'
      readonly address: string
      readonly method: 'GET' | 'POST'
      /** What is told besides the usual fields. */
      readonly fields: Fields
      /** Asked when the first one fails. */
      readonly fallback?: { readonly address: string; readonly method: 'GET' | 'POST' } | undefined
    }
  | { readonly kind: 'markup'; readonly markup: string }

/** What the provider makes of an answer. */
export type Document =
  | { readonly kind: 'verbs'; readonly verbs: readonly MarkupElement[] }
  | { readonly kind: 'spoken' | 'played'; readonly words: string }
  | { readonly kind: 'failure'; readonly code: number; readonly message: string }

const MARKUP_BYTES_MAX = 64 * 1024

/** Reads the answer to a voice request by its type (docs/reference/providers.md#voice-answers). */
export function readAnswer(outcome: Outcome): Document | { readonly kind: 'markup'; readonly markup: string } {
  if (outcome.kind === 'failed') {
    return { kind: 'failure', code: outcome.reason === 'timeout' ? 11205 : 11200, message: outcome.message }
  }
  const { status, headers, body } = outcome
  if (status < 200 || status >= 300) return { kind: 'failure', code: 11200, message: `HTTP ${status}` }
  if (body.length > MARKUP_BYTES_MAX) return { kind: 'failure', code: 11750, message: `${body.length} bytes` }
  const type = (headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? ''
  if (['text/xml', 'application/xml', 'text/html'].includes(type)) {
    return { kind: 'markup', markup: body.toString('utf8') }
  }
  if (type === 'text/plain') return { kind: 'spoken', words: body.toString('utf8') }
  if (type.startsWith('audio/')) return { kind: 'played', words: wordsIn(body) ?? '(audio)' }
  return { kind: 'failure', code: 12300, message: `the content type is "${type}"` }
}

/** Reads markup as the provider does: what it cannot read fails, what it would only warn of is a problem of the run. */
export function readMarkup(markup: string, { problems, of }: { problems: Problems; of: string }): Document {
  const read = readElements(markup)
  if ('problem' in read) return { kind: 'failure', code: 12100, message: read.problem }
  const { root } = read
  if (root.name !== 'Response') return { kind: 'failure', code: 12101, message: `the document is a ${root.name}` }
  for (const { code, message } of markupWarnings(root)) {
    problems.add({ where: 'telco', code, message: `${of}: ${message}` })
  }
  return { kind: 'verbs', verbs: root.children }
}

import type { MarkupElement } from '../markup/element.ts'
import type { Carrier } from './carrier.ts'
import type { DocumentSource } from './document.ts'
import type { Leg } from './leg.ts'

/** A leg while one document is being carried out on it. */
export interface Stage {
  readonly carrier: Carrier
  readonly leg: Leg
  /** Aborted when the leg ends or gets another document. */
  readonly signal: AbortSignal
  /** Where the document came from; relative addresses start there. */
  readonly address: string | undefined
  /** What the callee hears before being connected may not dial. */
  readonly isScreening: boolean
  /** Carries out what a callee hears before being connected; the leg goes on unless its document or party ends it. */
  screen(callee: Leg, document: DocumentSource): Promise<void>
  /** Gives a dialled leg a document of its own, apart from the call that dialled it. */
  lead(callee: Leg, document: DocumentSource): void
}

/** What happens after a verb: the next one, another document, or the end of the call. */
export type Next = DocumentSource | 'end' | undefined

export type PlayVerb = (stage: Stage, verb: MarkupElement) => Promise<Next>

/** An address of the document as an absolute one, its fragment kept. */
export function absoluteAddress({ address: base, carrier }: Stage, written: string): string {
  if (/^https?:\/\//i.test(written)) return written
  if (base !== undefined) return new URL(written, base).href
  carrier.problems.add({ where: 'telco', code: 11100, message: `${written} leads nowhere: the document came inline` })
  return written
}

export function methodOf(written: string | undefined): 'GET' | 'POST' {
  return written === 'GET' ? 'GET' : 'POST'
}

/** A count in an attribute. */
export function numberOf(written: string | undefined, fallback: number): number {
  return written !== undefined && /^\d+$/.test(written) ? Number(written) : fallback
}

/** The document that a verb's `action` names; without one, `fallback`. */
export function actionOf(
  stage: Stage,
  { attributes: { action, method } }: MarkupElement,
  { fields, fallback }: { fields: Record<string, string>; fallback: string | undefined },
): DocumentSource | undefined {
  const address = action === undefined || action === '' ? fallback : absoluteAddress(stage, action)
  return address === undefined ? undefined : { kind: 'address', address, method: methodOf(method), fields }
}

import type { AgentCall } from '../../ledger/agent-connector.ts'
import { renderMarkup, type Verb } from '../markup/verb.ts'

/** What a call gets: finished markup, or a voice agent whose platform is asked once the transaction is over. */
export type CallPlan =
  | { readonly kind: 'markup'; readonly markup: string }
  | { readonly kind: 'register'; readonly call: AgentCall; readonly otherwise: string }

export function markupPlan(markup: string): CallPlan {
  return { kind: 'markup', markup }
}

export function verbsPlan(verbs: readonly Verb[]): CallPlan {
  return markupPlan(renderMarkup(verbs))
}

/** What stands in for a destination that fails: an extension, else a sentence. */
export interface Fallback {
  readonly exten: number | null
  readonly message: string | null
  /** BCP-47, of the sentence. */
  readonly language: string | undefined
}

/** A destination cannot take the call. Unless something stands in for it, the caller hears `markup`. */
export class UnrenderableError extends Error {
  readonly code = 'unrenderable'
  override readonly name = 'UnrenderableError'
  readonly markup: string
  readonly fallback: Fallback | undefined

  constructor(message: string, { markup, fallback }: { markup: string; fallback?: Fallback | undefined }) {
    super(message)
    this.markup = markup
    this.fallback = fallback
  }
}

import type { AgentCall } from '../../../ports/agent-connector.ts'
import { renderMarkup, type Verb } from '../../markup/verb.ts'
import type { SpeechOptions } from '../../markup/voice.ts'
import type { SpokenDocument } from './sentences.ts'

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

/** What a caller hears who was not connected, unless something stands in for it. */
export interface Excuse {
  readonly markup: SpokenDocument
  /** How whoever was called speaks, where that is known. */
  readonly speech?: SpeechOptions | undefined
  readonly fallback?: Fallback | undefined
}

/** A destination cannot take the call. */
export class UnrenderableError extends Error {
  readonly code = 'unrenderable'
  override readonly name = 'UnrenderableError'
  readonly excuse: Excuse

  constructor(message: string, excuse: Excuse) {
    super(message)
    this.excuse = excuse
  }
}

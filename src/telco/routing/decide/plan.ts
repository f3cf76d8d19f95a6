import type { SettingsSnapshot } from '../../../platform/settings/settings.ts'
import type { AgentCall } from '../../../ports/agent-connector.ts'
import type { Verb } from '../../markup/verb.ts'
import type { SpeechOptions } from '../../markup/voice.ts'
import type { Fallback } from '../dial-plan.ts'

/** What a plan sets off beside its answer. */
export type Effect =
  /** The first step of a user in this call; it starts over for the user, of whom these steps were tried before. */
  | { readonly does: 'start-ringing'; readonly call: number; readonly step: number; readonly before: readonly number[] }
  | { readonly does: 'mark-tried'; readonly call: number; readonly step: number }
  /** Marks steps that an address says were tried, as far as they are steps of the user. */
  | {
      readonly does: 'mark-tried-by-address'
      readonly call: number
      readonly user: number
      readonly steps: readonly number[]
    }
  | { readonly does: 'clear-attempts'; readonly call: number }
  /** What follows the end of a leg; step 0 when that is no ring step. */
  | { readonly does: 'save-dial-end'; readonly call: number; readonly leg: string; readonly step: number }
  /** `connects`: our answer itself connects the caller, and no leg of the agent's will say so. */
  | { readonly does: 'tag-agent'; readonly call: number; readonly agent: number; readonly connects: boolean }
  /** The call was for this phone user, of whom no phone rings: it is one of theirs all the same. */
  | { readonly does: 'name-called'; readonly call: number; readonly user: number }
  /** An agent puts the caller through to people of whom no phone rings. */
  | { readonly does: 'mark-no-phone'; readonly call: number }
  /** Says on the call why a mobile was not rung. */
  | { readonly does: 'remark'; readonly call: number; readonly text: string }
  | { readonly does: 'log-unroutable'; readonly callSid: string; readonly reason: string }
  | { readonly does: 'log-error'; readonly callSid: string; readonly error: Error }

/** Beginnings of numbers that are never called, also not by what an agent's platform answers. */
export type Barred = Pick<SettingsSnapshot, 'barredPrefixes'>

/** What a call gets: verbs, finished markup, or a voice agent whose platform is asked once the transaction is over. */
export type CallPlan = (
  | { readonly kind: 'verbs'; readonly verbs: readonly Verb[] }
  | { readonly kind: 'markup'; readonly markup: string }
  | ({ readonly kind: 'register'; readonly call: AgentCall; readonly otherwise: readonly Verb[] } & Barred)
) & {
  readonly effects: readonly Effect[]
  /** It begins a call outside, which is counted for this login: `NOBODY` for a stranger. */
  readonly counts?: number
  /** Calls outside that it begins at once; 1 where it does not say. */
  readonly times?: number
  /** The number outside is one that somebody here has entered, and no caller has chosen. */
  readonly isEntered?: true
}

export function verbsPlan(verbs: readonly Verb[]): CallPlan {
  return { kind: 'verbs', verbs, effects: [] }
}

/** What a caller hears who was not connected, unless something stands in for it. */
export interface Excuse {
  readonly verbs: (speech?: SpeechOptions) => readonly Verb[]
  /** How the person who was called speaks, where that is known. */
  readonly speech?: SpeechOptions | undefined
  readonly fallback?: Fallback | undefined
}

/** A destination cannot take the call. What was decided before that happens all the same. */
export class UnroutableError extends Error {
  override readonly name = 'UnroutableError'
  readonly excuse: Excuse
  readonly effects: readonly Effect[]

  constructor(message: string, excuse: Excuse, effects: readonly Effect[] = []) {
    super(message)
    this.excuse = excuse
    this.effects = effects
  }
}

/** The plan with these effects before its own, also when it turns out that the destination cannot take the call. */
export function withEffects(effects: readonly Effect[], decide: () => CallPlan): CallPlan {
  try {
    const plan = decide()
    return { ...plan, effects: [...effects, ...plan.effects] }
  } catch (thrown) {
    if (!(thrown instanceof UnroutableError)) throw thrown
    throw new UnroutableError(thrown.message, thrown.excuse, [...effects, ...thrown.effects])
  }
}

import { sqlState } from '../../database/database.ts'
import { asError } from '../../errors.ts'
import { sayAndHangup } from '../markup/voice.ts'
import { findNumberFallback } from './our-number.ts'
import { type CallPlan, type Fallback, markupPlan, UnrenderableError } from './plan.ts'
import { renderExtensionById } from './render-extension.ts'
import type { Rendering } from './rendering.ts'
import { SORRY } from './sentences.ts'
import { spoken } from './speech.ts'

/** What a caller gets when something failed: `markup`, unless the number or the destination has a stand-in. */
export interface Failure {
  readonly markup: string
  readonly fallback?: Fallback | undefined
}

/** The plan, or what stands in for it when rendering fails. Throws what the database threw: its transaction is over. */
export async function orFallback(rendering: Rendering, render: () => Promise<CallPlan>): Promise<CallPlan> {
  try {
    return await render()
  } catch (thrown) {
    return fallbackPlan(rendering, noteFailure(rendering, thrown))
  }
}

/** What stands in for a destination that failed: the called number's own choice, then the destination's. */
export async function fallbackPlan(rendering: Rendering, { markup, fallback }: Failure): Promise<CallPlan> {
  const ofNumber = await findNumberFallback(rendering.env, rendering.call.called)
  for (const each of [ofNumber, fallback]) {
    const plan = each === undefined ? undefined : await renderStandIn(rendering, each)
    if (plan !== undefined) return plan
  }
  return markupPlan(markup)
}

/** The extension, else the sentence, that stands in; undefined when there is neither. */
export async function renderStandIn(
  rendering: Rendering,
  { exten, message, language }: Fallback,
): Promise<CallPlan | undefined> {
  if (exten !== null && !rendering.isFallback) {
    try {
      return await renderExtensionById({ ...rendering, isFallback: true }, exten)
    } catch (thrown) {
      noteFailure(rendering, thrown)
    }
  }
  return message?.trim() ? markupPlan(sayAndHangup(spoken(message.trim()), { language })) : undefined
}

function noteFailure({ env: { platform }, call }: Rendering, thrown: unknown): Failure {
  if (sqlState(thrown) !== undefined) throw thrown
  if (thrown instanceof UnrenderableError) {
    platform.log.warn({ callSid: call.sid, reason: thrown.message }, 'a call could not be connected')
    return thrown
  }
  platform.log.error({ err: asError(thrown), callSid: call.sid }, 'markup could not be rendered')
  return { markup: SORRY }
}

import { sqlState } from '../../database/database.ts'
import { asError } from '../../errors.ts'
import { type SpeechOptions, sayAndHangup } from '../markup/voice.ts'
import { type CallPlan, type Excuse, type Fallback, markupPlan, UnrenderableError } from './decide/plan.ts'
import { SORRY } from './decide/sentences.ts'
import { findNumberFallback } from './load/our-number.ts'
import { callerSpeech } from './load/parties.ts'
import { spoken } from './load/speech.ts'
import { renderExtensionById } from './render-extension.ts'
import type { Rendering } from './rendering.ts'

/** The plan, or what stands in for it when rendering fails. Throws what the database threw: its transaction is over. */
export async function orFallback(rendering: Rendering, render: () => Promise<CallPlan>): Promise<CallPlan> {
  try {
    return await render()
  } catch (thrown) {
    return fallbackPlan(rendering, noteFailure(rendering, thrown))
  }
}

/**
 * What stands in for a destination that failed: the called number's own choice, then the destination's. Without either the
 * caller hears why: as the destination speaks, else the number, else the colleague who is calling.
 */
export async function fallbackPlan(rendering: Rendering, excuse: Excuse): Promise<CallPlan> {
  const { markup, speech, fallback } = excuse
  const ofNumber = await findNumberFallback(rendering.env, rendering.call.called)
  for (const each of [ofNumber, fallback]) {
    const plan = each === undefined ? undefined : await renderStandIn(rendering, each)
    if (plan !== undefined) return plan
  }
  const known = speech ?? languageOf(fallback) ?? languageOf(ofNumber)
  return markupPlan(markup(known ?? (await callerSpeech(rendering))))
}

function languageOf(fallback: Fallback | undefined): SpeechOptions | undefined {
  return fallback?.language === undefined ? undefined : { language: fallback.language }
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

function noteFailure({ env: { platform }, call }: Rendering, thrown: unknown): Excuse {
  if (sqlState(thrown) !== undefined) throw thrown
  if (thrown instanceof UnrenderableError) {
    platform.log.warn({ callSid: call.sid, reason: thrown.message }, 'a call could not be connected')
    return thrown.excuse
  }
  platform.log.error({ err: asError(thrown), callSid: call.sid }, 'markup could not be rendered')
  return { markup: SORRY }
}

import { isExternalNumber, parseDialled } from './decide/dialled.ts'
import { type CallPlan, markupPlan } from './decide/plan.ts'
import {
  EXTENSION_NOT_FOUND,
  SEVERAL_EXTENSIONS,
  type SpokenDocument,
  WHATSAPP_EXTENSION_NOT_FOUND,
} from './decide/sentences.ts'
import { callerSpeech } from './load/parties.ts'
import { renderOutbound } from './outbound.ts'
import { findExtensionByNumber, findExtensionsByPattern, renderExtension } from './render-extension.ts'
import type { Rendering } from './rendering.ts'
import { renderNumber } from './route-number.ts'

/**
 * Answers a call that one of our phones or a WhatsApp caller made, or that is being forwarded
 * (docs/reference/domain.md#calls-of-sip-phones).
 */
export async function routeDomain(rendering: Rendering): Promise<CallPlan> {
  const { env, call } = rendering
  const { number, isWhatsApp } = parseDialled(call.dialled)
  const extension = await findExtensionByNumber(env, number)
  if (extension !== undefined) return renderExtension(rendering, extension)
  // Never dial out for WhatsApp: whoever writes to us could then make calls at our cost.
  if (isWhatsApp) return (await renderNumber(rendering, number)) ?? excuse(rendering, WHATSAPP_EXTENSION_NOT_FOUND)
  const [fitting, ...others] = await findExtensionsByPattern(env, number)
  if (others.length > 0) return excuse(rendering, SEVERAL_EXTENSIONS)
  if (fitting !== undefined) return renderExtension(rendering, fitting)
  // Our own numbers are not answered here: a call to one of them would come back and go round.
  return isExternalNumber(number) ? renderOutbound(rendering, number) : excuse(rendering, EXTENSION_NOT_FOUND)
}

async function excuse(rendering: Rendering, markup: SpokenDocument): Promise<CallPlan> {
  return markupPlan(markup(await callerSpeech(rendering)))
}

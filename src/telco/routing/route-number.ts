import type { SpeechOptions } from '../markup/voice.ts'
import { isOpen } from './decide/business-hours.ts'
import { type CallPlan, markupPlan, UnrenderableError } from './decide/plan.ts'
import { CLOSED, NUMBER_NOT_CONFIGURED, NUMBER_NOT_FOUND } from './decide/sentences.ts'
import { renderStandIn } from './fallback.ts'
import { findOurNumber, type OurNumber } from './load/our-number.ts'
import { renderDestination } from './render-destination.ts'
import type { Rendering } from './rendering.ts'

/** Answers a call to one of our numbers (docs/reference/domain.md#calls-to-a-number). */
export async function routeNumber(rendering: Rendering): Promise<CallPlan> {
  return (await renderNumber(rendering, rendering.call.called)) ?? markupPlan(NUMBER_NOT_FOUND())
}

/** Connects the call to what answers the number; undefined when it is none of ours. */
export async function renderNumber(rendering: Rendering, phoneNumber: string): Promise<CallPlan | undefined> {
  const number = await findOurNumber(rendering.env, phoneNumber)
  if (number === undefined) return undefined
  if (number.hours !== undefined && !isOpen(number.hours, rendering.env.now)) return renderClosed(rendering, number)
  const speech = speechOf(number)
  const plan = await renderDestination({ ...rendering, speech }, destinationOf(number))
  if (plan !== undefined) return plan
  throw new UnrenderableError(`number ${phoneNumber} has no destination`, { markup: NUMBER_NOT_CONFIGURED, speech })
}

function speechOf({ language }: OurNumber): SpeechOptions | undefined {
  return language === null ? undefined : { language }
}

function destinationOf({ destination, user, callflow, markup, voiceai_agent: agent }: OurNumber): {
  model: string | null
  id: number | null
} {
  switch (destination) {
    case 'user':
      return { model: 'connect.user', id: user }
    case 'callflow':
      return { model: 'connect.telco.callflow', id: callflow }
    case 'markup':
      return { model: 'connect.telco.markup', id: markup }
    case 'voiceai_agent':
      return { model: 'connect.voiceai_agent', id: agent }
    default:
      return { model: null, id: null }
  }
}

async function renderClosed(rendering: Rendering, number: OurNumber): Promise<CallPlan> {
  const { closed_exten: exten, closed_message: message } = number
  const standIn = { exten, message, language: number.language ?? undefined }
  return (await renderStandIn(rendering, standIn)) ?? markupPlan(CLOSED(speechOf(number)))
}

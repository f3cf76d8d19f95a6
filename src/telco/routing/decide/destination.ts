import { isCallForHelp, isEmergencyNumber } from '../../../emergency-numbers.ts'
import { asError } from '../../../errors.ts'
import { apiUrlProblem } from '../../client/api-url.ts'
import { hangup, type SpeechOptions, say } from '../../markup/voice.ts'
import { recordIdOf, type TelcoRequest } from '../../webhooks/request.ts'
import { extensionOf, extensionsFitting, type Fallback, type OurExtension, type OurNumber } from '../dial-plan.ts'
import { routeToAgent } from './agent.ts'
import { applicationPlan, isDomainRoute, requireHop, systemError } from './application.ts'
import { callerSpeech } from './caller-id.ts'
import { routeToCallflow } from './callflow.ts'
import type { RouteContext } from './context.ts'
import { isExternalNumber, parseDialled } from './dialled.ts'
import { isOpen } from './is-open.ts'
import { routeToMobile } from './mobile.ts'
import { routeToOutside } from './outbound.ts'
import { type CallPlan, type Effect, type Excuse, UnroutableError, verbsPlan, withEffects } from './plan.ts'
import { spoken } from './speech.ts'
import {
  APPLICATION_NOT_FOUND,
  CLOSED,
  EMERGENCY_NUMBER,
  EXTENSION_NOT_CONFIGURED,
  EXTENSION_NOT_FOUND,
  NUMBER_NOT_CONFIGURED,
  NUMBER_NOT_FOUND,
  SEVERAL_EXTENSIONS,
  SORRY,
  type SpokenVerbs,
  WHATSAPP_EXTENSION_NOT_FOUND,
} from './spoken-endings.ts'
import { routeToUser } from './user.ts'

// Numbers, extensions, applications and fallbacks lead to each other, so they are decided in one file.

/** Answers a call to one of our numbers (docs/reference/domain.md#calls-to-a-number). */
export function routeNumber(context: RouteContext): CallPlan {
  return routeToNumber(context, context.call.called) ?? verbsPlan(NUMBER_NOT_FOUND())
}

/**
 * Answers a call that one of our phones or a WhatsApp caller made, or that is being forwarded
 * (docs/reference/domain.md#calls-of-sip-phones).
 */
export function routeDomain(context: RouteContext): CallPlan {
  const { plan, call } = context
  const { number, isWhatsApp } = parseDialled(call.dialled)
  const extension = extensionOf(plan, number)
  if (extension !== undefined) return routeToExtension(context, extension)
  // Never dial out for WhatsApp: anyone who writes to us could then make calls at our cost.
  if (isWhatsApp) return routeToNumber(context, number) ?? excuse(context, WHATSAPP_EXTENSION_NOT_FOUND)
  // Before patterns: one such as 1\d\d is not meant for somebody who needs help.
  if (isEmergencyNumber(number, context.settings.country)) return excuse(context, EMERGENCY_NUMBER)
  const [fitting, ...others] = extensionsFitting(plan, number)
  if (others.length > 0) return excuse(context, SEVERAL_EXTENSIONS)
  if (fitting !== undefined) return routeToExtension(context, fitting)
  // Our own numbers are not answered here: a call to one of them would come back and go round.
  if (number === context.answering) throw systemError(context, `number ${number} is answered by calling it`)
  if (isExternalNumber(number)) return routeToOutside(context, number)
  return excuse(context, isCallForHelp(number, context.settings.country) ? EMERGENCY_NUMBER : EXTENSION_NOT_FOUND)
}

/** Answers with the application that the address names. */
export function routeApplication(context: RouteContext, request: TelcoRequest): CallPlan {
  const id = recordIdOf(request)
  const plan = routeToApplication(context, id)
  if (plan !== undefined) return plan
  throw new UnroutableError(`there is no application ${id}`, { verbs: APPLICATION_NOT_FOUND })
}

function excuse(context: RouteContext, verbs: SpokenVerbs): CallPlan {
  return verbsPlan(verbs(callerSpeech(context)))
}

/** Connects the call to what answers the number; undefined when it is none of ours. */
function routeToNumber(asked: RouteContext, phoneNumber: string): CallPlan | undefined {
  const number = asked.plan.numbers.get(phoneNumber)
  if (number === undefined) return undefined
  const context = { ...asked, answering: phoneNumber }
  if (number.hours !== undefined && !isOpen(number.hours, context.now)) return closedPlan(context, number)
  const speech = speechOf(number)
  const plan = routeToDestination({ ...context, speech }, destinationOf(number))
  if (plan !== undefined) return plan
  throw new UnroutableError(`number ${phoneNumber} has no destination`, { verbs: NUMBER_NOT_CONFIGURED, speech })
}

function speechOf({ language }: OurNumber): SpeechOptions | undefined {
  return language === null ? undefined : { language }
}

function destinationOf({ destination, user, callflow, markup, voiceai_agent: agent }: OurNumber): Destination {
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

function closedPlan(context: RouteContext, number: OurNumber): CallPlan {
  const { closed_exten: exten, closed_message: message } = number
  const { plan, effects } = routeToFallback(context, { exten, message, language: number.language ?? undefined })
  return withEffects(effects, () => plan ?? verbsPlan(CLOSED(speechOf(number))))
}

/** Connects the call to what the extension leads to. Throws `UnroutableError` when that is nothing. */
export function routeToExtension(context: RouteContext, extension: OurExtension): CallPlan {
  const { call } = context
  if (extension.mobile_number) return routeToMobile(context, extension, extension.mobile_number)
  const fields = { ...call.fields, ExtenID: String(extension.id), ExtenNumber: extension.number }
  const target = { model: extension.model, id: extension.res_id }
  const plan = routeToDestination({ ...context, call: { ...call, fields } }, target)
  if (plan !== undefined) return plan
  throw new UnroutableError(`extension ${extension.number} leads nowhere`, {
    verbs: EXTENSION_NOT_CONFIGURED,
    speech: context.speech,
  })
}

/** The same for an extension by its id. */
export function routeToExtensionById(context: RouteContext, id: number): CallPlan {
  const extension = context.plan.extensions.get(id)
  if (extension !== undefined) return routeToExtension(context, extension)
  throw new UnroutableError(`there is no extension ${id}`, {
    verbs: EXTENSION_NOT_CONFIGURED,
    speech: context.speech,
  })
}

interface Destination {
  readonly model: string | null
  readonly id: number | null
}

/** Connects the call to a record; undefined when there is no such record or it answers no calls. */
function routeToDestination(context: RouteContext, { model, id }: Destination): CallPlan | undefined {
  if (id === null) return undefined
  switch (model) {
    case 'connect.user':
      return routeToUser(context, id)
    case 'connect.telco.callflow':
      return routeToCallflow(context, id)
    case 'connect.telco.markup':
      return routeToApplication(context, id)
    case 'connect.voiceai_agent':
      return routeToAgent(context, id)
    default:
      return undefined
  }
}

/**
 * Answers with the application (docs/reference/domain.md#rendered-applications); undefined when there is none with that
 * id.
 */
function routeToApplication(context: RouteContext, id: number): CallPlan | undefined {
  const application = context.plan.applications.get(id)
  if (application === undefined) return undefined
  const problem = apiUrlProblem(context.settings.apiUrl)
  if (problem !== undefined) return verbsPlan([say(problem.message)])
  if (!isDomainRoute(context, application)) return applicationPlan(context, application)
  requireHop(context, application)
  return routeDomain({ ...context, hops: context.hops + 1 })
}

/** The plan, or what stands in for it when the destination cannot take the call. */
export function orFallback(context: RouteContext, decide: () => CallPlan): CallPlan {
  try {
    return decide()
  } catch (thrown) {
    const failure = failureOf(context, thrown)
    return withEffects(failure.effects, () => fallbackPlan(context, failure.excuse))
  }
}

/**
 * What stands in for a destination that failed: the called number's own choice, then the destination's. Without either the
 * caller hears why: as the destination speaks, else the number, else the colleague who is calling.
 */
export function fallbackPlan(context: RouteContext, { verbs, speech, fallback }: Excuse): CallPlan {
  const ofNumber = context.plan.numbers.get(context.call.called)?.fallback
  const effects: Effect[] = []
  for (const each of [ofNumber, fallback]) {
    if (each === undefined) continue
    const { plan, effects: own } = routeToFallback(context, each)
    effects.push(...own)
    if (plan !== undefined) return withEffects(effects, () => plan)
  }
  const known = speech ?? languageOf(fallback) ?? languageOf(ofNumber)
  return withEffects(effects, () => verbsPlan(verbs(known ?? callerSpeech(context))))
}

function languageOf(fallback: Fallback | undefined): SpeechOptions | undefined {
  return fallback?.language === undefined ? undefined : { language: fallback.language }
}

/** The extension, else the sentence, that stands in; no plan when there is neither. `effects` are of what failed before. */
function routeToFallback(
  context: RouteContext,
  { exten, message, language }: Fallback,
): { plan: CallPlan | undefined; effects: readonly Effect[] } {
  let effects: readonly Effect[] = []
  if (exten !== null && !context.isFallback) {
    try {
      return { plan: routeToExtensionById({ ...context, isFallback: true }, exten), effects }
    } catch (thrown) {
      effects = failureOf(context, thrown).effects
    }
  }
  const text = message?.trim()
  return { plan: text ? verbsPlan([say(spoken(text), { language }), hangup()]) : undefined, effects }
}

/** What the caller hears of a failure, and what is logged of it. */
function failureOf(
  { call: { sid: callSid } }: RouteContext,
  thrown: unknown,
): { excuse: Excuse; effects: readonly Effect[] } {
  if (thrown instanceof UnroutableError) {
    const { excuse, effects, message: reason } = thrown
    return { excuse, effects: [...effects, { does: 'log-unroutable', callSid, reason }] }
  }
  return { excuse: { verbs: SORRY }, effects: [{ does: 'log-error', callSid, error: asError(thrown) }] }
}

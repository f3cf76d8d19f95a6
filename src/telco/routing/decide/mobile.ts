import { nameForAgents } from '../../../names.ts'
import { SPEECH_LANGUAGES } from '../../callflows/speech-languages.ts'
import { type DialOptions, dial, number as numberNoun } from '../../markup/dial.ts'
import type { Verb } from '../../markup/verb.ts'
import { gather, type SpeechOptions, say } from '../../markup/voice.ts'
import { MOBILE_RING_SECONDS, type MobileObstacle, mobileObstacle } from '../../mobiles/mobile-number.ts'
import { NO_USER } from '../../outgoing/outgoing-limits.ts'
import { sentence } from '../../sentences/sentence.ts'
import { recordIdOf, type TelcoRequest } from '../../webhooks/request.ts'
import type { OurExtension } from '../dial-plan.ts'
import { partiesOf } from './caller-id.ts'
import { actionUrl, type RouteContext, reportUrl } from './context.ts'
import { type CallPlan, type Effect, UnroutableError, verbsPlan } from './plan.ts'
import { HANG_UP, UNANSWERED } from './spoken-endings.ts'

/** Beside what follows a dial, its address is asked for what a mobile hears that picked up, and what its key means. */
const MOBILE_QUERY = 'mobile'
const PICKED_UP = 'picked-up'
const KEY = 'key'
/** How the mobile of an extension is spoken to, which has no language of its own: as the person who answered the call so far. */
const LANGUAGE_QUERY = 'language'
/** What takes the call; a voicemail presses nothing. */
const TAKES = '1'
const KEY_SECONDS = 8

/** Why a mobile is not rung for this call. */
type Hindrance = MobileObstacle | 'limit' | 'caller-id'

const REMARKS: Readonly<Record<Hindrance, string>> = {
  emergency: 'it is an emergency number',
  barred: 'the settings block that number',
  country: 'the settings allow no mobiles of that country',
  own: 'it is a number of our own, which would call itself',
  limit: 'the outgoing calls of the day are used up',
  'caller-id': 'there is no number to show as the caller',
}

/** Why the mobile cannot be rung for this call; undefined when it can. */
export function mobileHindrance(context: RouteContext, number: string): Hindrance | undefined {
  const { settings, plan, facts, call } = context
  const obstacle = mobileObstacle(settings, number, plan.numbers.has(number))
  if (obstacle !== undefined) return obstacle
  if (facts.isLimitReached && call.isCounted !== true) return 'limit'
  return mobileCallerId(context) === undefined ? 'caller-id' : undefined
}

/** The sentence on the call of one that was not rung. */
export function skippedMobile(number: string, why: Hindrance): string {
  return `The mobile ${number} was not rung: ${REMARKS[why]}.`
}

/**
 * What a mobile shows: the caller's own number, which the provider shows only for somebody who calls from the network; else the
 * number that the colleague shows who calls, else the default one.
 */
export function mobileCallerId(context: RouteContext): string | undefined {
  const { call } = context
  const { caller, defaultCallerId } = partiesOf(context)
  const isOfNetwork = /^\+[1-9]\d{6,14}$/.test(call.caller) && !/^whatsapp:/i.test(call.fields.From ?? '')
  if (caller === undefined && isOfNetwork) return call.caller
  return caller?.outgoingCallerId ?? defaultCallerId
}

/** While a mobile is rung and asked, the caller hears ringing. */
export function mobileDialOptions({ settings }: RouteContext): Pick<DialOptions, 'answerOnBridge' | 'ringTone'> {
  return { answerOnBridge: true, ringTone: ringToneOf(settings.country) }
}

/** A mobile, which is asked to press 1 by the document at `path` before anybody is connected. */
export function mobileNoun(
  context: RouteContext,
  { number, path, query = [] }: { number: string; path: string; query?: readonly string[] },
): Verb {
  // Anyone who picks up has not taken the call: its key tells when they are connected.
  const status = { url: reportUrl(context, 'callstatus'), events: ['initiated', 'completed'] as const }
  const screening = actionUrl(context, path, [...query, `${MOBILE_QUERY}=${PICKED_UP}`])
  return numberNoun({ number, status, screening })
}

/** What is said on the call of a mobile that was not rung; nothing of a call that the ledger does not know. */
export function remarkOn({ call: { callId } }: RouteContext, number: string, why: Hindrance): Effect[] {
  return callId === undefined ? [] : [{ does: 'remark', call: callId, text: skippedMobile(number, why) }]
}

/** Rings the mobile that an extension leads to. */
export function routeToMobile(context: RouteContext, { id }: OurExtension, number: string): CallPlan {
  const why = mobileHindrance(context, number)
  if (why !== undefined) {
    const excuse = { verbs: UNANSWERED, speech: context.speech }
    throw new UnroutableError(skippedMobile(number, why), excuse, remarkOn(context, number, why))
  }
  const language = context.speech?.language
  const query = language === undefined ? [] : [`${LANGUAGE_QUERY}=${language}`]
  const path = `/telco/webhook/connect.telco.exten/call_action/${id}`
  const options = {
    timeoutSeconds: MOBILE_RING_SECONDS,
    callerId: mobileCallerId(context),
    action: actionUrl(context, path, query),
    ...mobileDialOptions(context),
  }
  const plan = verbsPlan([dial(options, [mobileNoun(context, { number, path, query })])])
  return context.call.isCounted === true ? plan : { ...plan, counts: NO_USER, isEntered: true }
}

/** Whether the request is of a mobile's leg that was picked up, and of nobody who is connected yet. */
export function isOfMobile({ query }: TelcoRequest): boolean {
  return query.has(MOBILE_QUERY)
}

/** Whether the person who picked up the mobile takes the call. */
export function takesCall({ query, form }: TelcoRequest): boolean {
  return query.get(MOBILE_QUERY) === KEY && form.Digits === TAKES
}

/** What a mobile hears that was picked up: who calls, and which key takes the call. Any other key, or none, ends its leg. */
export function mobileScreening(context: RouteContext, request: TelcoRequest): CallPlan {
  const speech = speechOf(context, request)
  if (takesCall(request)) return verbsPlan([say(sentence('mobileConnects', speech?.language), speech)])
  if (request.query.get(MOBILE_QUERY) === KEY) return verbsPlan(HANG_UP)
  const { model = '', record = '' } = request.params
  const asked = say(whoCalls(context, speech), speech)
  const language = request.query.get(LANGUAGE_QUERY)
  const action = actionUrl(context, `/telco/webhook/${model}/call_action/${record}`, [
    `${MOBILE_QUERY}=${KEY}`,
    ...(language === null ? [] : [`${LANGUAGE_QUERY}=${encodeURIComponent(language)}`]),
  ])
  const keys = { action, input: 'dtmf', digits: 1, finishOnKey: '', timeoutSeconds: KEY_SECONDS } as const
  return verbsPlan([gather(keys, [asked]), ...HANG_UP])
}

/** As the person who was called speaks: the person, the call flow, or what led to the extension. */
function speechOf({ plan }: RouteContext, request: TelcoRequest): SpeechOptions | undefined {
  const id = recordIdOf(request)
  switch (request.params.model) {
    case 'connect.user':
      return plan.users.get(id)?.ringing.speech
    case 'connect.telco.exten':
      return speechInAddress(request)
    default:
      return plan.callflows.get(id)?.speech
  }
}

/** The language that the address of an extension's mobile carries, where it is one of ours. */
export function speechInAddress({ query }: TelcoRequest): SpeechOptions | undefined {
  const language = SPEECH_LANGUAGES.map(([code]) => code).find((code) => code === query.get(LANGUAGE_QUERY))
  return language === undefined ? undefined : { language }
}

/** The sentence that names the caller: by name, else by number; one of our own numbers stands for a caller who shows none. */
function whoCalls({ plan, facts, call: { caller } }: RouteContext, speech: SpeechOptions | undefined): string {
  const isOurs = plan.numbers.has(caller) || caller === plan.defaultCallerId
  const number = isOurs || !/^\+\d+$/.test(caller) ? '' : [...caller.slice(1)].join(' ')
  const name = nameForAgents(facts.partner?.name ?? facts.loginName ?? '') || number
  if (name === '') return sentence('mobileAsksUnknown', speech?.language)
  return sentence('mobileAsks', speech?.language).replace('{{caller}}', () => name)
}

/** Countries whose ringing the provider knows (its SDK, `DialRingTone`); the others hear that of North America. */
const RING_TONES = new Set(
  'at au bg br be ch cl cn cz de dk ee es fi fr gr hu il in it lt jp mx my nl no nz ph pl pt ru se sg th us tw ve za'.split(
    ' ',
  ),
)

function ringToneOf(country: string | undefined): string {
  const code = country?.toLowerCase() ?? ''
  if (code === 'gb') return 'uk'
  return RING_TONES.has(code) ? code : 'us'
}

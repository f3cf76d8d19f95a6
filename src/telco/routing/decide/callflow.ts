import { wasPickedUp } from '../../../ledger/legs/dial-report.ts'
import { client, DIAL_NOUNS_MAX, dial, sip } from '../../markup/dial.ts'
import type { Verb } from '../../markup/verb.ts'
import { gather, hangup, pause, redirect } from '../../markup/voice.ts'
import { NO_USER } from '../../outgoing/outgoing-limits.ts'
import { sentenceVerb } from '../../sentences/sentence.ts'
import type { TelcoRequest } from '../../webhooks/request.ts'
import type { Callflow, Device, GatherSettings } from '../dial-plan.ts'
import { ANONYMOUS, callerName, type Parties, partiesOf, shownCaller } from './caller-id.ts'
import { actionUrl, gatherUrl, type RouteContext, reportUrl } from './context.ts'
import { isCallerGone } from './dial-outcome.ts'
import type { Choice } from './match-choice.ts'
import { mobileCallerId, mobileDialOptions, mobileHindrance, mobileNoun, remarkOn } from './mobile.ts'
import { type CallPlan, type Effect, verbsPlan, withEffects } from './plan.ts'
import { announcement, voicemailVerbs } from './prompts.ts'
import { speak } from './speech.ts'
import { NO_CALLER_ID } from './spoken-endings.ts'
import { nameCalled } from './user.ts'

/** Places of the mobiles of a group that picked up and did not take the call. */
const DECLINED = 'declined'

/** How a flow is entered: anew, after a wrong input, or when there were too many of those. */
type Entry = 'start' | 'again' | 'without-input'

/** Answers with the call flow; undefined when there is none with that id. */
export function routeToCallflow(context: RouteContext, flowId: number): CallPlan | undefined {
  const flow = context.plan.callflows.get(flowId)
  return flow === undefined ? undefined : flowPlan(context, flow, 'start')
}

/** Answers with a call flow that was found before (docs/reference/domain.md#call-flows). */
export function flowPlan(context: RouteContext, flow: Callflow, entry: Entry): CallPlan {
  const ring = ringGroup(context, flow, [])
  // Nothing is spoken when the phones could not be rung in the end: the caller hears why.
  if (ring === 'no-caller-id') return verbsPlan(NO_CALLER_ID(flow.speech))
  const plan = groupPlan(context, ring, [
    ...openingVerbs(context, flow, entry),
    ...(ring.verbs ?? endVerbs(context, flow)),
  ])
  // Where the caller may still choose, the call need not be for the group.
  const isForGroup = flow.gather === undefined || entry === 'without-input'
  return ring.verbs === undefined && isForGroup ? withEffects(nameCalled(context.call, flow.people), () => plan) : plan
}

/**
 * The group once more without the mobiles that picked up and did not take the call: the provider stops the others as soon as one is
 * picked up, by a voicemail too. Undefined where nobody else is left, or the end was another one.
 */
export function ringOthers(context: RouteContext, flow: Callflow, { form, query }: TelcoRequest): CallPlan | undefined {
  const at = flow.devices.findIndex((device) => device.type === 'mobile' && device.number === context.facts.dialled)
  if (at === -1 || isCallerGone(form) || !wasPickedUp(form)) return undefined
  const before = (query.get(DECLINED) ?? '').split(',').filter((each) => /^\d{1,3}$/.test(each))
  const declined = [...new Set([...before.map(Number), at])]
  const ring = ringGroup(context, flow, declined)
  if (ring === 'no-caller-id' || ring.verbs === undefined) return undefined
  return groupPlan(context, ring, ring.verbs)
}

function groupPlan({ call }: RouteContext, { effects, mobiles }: Group, verbs: readonly Verb[]): CallPlan {
  const plan = { ...verbsPlan(verbs), effects }
  return mobiles === 0 || call.isCounted === true ? plan : { ...plan, counts: NO_USER, times: mobiles, isEntered: true }
}

/** What the caller hears first, and may answer. */
function openingVerbs(context: RouteContext, flow: Callflow, entry: Entry): Verb[] {
  if (entry === 'without-input') return []
  const { settings } = context
  const verbs = entry === 'again' && flow.invalidInput ? [speak(settings, flow.invalidInput)] : []
  if (flow.prompt === undefined) return verbs
  const prompt = speak(settings, flow.prompt)
  if (flow.gather === undefined) return [...verbs, prompt]
  const action = gatherUrl(context, flow.id)
  const keys = reachableKeys(flow.gather, flow.choices)
  return [...verbs, gather({ ...flow.gather, ...keys, action, language: flow.speech.language }, [prompt])]
}

/**
 * What is awaited, so that each choice can be dialled: as many keys as the longest has, and no key that ends the input where a
 * choice has it. By itself the provider takes `#` as the end, and it never arrives
 * (docs/reference/providers.md#gathered-input).
 */
function reachableKeys(
  { input, digits }: GatherSettings,
  choices: readonly Choice[],
): Pick<GatherSettings, 'digits'> & { finishOnKey?: string } {
  if (!input.includes('dtmf')) return { digits }
  const longest = Math.max(digits, ...choices.map((choice) => choice.digits.length))
  const endsOnHash = choices.every((choice) => !choice.digits.includes('#'))
  return { digits: longest, ...(endsOnHash ? {} : { finishOnKey: '' }) }
}

/** What rings together: nothing where there is no verb for it. */
interface Group {
  readonly verbs: Verb[] | undefined
  /** Of mobiles that may not be rung it is said why. */
  readonly effects: readonly Effect[]
  readonly mobiles: number
}

/** Rings the devices of the flow but for those at these places. */
function ringGroup(context: RouteContext, flow: Callflow, without: readonly number[]): Group | 'no-caller-id' {
  const wanted = flow.devices.filter((_device, at) => !without.includes(at))
  const hindered = wanted.flatMap((device) => {
    const why = device.type === 'mobile' ? mobileHindrance(context, device.number) : undefined
    return device.type === 'mobile' && why !== undefined ? [{ device, why }] : []
  })
  const effects = hindered.flatMap(({ device, why }) => remarkOn(context, device.number, why))
  const rung = firstDevices(wanted.filter((each) => hindered.every(({ device }) => device !== each)))
  const mobiles = rung.filter(({ type }) => type === 'mobile').length
  if (rung.length === 0) return { verbs: undefined, effects, mobiles }
  const verbs = ringVerbs(context, flow, { rung, hasMobile: mobiles > 0, without })
  return verbs === undefined ? 'no-caller-id' : { verbs, effects, mobiles }
}

function ringVerbs(
  context: RouteContext,
  flow: Callflow,
  { rung, hasMobile, without }: { rung: readonly Device[]; hasMobile: boolean; without: readonly number[] },
): Verb[] | undefined {
  const parties = partiesOf(context)
  const callerId = hasMobile ? mobileCallerId(context) : groupCallerId(context.call.caller, parties)
  if (callerId === undefined) return undefined
  const status = { url: reportUrl(context, 'callstatus'), events: ['answered', 'completed'] as const }
  const parameters = { From: callerId, CallerName: callerName(parties), Partner: parties.partner?.id }
  const nouns = rung.map((device) => {
    if (device.type === 'mobile') return mobileNoun(context, { number: device.number, path: flowActionPath(flow) })
    return device.type === 'client'
      ? client({ identity: device.address, status, parameters })
      : sip({ uri: `sip:${device.address}`, status })
  })
  const recording = {
    mode: 'record-from-answer-dual',
    statusCallback: reportUrl(context, 'recordingstatus'),
  } as const
  const query = without.length === 0 ? [] : [`${DECLINED}=${without.join(',')}`]
  const action = actionUrl(context, flowActionPath(flow), query)
  const audible = hasMobile ? mobileDialOptions(context) : {}
  const ring = dial({ callerId, action, recording: flow.recordsCalls ? recording : undefined, ...audible }, nouns)
  return [...(without.length === 0 ? announcement(context, flow) : []), ring]
}

/** A phone of ours is no caller id for a group of phones: the default stands in for it. */
function groupCallerId(caller: string, parties: Parties): string | undefined {
  if (/^(?:sips?|client):/i.test(caller)) return parties.defaultCallerId
  if (caller === '') return parties.defaultCallerId ?? ANONYMOUS
  return shownCaller(caller, parties)
}

/** The devices that ring when there are more than ring together: of each user the first phone, then the second ones. */
function firstDevices(devices: readonly Device[]): readonly Device[] {
  return devices.length <= DIAL_NOUNS_MAX
    ? devices
    : [...devices].sort((a, b) => a.rank - b.rank).slice(0, DIAL_NOUNS_MAX)
}

/** What a flow does that rings nobody: it takes a message, else goes to its fall-back, else says goodbye. */
function endVerbs(context: RouteContext, flow: Callflow): Verb[] {
  const voicemail = unansweredVerbs(context, flow)
  if (voicemail !== undefined) return voicemail
  if (flow.fallback !== undefined) return [redirect(flowActionUrl(context, flow))]
  return [sentenceVerb('noActions', flow.speech), pause(), hangup()]
}

/** Where a call comes back to that the flow could not connect. */
function flowActionUrl(context: RouteContext, flow: Callflow): string {
  return actionUrl(context, flowActionPath(flow))
}

function flowActionPath({ id }: Callflow): string {
  return `/telco/webhook/connect.telco.callflow/call_action/${id}`
}

/** The voicemail of the flow; undefined when it takes no messages. */
export function unansweredVerbs(context: RouteContext, flow: Callflow): Verb[] | undefined {
  if (flow.voicemailPrompt === undefined) return undefined
  return [pause(), ...voicemailVerbs(context, flow.voicemailPrompt)]
}

import { client, DIAL_NOUNS_MAX, dial, sip } from '../../markup/dial.ts'
import type { Verb } from '../../markup/verb.ts'
import { gather, hangup, pause, redirect } from '../../markup/voice.ts'
import { sentenceVerb } from '../../sentences/sentence.ts'
import type { Callflow, Device, GatherSettings } from '../dial-plan.ts'
import { ANONYMOUS, callerName, type Parties, partiesOf, shownCaller } from './caller-id.ts'
import { actionUrl, gatherUrl, type RouteContext, reportUrl } from './context.ts'
import type { Choice } from './match-choice.ts'
import { type CallPlan, verbsPlan } from './plan.ts'
import { announcement, voicemailVerbs } from './prompts.ts'
import { NO_CALLER_ID } from './sentences.ts'
import { speak } from './speech.ts'

/** How a flow is entered: anew, after a wrong input, or when there were too many of those. */
type Entry = 'start' | 'again' | 'without-input'

/** Answers with the call flow; undefined when there is none with that id. */
export function routeToCallflow(context: RouteContext, flowId: number): CallPlan | undefined {
  const flow = context.plan.callflows.get(flowId)
  return flow === undefined ? undefined : flowPlan(context, flow, 'start')
}

/** Answers with a call flow that was found before (docs/reference/domain.md#call-flows). */
export function flowPlan(context: RouteContext, flow: Callflow, entry: Entry): CallPlan {
  const ring = flow.devices.length === 0 ? undefined : ringVerbs(context, flow)
  // Nothing is spoken when the phones could not be rung in the end: the caller hears why.
  if (ring === 'no-caller-id') return verbsPlan(NO_CALLER_ID(flow.speech))
  return verbsPlan([...openingVerbs(context, flow, entry), ...(ring ?? endVerbs(context, flow))])
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

function ringVerbs(context: RouteContext, flow: Callflow): Verb[] | 'no-caller-id' {
  const parties = partiesOf(context)
  const callerId = groupCallerId(context.call.caller, parties)
  if (callerId === undefined) return 'no-caller-id'
  const status = { url: reportUrl(context, 'callstatus'), events: ['answered', 'completed'] as const }
  const parameters = { From: callerId, CallerName: callerName(parties), Partner: parties.partner?.id }
  const nouns = firstDevices(flow.devices).map(({ type, address }) =>
    type === 'client' ? client({ identity: address, status, parameters }) : sip({ uri: `sip:${address}`, status }),
  )
  const recording = {
    mode: 'record-from-answer-dual',
    statusCallback: reportUrl(context, 'recordingstatus'),
  } as const
  const action = flowActionUrl(context, flow)
  const ring = dial({ callerId, action, recording: flow.recordsCalls ? recording : undefined }, nouns)
  return [...announcement(context, flow), ring]
}

/** A phone of ours is no caller id for a group of phones: the default stands in for it. */
function groupCallerId(caller: string, parties: Parties): string | undefined {
  if (/^(?:sips?|client):/i.test(caller)) return parties.defaultCallerId
  if (caller === '') return parties.defaultCallerId ?? ANONYMOUS
  return shownCaller(caller, parties)
}

/** The devices that ring when there are more than ring together: of each user the first phone, then the second ones. */
function firstDevices(devices: readonly Device[]): readonly Device[] {
  return devices.length <= DIAL_NOUNS_MAX ? devices : [...devices].sort((a, b) => a.rank - b.rank)
}

/** What a flow does that rings nobody: it takes a message, else goes to its fall-back, else says goodbye. */
function endVerbs(context: RouteContext, flow: Callflow): Verb[] {
  const voicemail = unansweredVerbs(context, flow)
  if (voicemail !== undefined) return voicemail
  if (flow.fallback !== undefined) return [redirect(flowActionUrl(context, flow))]
  return [sentenceVerb('noActions', flow.speech), pause(), hangup()]
}

/** Where a call comes back to that the flow could not connect. */
function flowActionUrl(context: RouteContext, { id }: Callflow): string {
  return actionUrl(context, `/telco/webhook/connect.telco.callflow/call_action/${id}`)
}

/** The voicemail of the flow; undefined when it takes no messages. */
export function unansweredVerbs(context: RouteContext, flow: Callflow): Verb[] | undefined {
  if (flow.voicemailPrompt === undefined) return undefined
  return [pause(), ...voicemailVerbs(context, flow.voicemailPrompt)]
}

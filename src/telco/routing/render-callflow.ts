import { client, DIAL_NOUNS_MAX, dial, sip } from '../markup/dial.ts'
import type { Verb } from '../markup/verb.ts'
import { gather, hangup, pause, redirect } from '../markup/voice.ts'
import { sentenceVerb } from '../sentences/sentence.ts'
import { type CallPlan, markupPlan, verbsPlan } from './decide/plan.ts'
import { announcement } from './decide/recording-announcement.ts'
import { NO_CALLER_ID } from './decide/sentences.ts'
import { voicemailVerbs } from './decide/voicemail.ts'
import { type Callflow, type Device, findCallflow } from './load/callflow.ts'
import { ANONYMOUS, callerName, findParties, type Parties, shownCaller } from './load/parties.ts'
import { speak } from './load/speech.ts'
import { actionUrl, gatherUrl, type Rendering, reportUrl } from './rendering.ts'

/** How a flow is entered: anew, after a wrong input, or when there were too many of those. */
export type Entry = 'start' | 'again' | 'without-input'

/** Answers with the call flow; undefined when there is none with that id. */
export async function renderCallflow(rendering: Rendering, flowId: number): Promise<CallPlan | undefined> {
  const flow = await findCallflow(rendering.env, flowId)
  return flow === undefined ? undefined : renderFlow(rendering, flow, 'start')
}

/** Answers with a call flow that was found before (docs/reference/domain.md#call-flows). */
export async function renderFlow(rendering: Rendering, flow: Callflow, entry: Entry): Promise<CallPlan> {
  const ring = flow.devices.length === 0 ? undefined : await ringVerbs(rendering, flow)
  // Nothing is spoken when the phones could not be rung in the end: the caller hears why.
  if (ring === 'no-caller-id') return markupPlan(NO_CALLER_ID(flow.speech))
  return verbsPlan([...openingVerbs(rendering, flow, entry), ...(ring ?? endVerbs(rendering, flow))])
}

/** What the caller hears first, and may answer. */
function openingVerbs(rendering: Rendering, flow: Callflow, entry: Entry): Verb[] {
  if (entry === 'without-input') return []
  const { settings } = rendering.env
  const verbs = entry === 'again' && flow.invalidInput ? [speak(settings, flow.invalidInput)] : []
  if (flow.prompt === undefined) return verbs
  const prompt = speak(settings, flow.prompt)
  if (flow.gather === undefined) return [...verbs, prompt]
  const action = gatherUrl(rendering, flow.id)
  return [...verbs, gather({ ...flow.gather, action, language: flow.speech.language }, [prompt])]
}

async function ringVerbs(rendering: Rendering, flow: Callflow): Promise<Verb[] | 'no-caller-id'> {
  const parties = await findParties(rendering.env, rendering.call)
  const callerId = groupCallerId(rendering.call.caller, parties)
  if (callerId === undefined) return 'no-caller-id'
  const status = { url: reportUrl(rendering, 'callstatus'), events: ['answered', 'completed'] as const }
  const parameters = { From: callerId, CallerName: callerName(parties), Partner: parties.partner?.id }
  const nouns = firstDevices(flow.devices).map(({ type, address }) =>
    type === 'client' ? client({ identity: address, status, parameters }) : sip({ uri: `sip:${address}`, status }),
  )
  const recording = {
    mode: 'record-from-answer-dual',
    statusCallback: reportUrl(rendering, 'recordingstatus'),
  } as const
  const action = flowActionUrl(rendering, flow)
  const ring = dial({ callerId, action, recording: flow.recordsCalls ? recording : undefined }, nouns)
  return [...announcement(rendering, flow), ring]
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
function endVerbs(rendering: Rendering, flow: Callflow): Verb[] {
  const voicemail = unansweredVerbs(rendering, flow)
  if (voicemail !== undefined) return voicemail
  if (flow.fallback !== undefined) return [redirect(flowActionUrl(rendering, flow))]
  return [sentenceVerb('noActions', flow.speech), pause(), hangup()]
}

/** Where a call comes back to that the flow could not connect. */
function flowActionUrl(rendering: Rendering, { id }: Callflow): string {
  return actionUrl(rendering, `/telco/webhook/connect.telco.callflow/call_action/${id}`)
}

/** The voicemail of the flow; undefined when it takes no messages. */
export function unansweredVerbs(rendering: Rendering, flow: Callflow): Verb[] | undefined {
  if (flow.voicemailPrompt === undefined) return undefined
  return [pause(), ...voicemailVerbs(rendering, flow.voicemailPrompt)]
}

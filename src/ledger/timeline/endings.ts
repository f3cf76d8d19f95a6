import { FAILURE_PREFIX } from '../calls/call-words.ts'
import { endingOfConversation, isEndedByQuota, isOutOfQuota } from '../conversations/conversation-ending.ts'
import { adminFix, type Cause, callBack, type Fix, placesOf, type Story } from './cause.ts'
import { NO_WEB_PHONE } from './delivery-words.ts'
import type { Moment } from './moment.ts'
import type { Params } from './sentences.ts'

const SYNCHRONISE = adminFix('fix_synchronise_agents', { kind: 'synchronise', provider: 'voiceai' })
const MS_PER_SECOND = 1_000
const TRANSFER_FAILED = 'transfer_failed'
const TRANSFER_NO_PHONE = 'transfer_no_phone'
/** The agent put the caller through, and nobody took the call. */
export const IN_VAIN: readonly string[] = [TRANSFER_FAILED, TRANSFER_NO_PHONE]

/** Reasons why a call of an agent was not started that lie with the person who was called (`failure_reason`; the third is `unknown`). */
const NOT_TAKEN = [
  { reason: 'busy', code: 'busy' },
  { reason: 'no-answer', code: 'no_answer' },
] as const

/** Why a call ended as it did, by its outcome. */
export function endingOf(story: Story): Cause {
  const { outcome, error_message: error } = story.facts
  if (story.facts.has_failed && outcome === 'failed') return conversationFailed(story)
  if (error !== null && error !== '' && outcome === 'failed' && story.facts.end_reason === null) {
    const reached = NOT_TAKEN.find(({ reason }) => error.startsWith(`${FAILURE_PREFIX}${reason}`))
    if (reached !== undefined) return cause(reached.code, { to: story.facts.called }, [], callBack(story.facts))
    return cause('not_started', { error }, placesOf(story.moments, isBroken), [SYNCHRONISE])
  }
  return (ENDINGS[outcome] ?? unknown)(story)
}

const ENDINGS: Readonly<Record<string, (story: Story) => Cause>> = {
  in_progress: ({ moments }) => cause('in_progress', {}, lastOf(moments), []),
  agent: byAgent,
  person: ({ facts, moments, readerId }) =>
    cause(
      'person',
      {
        person: facts.person ?? calledIn(facts),
        is_yours: isReaders(facts, readerId) && facts.person !== facts.calling,
      },
      placesOf(moments, isAnswer),
      [],
    ),
  agent_person: ({ facts, moments }) =>
    cause(
      'agent_person',
      { agent: facts.agent_name, person: facts.person ?? facts.called },
      placesOf(moments, (moment) => isAnswer(moment) || isTransfer(moment)),
      [],
    ),
  voicemail: ({ facts, moments }) =>
    cause(
      'voicemail',
      { seconds: facts.voicemail_duration || null, to: rungIn(moments) },
      placesOf(moments, (moment) => isUnanswered(moment) || moment.kind === 'voicemail'),
      callBack(facts),
    ),
  given_up: givenUp,
  missed,
  busy: (story) => notTaken('busy', story),
  no_answer: (story) => notTaken('no_answer', story),
  failed,
}

/** Whether the reader began the call. */
function isReaders({ caller_user: caller }: Story['facts'], readerId: number): boolean {
  return caller === readerId
}

/** Whom somebody of us called: by name where it is known. */
function calledIn({ direction, contact, called }: Story['facts']): string | null {
  return direction === 'outgoing' ? (contact ?? called) : called
}

/** Of a call that one of us began, who hung up is known. */
function givenUp(story: Story): Cause {
  const { facts, moments, readerId } = story
  const shows = placesOf(moments, (moment) => moment.title === 'leg_ended' && moment.params.status === 'canceled')
  if (facts.own_phone !== null) return ownPhone('own_phone_given_up', story, { shows })
  const seconds = secondsUntilEnd(moments)
  if (facts.calling === null) return cause('given_up', { seconds, to: rungIn(moments) }, shows, callBack(facts))
  const to = facts.direction === 'outgoing' ? calledIn(facts) : rungIn(moments)
  const params = { from: facts.calling, seconds, to, is_yours: isReaders(facts, readerId) }
  return cause('given_up_by', params, shows, callBack(facts))
}

/** Of a call that somebody asked for, the own phone rings first: whom they wanted was not called then. */
function notTaken(code: 'busy' | 'no_answer', story: Story): Cause {
  const { facts, moments } = story
  const shows = placesOf(moments, isUnanswered)
  if (facts.own_phone !== null && facts.status === 'completed') {
    return ownPhone('own_phone_hung_up', story, { shows: placesOf(moments, isAnswer) })
  }
  if (facts.own_phone !== null) return ownPhone('own_phone', story, { shows })
  return cause(code, { to: calledIn(facts) }, shows, callBack(facts))
}

/** The reader whose phone it was is told so; where it was not reached, what to do comes before calling once more. */
function ownPhone(
  code: 'own_phone' | 'own_phone_given_up' | 'own_phone_hung_up' | 'own_phone_not_reached',
  { facts, readerId }: Story,
  { shows, sip }: { shows: readonly number[]; sip?: Params[string] },
): Cause {
  const { own_phone: to, wanted: number } = facts
  const isYours = isReaders(facts, readerId)
  const first: Fix[] =
    code === 'own_phone_not_reached' && isYours
      ? [{ code: fixOfOwnPhone(sip), params: {}, isForAdmin: false, action: { kind: 'own_phone' } }]
      : []
  const again = number === null ? [] : callBack(facts).map((fix) => ({ ...fix, code: 'fix_call_once_more' }))
  return cause(code, { to, number, sip, is_yours: isYours }, shows, [...first, ...again])
}

function fixOfOwnPhone(sip: Params[string]): string {
  return sip === NO_WEB_PHONE ? 'fix_own_web_phone' : 'fix_own_phone'
}

function unknown({ moments }: Story): Cause {
  return cause('unknown', {}, lastOf(moments), [])
}

function byAgent({ facts, moments }: Story): Cause {
  const transfers = placesOf(moments, isTransfer)
  const unanswered = placesOf(moments, isUnanswered)
  if (transfers.length > 0 && unanswered.length > 0) {
    return cause(TRANSFER_FAILED, { to: rungIn(moments) }, [...transfers, ...unanswered], callBack(facts))
  }
  if (facts.without_phone !== null) {
    return cause(TRANSFER_NO_PHONE, { to: facts.without_phone }, transfers, callBack(facts))
  }
  const tools = placesOf(moments, ({ title }) => title === 'tool')
  const reason = facts.termination ?? ''
  const ending = endingOfConversation(facts.termination)
  // That an answering machine spoke is the platform's own finding, whatever the transcript has of it.
  const code = facts.nobody_spoke && ending !== 'voicemail' ? 'agent_silent' : `agent_${ending}`
  const did = NAMES_WHAT_WAS_DONE.includes(code)
    ? tools.flatMap((at) => DONE.filter(({ tool }) => tool.test(String(moments[at]?.params.name))))
    : []
  const last = did.at(-1)
  return cause(
    last === undefined ? code : `${code}_${last.code}`,
    { agent: facts.agent_name, reason },
    [...tools, ...placesOf(moments, ({ kind }) => kind === 'said').slice(-1)],
    [],
  )
}

/** Endings that are told with what the agent did before. */
const NAMES_WHAT_WAS_DONE: readonly string[] = ['agent_ended', 'agent_caller_hung_up']

/** The platform ended the conversation for an error: what it says, and what can be done about it. */
function conversationFailed({ facts, moments }: Story): Cause {
  const error = facts.conversation_error ?? facts.termination ?? ''
  const isQuota = isOutOfQuota(facts.conversation_error ?? '') || isEndedByQuota(facts.termination ?? '')
  const otherwise = error === '' ? 'agent_failed' : 'agent_error'
  const code = isQuota ? 'agent_quota' : otherwise
  const params = { agent: facts.agent_name, error }
  const fixes = [adminFix(isQuota ? 'fix_quota' : 'fix_platform'), ...callBack(facts)]
  return cause(code, params, placesOf(moments, ({ kind }) => kind === 'conversation').slice(-1), fixes)
}

/** What the last tool of a conversation has done for the caller. */
const DONE = [
  { tool: /create_ticket$/, code: 'ticket' },
  { tool: /create_event$/, code: 'visit' },
] as const

function missed(story: Story): Cause {
  const { facts, moments, heard } = story
  if (heard !== undefined) {
    const fixes: Fix[] =
      heard.decides === undefined ? [] : [adminFix(`fix_${heard.why}`, { kind: 'record', ...heard.decides })]
    const shows = placesOf(moments, isAnswerOfOurs).slice(-1)
    return cause(heard.why, { text: heard.text, number: facts.called }, shows, [...fixes, ...callBack(facts)])
  }
  const unanswered = placesOf(moments, isUnanswered)
  if (unanswered.length === 0) {
    const offered = placesOf(moments, asksForMessage)
    if (offered.length > 0) return cause('no_message', { number: facts.called }, offered.slice(-1), callBack(facts))
    const asked = placesOf(moments, isAnswerOfOurs).slice(-1)
    return cause('nobody_rung', { number: facts.called }, asked, callBack(facts))
  }
  if (facts.end_reason === 'not_reached') {
    const sip = unanswered.map((at) => moments[at]?.params.sip).find(Boolean)
    return cause('not_reached', { to: rungIn(moments), sip }, unanswered, callBack(facts))
  }
  const code = facts.end_reason === 'refused' ? 'refused' : 'nobody_answered'
  return cause(code, { to: rungIn(moments), seconds: facts.wait_seconds }, unanswered, callBack(facts))
}

function failed(story: Story): Cause {
  const { facts, moments } = story
  const broken = placesOf(moments, isBroken)
  const first = moments[broken[0] ?? -1]
  const why = { sip: first?.params.sip, error: first?.params.error }
  const code = /SIP (\d+)/.exec(String(first?.params.sip ?? ''))?.[1]
  if (facts.end_reason === 'agent_not_reached') return agentNotReached(facts, { code, why, broken })
  const to = String(first?.params.to ?? facts.called ?? '?')
  if (facts.own_phone !== null) return ownPhone('own_phone_not_reached', story, { shows: broken, sip: why.sip })
  const isOfNumber = why.sip !== NO_WEB_PHONE
  if (isOfNumber && (code === '404' || code === '484')) return cause('number_not_found', { to, ...why }, broken, [])
  const isRefused = why.error !== null && why.error !== undefined && why.error !== ''
  return cause(isRefused ? 'provider_refused' : 'not_reached', { to, ...why }, broken, callBack(facts))
}

function agentNotReached(
  facts: Story['facts'],
  { code, why, broken }: { code: string | undefined; why: Params; broken: readonly number[] },
): Cause {
  const agentFix: Fix[] =
    facts.agent === null
      ? []
      : [adminFix('fix_open_agent', { kind: 'record', model: 'connect.voiceai_agent', id: facts.agent })]
  const mending = facts.is_synchronised_since ? callAgain(facts) : [SYNCHRONISE]
  const name = code === '404' ? 'agent_unknown' : 'agent_unreachable'
  return cause(name, { agent: facts.agent_name, ...why }, broken, [...mending, ...agentFix])
}

/** What was to be done is done: anyone who did it may try. */
function callAgain({ called }: Story['facts']): Fix[] {
  return called === null
    ? []
    : [{ ...adminFix('fix_call_again', { kind: 'call_again', number: called }), params: { number: called } }]
}

function cause(code: string, params: Params, moments: readonly number[], fixes: readonly Fix[]): Cause {
  return { code, params, moments, fixes }
}

function isBroken({ title, params }: Moment): boolean {
  return title === 'leg_ended' && params.status === 'failed'
}

function isUnanswered({ title, params }: Moment): boolean {
  return title === 'leg_ended' && ['no-answer', 'busy', 'failed', 'canceled'].includes(String(params.status))
}

function isAnswer({ title }: Moment): boolean {
  return title === 'leg_answered'
}

function isAnswerOfOurs({ kind }: Moment): boolean {
  return kind === 'request'
}

/** The caller was asked to leave a message. */
function asksForMessage({ kind, params }: Moment): boolean {
  if (kind !== 'request' || !Array.isArray(params.steps)) return false
  return params.steps.some((step: { verb?: unknown }) => step.verb === 'Record')
}

function isTransfer({ title, params }: Moment): boolean {
  return title === 'tool' && String(params.name).startsWith('transfer_to')
}

function lastOf(moments: readonly Moment[]): number[] {
  return moments.length === 0 ? [] : [moments.length - 1]
}

/** Who was rung, by name or number, each once. */
function rungIn(moments: readonly Moment[]): string {
  const rung = moments.filter((moment) => isUnanswered(moment)).map(({ params }) => String(params.to))
  return [...new Set(rung)].join(', ')
}

function secondsUntilEnd(moments: readonly Moment[]): number {
  const ends = moments.filter(({ title }) => title === 'leg_ended').map(({ ms }) => ms)
  return Math.round(Math.max(0, ...ends) / MS_PER_SECOND)
}

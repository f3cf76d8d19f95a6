import { claimsTrial } from '../../deliveries/tools/trial-token.ts'
import { isEndedByQuota } from '../../ledger/conversations/conversation-ending.ts'
import type { ConversationAnalysis } from '../../ledger/conversations/conversation-facts.ts'
import type { Turn } from '../../ledger/timeline/spoken-moments.ts'
import { cleanText, readId } from '../../lenient-values.ts'
import { isUnseen } from '../../unseen.ts'
import { announcementIn, isSilent, readAnalysis } from './post-call-analysis.ts'
import { readGaps, readTurns, textOfTurn } from './post-call-turns.ts'
import { readSipReference } from './sip-headers.ts'
import type { Gap } from './unanswered.ts'

/**
 * Characters of a transcript and of a summary that are kept: seven hours of speech. The embedded engine stores no more than
 * this within the time that one step may take.
 */
const TRANSCRIPT_CHARS_MAX = 400_000
const CUT = '\n[The transcript is longer than 400,000 characters; its end is left out.]'
const SUMMARY_CHARS_MAX = 100_000
const ID_CHARS_MAX = 200
const REASON_CHARS_MAX = 1_000
const NUMBER_CHARS_MAX = 256
const WHATSAPP_DIGITS = /^[1-9]\d{6,14}$/
const SECONDS_MAX = 86_400 * 7
const MS_PER_SECOND = 1_000
/** Moments that can be right, in seconds since 1970: from 2001 to 2286, as many digits. */
const MOMENT_MIN = 1_000_000_000
const MOMENT_MAX = 10_000_000_000

/** A post-call delivery, read. Missing and null parts are simply not there. */
export type PostCall =
  | { kind: 'transcript'; conversation: Conversation }
  | { kind: 'audio'; conversationId: string | undefined; audio: string | undefined }
  | { kind: 'failure'; failure: Failure }
  | { kind: 'unknown'; type: string }

export interface Conversation {
  conversationId: string | undefined
  agentUid: string | undefined
  /** What names a trial in the place of a call. */
  trialToken?: string | undefined
  /** The caller's leg, when our own dial named it; else the platform's id of the call. */
  callSid: string | undefined
  /** Ids that our call may have in the ledger, the surest first. */
  callIds: number[]
  externalNumber: string | undefined
  /** Who they are on a channel, whether they show their number or not. */
  externalUserId?: string | undefined
  agentNumber: string | undefined
  isOutbound: boolean
  /** Held over WhatsApp, spoken or written; read deliveries from before it was told do not have it. */
  isWhatsApp?: boolean | undefined
  isSuccessful: boolean
  durationSeconds: number
  /** When it began, in milliseconds. */
  startedAtMs?: number | undefined
  /** Why it ended, in the platform's words. */
  terminationReason?: string | undefined
  /** What went wrong at the platform, with its code. */
  error?: string | undefined
  /** How the platform judges it: `success`, `failure` or `unknown`. */
  result?: string | undefined
  /** It ended for an error of the platform. */
  hasFailed?: boolean | undefined
  /** Whether the agent's first words said that it is an AI. */
  announcement?: 'played' | 'not_played' | undefined
  /** Nobody but the agent said anything. */
  isSilent?: boolean | undefined
  /** What the platform found out about it; read deliveries from before it was told do not have it. */
  analysis?: ConversationAnalysis | undefined
  turns?: Turn[] | undefined
  /** Questions that the agent could not answer. */
  gaps?: Gap[] | undefined
  transcript: string | undefined
  summary: string | undefined
}

export interface Failure {
  conversationId: string | undefined
  agentUid: string | undefined
  reason: string
  callSid: string | undefined
  from: string | undefined
  to: string | undefined
  /** Tried over WhatsApp; read deliveries from before it was told do not have it. */
  isWhatsApp?: boolean | undefined
  detail: string | undefined
}

/** Types by which the platform announces a transcript; a body without any type is taken for one. */
const TRANSCRIPT_TYPES = ['post_call_transcription', 'transcript', '']

/**
 * Reads what the platform sent (docs/reference/providers.md#post-call-deliveries), wrapped in an envelope or bare;
 * undefined when it is no object.
 */
export function readPostCall(payload: unknown): PostCall | undefined {
  const envelope = readObject(payload)
  if (envelope === undefined) return undefined
  const data = readObject(envelope.data) ?? envelope
  const type = envelope === data && !('type' in envelope) ? '' : (readString(envelope.type, ID_CHARS_MAX) ?? '')
  if (TRANSCRIPT_TYPES.includes(type)) return { kind: 'transcript', conversation: readConversation(data) }
  if (type === 'post_call_audio') {
    const audio = typeof data.full_audio === 'string' ? data.full_audio : undefined
    return { kind: 'audio', conversationId: readString(data.conversation_id, ID_CHARS_MAX), audio }
  }
  if (type === 'call_initiation_failure') return { kind: 'failure', failure: readFailure(data) }
  return { kind: 'unknown', type }
}

function readConversation(data: Record<string, unknown>): Conversation {
  const metadata = readObject(data.metadata) ?? {}
  const phone = readObject(metadata.phone_call) ?? {}
  const analysis = readObject(data.analysis) ?? {}
  const variables = readObject(readObject(data.conversation_initiation_client_data)?.dynamic_variables) ?? {}
  const sip = readSipReference([
    ...sipVariables(variables),
    ...Object.entries(readObject(phone.sip_header_dynamic_variables) ?? {}),
  ])
  const callId = readId(variables.call_id)
  const turns = readTurns(data.transcript)
  const gaps = readGaps(data.transcript)
  const terminationReason = readString(metadata.termination_reason, REASON_CHARS_MAX)
  const result = readString(analysis.call_successful, ID_CHARS_MAX)?.toLowerCase()
  return {
    conversationId: readString(data.conversation_id, ID_CHARS_MAX),
    agentUid: readString(data.agent_id, ID_CHARS_MAX),
    ...(claimsTrial(variables.call_id) ? { trialToken: variables.call_id } : {}),
    callSid: sip.callSid ?? readString(phone.call_sid, ID_CHARS_MAX),
    callIds: [...(sip.callId === undefined ? [] : [sip.callId]), ...(callId.kind === 'present' ? [callId.value] : [])],
    ...readParties(metadata, variables),
    durationSeconds: readSeconds(metadata.call_duration_secs),
    startedAtMs: readMoment(metadata.start_time_unix_secs),
    terminationReason,
    ...readError(data.status, metadata.error, terminationReason),
    isSuccessful: result === 'success',
    result,
    announcement: announcementIn(turns),
    isSilent: isSilent(turns),
    analysis: readAnalysis(data),
    turns,
    ...(gaps === undefined ? {} : { gaps }),
    transcript: readTranscript(data.transcript),
    summary: readString(analysis.transcript_summary, SUMMARY_CHARS_MAX),
  }
}

/** What went wrong, in the platform's words: `{code, reason}`, or a text; a failed conversation may say neither. */
function readError(status: unknown, error: unknown, terminationReason = ''): Pick<Conversation, 'error' | 'hasFailed'> {
  const { code, reason, message } = readObject(error) ?? { reason: error }
  const said = [
    readString(code, ID_CHARS_MAX),
    readString(reason, REASON_CHARS_MAX) ?? readString(message, REASON_CHARS_MAX),
  ]
  const text = said.filter((part) => part !== undefined).join(': ')
  const isFailure = readString(status, ID_CHARS_MAX)?.toLowerCase() === 'failed'
  // A conversation that the quota ended half-way may be called done.
  const hasFailed = isFailure || text !== '' || isEndedByQuota(terminationReason)
  return { error: text === '' ? undefined : text, hasFailed }
}

type Parties = Pick<Conversation, 'externalNumber' | 'externalUserId' | 'agentNumber' | 'isOutbound' | 'isWhatsApp'>

/**
 * Between whom it was, whatever it was held over (`ConversationHistoryMetadataCommonModel`, `WhatsAppConversationInfo` and
 * `SmsConversationInfo` of the platform's SDK 2.73.0); what the channel does not say, the variables of the call may.
 */
function readParties(metadata: Record<string, unknown>, variables: Record<string, unknown>): Parties {
  const number = (value: unknown): string | undefined => readString(value, NUMBER_CHARS_MAX)
  const phone = readObject(metadata.phone_call)
  const whatsApp = readObject(metadata.whatsapp)
  const sms = readObject(metadata.sms)
  const { direction } = [phone, whatsApp, sms].find((each) => each !== undefined) ?? {}
  const isOutbound = direction === 'outbound'
  const [from, to] = [number(variables.system__caller_id), number(variables.system__called_number)]
  const [theirs, ours] = isOutbound ? [to, from] : [from, to]
  return {
    externalNumber:
      number(phone?.external_number) ?? readWhatsAppUser(whatsApp) ?? number(sms?.sms_user_phone_number) ?? theirs,
    externalUserId: [readObject(whatsApp?.recipient)?.bsuid, whatsApp?.whatsapp_user_id].map(number).find(isUserId),
    agentNumber: number(phone?.agent_number) ?? number(sms?.agent_phone_number) ?? ours,
    isOutbound,
    isWhatsApp: whatsApp === undefined ? undefined : true,
  }
}

/** In the place of an id the number may stand, which has no dot. */
function isUserId(id: string | undefined): boolean {
  return id?.includes('.') === true
}

/** The number of a WhatsApp user, which has its country in front and no plus; of one who hides it, the user's id. */
function readWhatsAppUser(whatsApp: Record<string, unknown> | undefined): string | undefined {
  const recipient = readObject(whatsApp?.recipient)
  const named = [recipient?.phone, whatsApp?.whatsapp_user_id, recipient?.bsuid].map((each) =>
    readString(each, NUMBER_CHARS_MAX)?.replace(/^whatsapp:/i, ''),
  )
  const user = named.find((each) => each !== undefined && each !== '')
  return user !== undefined && WHATSAPP_DIGITS.test(user) ? `+${user}` : user
}

/** The variables that the platform made of the headers of a SIP call. */
function sipVariables(variables: Record<string, unknown>): [string, unknown][] {
  return Object.entries(variables).filter(([name]) => name.startsWith('sip_'))
}

function readFailure(data: Record<string, unknown>): Failure {
  const metadata = readObject(data.metadata) ?? {}
  const body = readObject(metadata.body) ?? {}
  return {
    conversationId: readString(data.conversation_id, ID_CHARS_MAX),
    agentUid: readString(data.agent_id, ID_CHARS_MAX),
    reason: readString(data.failure_reason, ID_CHARS_MAX) ?? 'unknown',
    // The SIP form has names of its own, the other is the phone provider's raw callback.
    callSid: readString(body.call_sid, ID_CHARS_MAX) ?? readString(body.CallSid, ID_CHARS_MAX),
    ...readFailedParties(metadata, body),
    detail:
      readString(body.error_reason ?? metadata.error_reason, SUMMARY_CHARS_MAX) ??
      readString(body.CallStatus, ID_CHARS_MAX),
  }
}

/**
 * Between whom it should have been. The platform publishes the forms of SIP and of the phone provider only; those of other channels
 * are read by the names that their conversations have, in the body or beside it.
 */
function readFailedParties(
  metadata: Record<string, unknown>,
  body: Record<string, unknown>,
): Pick<Failure, 'from' | 'to' | 'isWhatsApp'> {
  const all = { ...metadata, ...readObject(metadata.sms), ...readObject(metadata.whatsapp), ...body }
  const first = (...names: string[]): string | undefined =>
    names.map((name) => readString(all[name], NUMBER_CHARS_MAX)).find((each) => each !== undefined)
  const [from, to] = [first('from_number', 'From', 'agent_phone_number', 'from'), first('to_number', 'To')]
  const isWhatsApp =
    readString(metadata.type, ID_CHARS_MAX)?.toLowerCase() === 'whatsapp' ||
    readObject(metadata.whatsapp) !== undefined ||
    [from, to].some((each) => each?.startsWith('whatsapp:'))
  const user = to ?? readWhatsAppUser(all) ?? first('sms_user_phone_number', 'to')
  if (!isWhatsApp) return { from, to: user }
  return { from, to: readWhatsAppUser({ whatsapp_user_id: user }), isWhatsApp }
}

/** One line `role: message` per turn; turns without words are left out. */
function readTranscript(turns: unknown): string | undefined {
  if (!Array.isArray(turns)) return undefined
  const lines = turns.flatMap((turn) => {
    const { role } = readObject(turn) ?? {}
    const text = textOfTurn(readObject(turn) ?? {})
    const speaker = typeof role === 'string' && !isUnseen(role) ? cleanText(role).trim() : 'agent'
    return text === '' ? [] : [`${speaker}: ${text}`]
  })
  return lines.length === 0 ? undefined : withinLimit(lines.join('\n'))
}

/** A transcript that was cut says so at its end, so that nobody takes it for the whole conversation. */
function withinLimit(transcript: string): string {
  if (transcript.length <= TRANSCRIPT_CHARS_MAX) return transcript
  return transcript.slice(0, TRANSCRIPT_CHARS_MAX - CUT.length).toWellFormed() + CUT
}

function readObject(value: unknown): Record<string, unknown> | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : undefined
}

/** Text with something in it; a number counts as its digits. */
function readString(value: unknown, maxChars: number): string | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined
  const text = cleanText(String(value)).trim()
  return isUnseen(text) ? undefined : text.slice(0, maxChars).toWellFormed()
}

/** A moment in seconds since 1970, as milliseconds; nothing of a time before this product or far ahead is believed. */
function readMoment(value: unknown): number | undefined {
  const seconds = typeof value === 'number' || typeof value === 'string' ? Number(value) : Number.NaN
  return seconds >= MOMENT_MIN && seconds < MOMENT_MAX ? Math.round(seconds * MS_PER_SECOND) : undefined
}

function readSeconds(value: unknown): number {
  // Never an object: it may have a `toString` of its own, which cannot be called.
  const seconds = typeof value === 'number' || typeof value === 'string' ? Math.round(Number(value)) : 0
  return Number.isFinite(seconds) && seconds > 0 ? Math.min(seconds, SECONDS_MAX) : 0
}

import { type Contact, findContactById, findContactByNumber } from '../../contacts/find-by-number.ts'
import { sql } from '../../database/drizzle.ts'
import { gathered } from '../../database/gathered.ts'
import { param, statement } from '../../database/statement.ts'
import { checkToolToken } from '../../deliveries/tools/agent-token.ts'
import { jsonReply, TOKEN_PROOF, TOOL_JSON_MAX, UNAUTHORIZED } from '../../deliveries/tools/tool-table.ts'
import type { IncomingRequest, Reply, WebhookTable } from '../../deliveries/webhooks/webhook-table.ts'
import { isTooComplex, parseJson } from '../../json.ts'
import { tagAgentsSql } from '../../ledger/calls/call-updates.ts'
import { findCallById, findCallByLeg, type LedgerCall } from '../../ledger/calls/find-call.ts'
import { readText } from '../../lenient-values.ts'
import { formsOfSubscriber } from '../../number-plans.ts'
import { toContactKey } from '../../phone.ts'
import type { ReadEnv } from '../../platform/access/env.ts'
import { writerOf } from '../../platform/model/written-by.ts'
import { notifyChangedSql } from '../../platform/records/notify-changed.ts'
import type { PhoneDirectory } from '../../ports/phone-directory.ts'
import { hasIdentity, spokenCaller } from '../../withheld.ts'
import type { PlatformAgent, PlatformAgents } from '../agents/platform-agents.ts'
import { type DynamicVariables, dynamicVariables, languageCode, NO_VARIABLES } from './dynamic-variables.ts'
import { INITIATION_SHAPE } from './shapes.ts'
import { readSipReference } from './sip-headers.ts'

/**
 * The caller hears it ring while this is asked (docs/reference/providers.md#conversation-initiation): after 2 s the
 * call goes on without.
 */
export const INITIATION_DEADLINE_MS = 2_000
const INITIATION_BYTES_MAX = 1024 * 1024

const NUMBER_CHARS_MAX = 256
const ID_CHARS_MAX = 200
/** How the platform's own ids of SIP calls begin; no leg of ours has such an id. */
const PLATFORM_CALL_PREFIX = 'SCL_'

const TAG_CALLS = statement<
  { id: number },
  { calls: readonly number[]; uids: readonly string[]; writer: number | null }
>(
  'initiation_tag_calls',
  sql`with tagged as (${tagAgentsSql(sql`
        select given.call, a.id as agent, null::timestamp as connected_at from unnest(${param('calls')}::bigint[], ${param('uids')}::text[]) as given (call, uid)
        cross join lateral (select id from connect_voiceai_agent where agent_uid = given.uid order by id limit 1) a`)})
      select tagged.id, ${notifyChangedSql('connect.call', sql`tagged.id`)} as notified from tagged`,
)
/** What was said before, between the same two. */
interface Previous {
  readonly conversation: string
  readonly summary: string | null
}

const PREVIOUS = statement<
  Previous & { place: number; id: number },
  {
    places: readonly number[]
    callers: readonly string[]
    phones: readonly (number | null)[]
    called: readonly string[]
    before: readonly (number | null)[]
    current: readonly (string | null)[]
  }
>(
  'initiation_previous',
  sql`select wanted.place::int as place, last.* from unnest(${param('places')}::int[], ${param('callers')}::text[], ${param('phones')}::bigint[],
        ${param('called')}::text[], ${param('before')}::bigint[], ${param('current')}::text[])
        as wanted (place, caller, phone, called, before, current)
      cross join lateral (
        select id, voiceai_conversation_id as conversation, voiceai_summary as summary from connect_call
        where caller = wanted.caller and called = wanted.called and caller_pbx_user is not distinct from wanted.phone
          and voiceai_conversation_id is not null and voiceai_conversation_id is distinct from wanted.current
          and (wanted.before is null or id < wanted.before)
        order by id desc limit 1) last`,
)

interface InitiationParts {
  directory: PhoneDirectory
  agents: Pick<PlatformAgents, 'get' | 'last'>
}

/** The route that the platform asks before a conversation, behind the agent token. */
export function initiationTable(parts: InitiationParts): WebhookTable {
  return {
    area: 'voiceai',
    prefix: '/connect_voiceai',
    rows: [
      {
        path: '/conversation_initiation',
        describes: INITIATION_SHAPE,
        access: 'read',
        deadlineMs: INITIATION_DEADLINE_MS,
        bodyBytesMax: INITIATION_BYTES_MAX,
        run: (env, arrival) => initiateConversation(env, arrival, parts),
      },
    ],
    // After the token it is never an error.
    proof: TOKEN_PROOF,
    authenticateHeaders: checkToolToken,
    reject: () => UNAUTHORIZED,
    fallback: (_row, _error, arrival) => emptyEnvelope(parts.agents, arrival),
    withoutBody: (_row, arrival) => emptyEnvelope(parts.agents, arrival),
  }
}

/** What the platform asks before it opens a conversation: everything about the caller, never a new record. */
export async function initiateConversation(
  env: ReadEnv,
  arrival: IncomingRequest,
  { directory, agents }: InitiationParts,
): Promise<Reply> {
  const request = readRequest(arrival.body)
  // Two rounds of queries, because the caller hears it ring meanwhile.
  const [call, users, extensions, known] = await Promise.all([
    findCall(env, request),
    directory.listUsers(env),
    directory.listPublishedExtensions(env),
    agents.get(),
  ])
  arrival.subject.call = call?.id
  arrival.subject.conversation = request.conversationId
  arrival.subject.callSid = request.callSid
  // Over SIP the platform reports what we dialled, the agent's id, as the called number, and a caller without its `+`.
  const caller = call?.caller ?? request.callerId
  const called = call?.called ?? request.calledNumber
  const [contact, previous] = await Promise.all([
    findContact(env, call, caller),
    findPrevious(env, { caller, called, call, current: request.conversationId }),
    tagCall(env, call, request.agentUid),
  ])
  const variables = dynamicVariables({
    callId: call?.id,
    channelSid: call?.channel_sid ?? request.callSid,
    callerNumber: caller === undefined ? undefined : spokenCaller(caller),
    calledNumber: called,
    contact,
    previous,
    users,
    extensions,
  })
  const agent = known.get(request.agentUid ?? '')
  return envelope(withNamed(variables, agent), spokenLanguage(agent, contact))
}

/** The valid answer when nothing could be looked up: every variable present and empty, so the call goes on. */
export function emptyEnvelope(agents: Pick<PlatformAgents, 'last'>, { body }: IncomingRequest): Reply {
  const agent = agents.last.get(readRequest(body).agentUid ?? '')
  return envelope(withNamed(NO_VARIABLES, agent), undefined)
}

/** The platform ends a conversation in which a named variable is missing, so those nobody knows are there and empty. */
function withNamed(variables: DynamicVariables, agent: PlatformAgent | undefined): Record<string, string> {
  // What the platform makes of the headers of a SIP call, for a call that is registered instead.
  const ofHeaders: Record<string, string> = {
    sip_connect_call_ref: variables.call_id,
    sip_call_id: variables.channel_sid,
  }
  const named = agent?.variables ?? []
  return { ...variables, ...Object.fromEntries(named.map((name) => [name, ofHeaders[name] ?? ''])) }
}

/**
 * The contact's language, if it is one of the agent's additional ones: with any other the platform closes the conversation
 * without a word (github.com/elevenlabs/packages/issues/241 and 293, read 2026-11-22).
 */
function spokenLanguage(agent: PlatformAgent | undefined, contact: Contact | undefined): string | undefined {
  const language = languageCode(contact?.lang)
  return language !== undefined && agent?.languages.has(language) === true ? language : undefined
}

function envelope(variables: Record<string, string>, language: string | undefined): Reply {
  return jsonReply({
    type: 'conversation_initiation_client_data',
    dynamic_variables: variables,
    ...(language === undefined ? {} : { conversation_config_override: { agent: { language } } }),
  })
}

type Request = ReturnType<typeof readRequest>

/** Bad values are ignored one by one: whatever is readable still helps the caller. */
function readRequest(body: Buffer) {
  const fields = parseObject(body)
  const text = (name: string, maxChars: number): string | undefined => {
    const reading = readText(fields[name], maxChars)
    return reading.kind === 'present' ? reading.value : undefined
  }
  const agentUid = text('agent_id', ID_CHARS_MAX)
  const calledNumber = text('called_number', NUMBER_CHARS_MAX)
  const callSid = text('call_sid', ID_CHARS_MAX)
  const sip = readSipReference(fields.sip_headers)
  return {
    callerId: text('caller_id', NUMBER_CHARS_MAX),
    calledNumber: calledNumber === agentUid ? undefined : calledNumber,
    agentUid,
    // The caller's leg, as the phone provider names it.
    callSid: sip.callSid ?? (callSid?.startsWith(PLATFORM_CALL_PREFIX) === true ? undefined : callSid),
    conversationId: text('conversation_id', ID_CHARS_MAX),
    sip,
  }
}

function parseObject(body: Buffer): Record<string, unknown> {
  if (isTooComplex(body, TOOL_JSON_MAX)) return {}
  const parsed = parseJson(body.toString('utf8'))
  return typeof parsed === 'object' && parsed !== null ? (parsed as Record<string, unknown>) : {}
}

async function findCall(env: ReadEnv, { sip, callSid }: Request): Promise<LedgerCall | undefined> {
  const named = sip.callId === undefined ? undefined : await findCallById(env.db, sip.callId)
  return named ?? (callSid === undefined ? undefined : findCallByLeg(env.db, callSid))
}

async function tagCall(env: ReadEnv, call: LedgerCall | undefined, agentUid: string | undefined): Promise<void> {
  if (call === undefined || agentUid === undefined || call.voiceai_agent !== null) return
  await tagged(env.db, { call: call.id, uid: agentUid, writer: writerOf(env) })
}

/** A call that is handed to an agent, and as whom the service does that, which is the same for all. */
interface Tag {
  call: number
  uid: string
  writer: number | null
}

const tagged = gathered(async (db, tags: readonly Tag[]): Promise<undefined[]> => {
  const [calls, uids] = [tags.map(({ call }) => call), tags.map(({ uid }) => uid)]
  await db.run(TAG_CALLS, { calls, uids, writer: tags[0]?.writer ?? null })
  return tags.map(() => undefined)
})

async function findContact(
  env: ReadEnv,
  call: LedgerCall | undefined,
  caller: string | undefined,
): Promise<Contact | undefined> {
  if (call?.partner !== undefined && call.partner !== null) return findContactById(env.db, call.partner)
  const byNumber = await findContactByNumber(env.db, caller, env.settings.country)
  if (byNumber !== undefined || call === undefined || call.direction === 'incoming') return byNumber
  return call.caller_user_partner === null ? undefined : findContactById(env.db, call.caller_user_partner)
}

/** Only of a caller who can be told from others: who withholds their number has no earlier conversation. */
async function findPrevious(
  env: ReadEnv,
  { caller, called, call, current }: Speaking & { call: LedgerCall | undefined },
): Promise<Previous | undefined> {
  if (caller === undefined || called === undefined) return undefined
  const { country } = env.settings
  const [from, to] = [toContactKey(caller, country) ?? caller, toContactKey(called, country) ?? called]
  const phone = call?.caller_pbx_user ?? null
  if (phone === null && !hasIdentity(from)) return undefined
  if (call?.direction === 'outgoing' && !hasIdentity(to)) return undefined
  return previousOf(env.db, { caller: from, phone, called: to, before: call?.id, current })
}

/** Who is asked for in several written forms is asked for once in each: the newest of what is found is the one. */
const previousOf = gathered(async (db, asked: readonly Earlier[]): Promise<(Previous | undefined)[]> => {
  const wanted = asked.flatMap((each, place) =>
    formsOfSubscriber(each.caller).flatMap((caller) =>
      formsOfSubscriber(each.called).map((called) => ({ ...each, caller, called, place })),
    ),
  )
  const found = await db.run(PREVIOUS, {
    places: wanted.map(({ place }) => place),
    callers: wanted.map(({ caller }) => caller),
    phones: wanted.map(({ phone }) => phone),
    called: wanted.map(({ called }) => called),
    before: wanted.map(({ before = null }) => before),
    current: wanted.map(({ current = null }) => current),
  })
  const oldestFirst = found.toSorted((one, other) => Number(one.id) - Number(other.id))
  const byPlace = new Map(oldestFirst.map(({ place, ...previous }) => [place, previous]))
  return asked.map((_each, place) => byPlace.get(place))
})

/** Between whom a conversation is; it is not the previous one. */
interface Speaking {
  caller: string | undefined
  called: string | undefined
  current: string | undefined
}

/** A conversation to look for: between the same two, before a call when that is known. */
interface Earlier {
  caller: string
  /** The caller's phone, when it is one of ours: an extension alone may have been somebody else's. */
  phone: number | null
  called: string
  before: number | undefined
  current: string | undefined
}

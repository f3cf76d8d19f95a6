import { type Static, Type } from 'typebox'
import { sql } from '../../database/drizzle.ts'
import { rolledBack } from '../../deliveries/replay/rolled-back.ts'
import { trialToken } from '../../deliveries/tools/trial-token.ts'
import { asError, Refusal } from '../../errors.ts'
import { toE164 } from '../../phone.ts'
import { type Env, elevated, type OpenEnv } from '../../platform/access/env.ts'
import { GROUP } from '../../platform/access/identity.ts'
import { type Operations, outsideMethod } from '../../platform/model/model.ts'
import { writerOf, writtenBy } from '../../platform/model/written-by.ts'
import { records } from '../../platform/records/records.ts'
import type { PhoneDirectory } from '../../ports/phone-directory.ts'
import { requestPush } from '../../sync/requests.ts'
import { applyDraft } from '../agents/agent-draft.ts'
import { agentConfig, pushedAgent } from '../agents/agent-payload.ts'
import { type AgentRow, findAgent } from '../agents/agent-rows.ts'
import type { PlatformAgents } from '../agents/platform-agents.ts'
import type { AgentConfig } from '../client/sdk-agents.ts'
import type { VoiceaiClient } from '../client/sdk-client.ts'
import { initiateConversation } from '../conversations/conversation-initiation.ts'
import { isOurs } from '../tools/tool-payload.ts'
import type { ToolRow } from '../tools/tool-rows.ts'
import { requireOn } from '../workspace/readiness.ts'
import { VOICEAI } from '../workspace/voiceai.ts'
import { pretendCall, type TrialCall, trialSid } from './pretend-call.ts'
import { endTrials, trialModel } from './trial.ts'
import { copyName, trialCopy } from './trial-copy.ts'

/** Longer than this nobody tries an agent at once, whatever calls may take. */
const SECONDS_MAX = 600
/** Until somebody speaks, and for the tool that is under way at the end. */
const MARGIN_SECONDS = 120
const MS_PER_SECOND = 1_000
/** Copies of one person at the platform at the same time: windows that were closed end theirs by themselves. */
const OPEN_MAX = 5

const Started = Type.Object({
  trial: Type.Integer(),
  url: Type.String({ description: 'Where the browser talks with the agent, once; it needs no key.' }),
  opening: Type.Unknown({ description: 'What the browser sends first.' }),
  is_draft: Type.Boolean({ description: 'False when there is no draft.' }),
  missing_tools: Type.Array(Type.String(), {
    description:
      'Tools that are left out: those that ElevenLabs does not have as they are here, those of other services, and the transfer to another agent.',
  }),
  is_emulated: Type.Boolean({ description: 'ElevenLabs is played on this machine.' }),
})

const Wanted = Type.Object({
  draft: Type.Boolean({ description: 'With the changes that are not published.' }),
  kind: Type.Union([Type.Literal('text'), Type.Literal('voice')]),
  caller: Type.Optional(
    Type.Union([Type.String({ maxLength: 64 }), Type.Null()], { description: 'Who calls: a number.' }),
  ),
  partner: Type.Optional(
    Type.Union([Type.Integer({ minimum: 1 }), Type.Null()], { description: 'Who calls: a contact.' }),
  ),
})

interface TrialParts {
  client: Pick<VoiceaiClient, 'createAgent' | 'signConversation'>
  agents: PlatformAgents
  directory: PhoneDirectory
  /** Where the platform is. */
  baseUrl: string
}

/** `connect.voiceai_agent/start_trial {ids: [1], draft, kind, caller, partner}`, for administrators. */
export function trialOperations(parts: TrialParts): Operations {
  return {
    'connect.voiceai_agent': {
      start_trial: outsideMethod({
        label: 'Talk to it',
        operation: 'read',
        groups: [GROUP.connectAdmin],
        isAudited: true,
        args: Wanted,
        reply: Started,
        runOutside: (open, ids, wanted) => startTrial(parts, open, { ids, wanted }),
      }),
    },
  }
}

/** Has a copy of the agent made at the platform, and answers what a browser needs to talk with it. */
async function startTrial(
  parts: TrialParts,
  open: OpenEnv,
  { ids, wanted }: { ids: readonly number[]; wanted: Static<typeof Wanted> },
): Promise<Static<typeof Started>> {
  const [agent, ...others] = ids
  if (agent === undefined || others.length > 0) throw new Refusal('refused', 'trial-of-one')
  const { call, expiresAt } = await open((env) => beginTrial(env, agent, wanted))
  try {
    const begin = (work: (env: Env) => Promise<void>): Promise<void> => open(work)
    // Read beforehand: inside a transaction nobody gets another one of the embedded database.
    const known = await parts.agents.get()
    const prepared = await rolledBack(begin, (env) =>
      prepare(env, { directory: parts.directory, known }, { call, agent, expiresAt, wanted }),
    )
    const uid = await parts.client.createAgent(prepared.config)
    await open((env) => saveCopy(env, { id: call.id, uid, isDraft: prepared.isDraft }))
    const url = ofPlatform(await parts.client.signConversation(uid), parts.baseUrl)
    const { opening, isDraft, missing } = prepared
    const isEmulated = new URL(parts.baseUrl).protocol === 'http:'
    return { trial: call.id, url, opening, is_draft: isDraft, missing_tools: missing, is_emulated: isEmulated }
  } catch (thrown) {
    await open((env) => endTrials(env, [call.id]))
    if (thrown instanceof Refusal) throw thrown
    throw new Refusal('unavailable', 'trial-not-begun', { reason: asError(thrown).message }, { cause: thrown })
  }
}

/** Notes the trial, and has its end taken care of whatever becomes of the browser. */
async function beginTrial(
  env: Env,
  agent: number,
  { kind, caller, partner = null }: Static<typeof Wanted>,
): Promise<{ call: TrialCall; expiresAt: Date }> {
  requireOn(env.settings)
  const [{ seconds = SECONDS_MAX, called = null, open = 0 } = {}] = await env.db.query<Limits>(
    sql`select coalesce(a.max_duration_seconds, ${SECONDS_MAX}::int) as seconds,
          (select c.called from connect_call c where c.voiceai_agent = a.id order by c.id desc limit 1) as called,
          (select count(*)::int from connect_voiceai_trial t where t.ended_at is null and t.create_uid = ${writerOf(env)}::bigint
            and t.expires_at > now() at time zone 'utc') as open
        from connect_voiceai_agent a where a.id = ${agent}::bigint`,
  )
  if (open >= OPEN_MAX) throw new Refusal('conflict', 'trial-too-many', { count: OPEN_MAX })
  if (partner !== null) await records(env, 'res.partner').requireVisible([partner], 'read')
  const number = await callerOf(env, { caller, partner })
  const lastsSeconds = Math.min(seconds, SECONDS_MAX) + MARGIN_SECONDS
  const expiresAt = new Date(env.now.getTime() + lastsSeconds * MS_PER_SECOND)
  // Nobody writes trials but this and what runs in them.
  const [id = 0] = await records(elevated(env), trialModel.name).create([
    { agent, kind, caller: number, called, partner, expires_at: expiresAt.toISOString() },
  ])
  await requestPush(env, VOICEAI, { kind: 'remove-trial', id }, { delaySeconds: lastsSeconds })
  return { call: { id, agent, caller: number, called, partner }, expiresAt }
}

interface Limits {
  seconds: number
  called: string | null
  open: number
}

/** The number that calls: the one that is given, else the contact's; null for somebody who withholds it. */
async function callerOf(
  env: Env,
  { caller, partner }: { caller: string | null | undefined; partner: number | null },
): Promise<string | null> {
  if (caller !== undefined && caller !== null && caller.trim() !== '') {
    const number = toE164(caller, env.settings.country)
    if (number === undefined) throw new Refusal('refused', 'trial-number', { number: caller })
    return number
  }
  if (partner === null) return null
  const [row] = await records(env, 'res.partner').read([partner], ['phone', 'mobile'])
  return toE164(String(row?.phone || row?.mobile || ''), env.settings.country) ?? null
}

interface Prepared {
  config: AgentConfig
  opening: object
  isDraft: boolean
  missing: string[]
}

/** The agent as it is tried, and what a call of that caller is told; all of it is rolled back. */
async function prepare(
  env: Env,
  { directory, known }: Pick<TrialParts, 'directory'> & { known: PlatformAgents['last'] },
  {
    call,
    agent: id,
    expiresAt,
    wanted,
  }: { call: TrialCall; agent: number; expiresAt: Date; wanted: Static<typeof Wanted> },
): Promise<Prepared> {
  const isDraft = wanted.draft && (await applyDraft(env, id))
  const found = await findAgent(env.db, id)
  if (found === undefined) throw new Refusal('not-found', 'trial-of-one')
  const [tools, missing] = toolsToTry(found, env.settings.apiUrl ?? '')
  const agent = { ...found, tools }
  const plain = agentConfig(agent)
  const token = trialToken(env.platform.cipher, { id: call.id, expiresAt })
  const config = trialCopy(plain, { name: copyName(call.id, env.settings), isText: wanted.kind === 'text', token })
  const { dynamic_variables: variables, language } = await askAsCall(
    env,
    { directory, agents: { get: async () => known, last: known } },
    { call, agent },
  )
  const named = pushedAgent(agent, plain).variables.map((name) => [name, ''])
  const isPreset = language !== undefined && Object.hasOwn(config.conversationConfig.languagePresets ?? {}, language)
  return {
    config,
    isDraft,
    missing,
    opening: {
      type: 'conversation_initiation_client_data',
      dynamic_variables: { ...Object.fromEntries(named), ...variables, call_id: token },
      ...(isPreset ? { conversation_config_override: { agent: { language } } } : {}),
    },
  }
}

/** The agents to which this tool leads are those of calls, and what is said to them is delivered as a call. */
const TO_ANOTHER_AGENT = 'transfer_to_agent'

/**
 * The tools of the copy, and the names of those that it goes without: what another service or agent does for a trial is not undone,
 * and a tool of ours that the platform holds in an older form may not name the trial.
 */
function toolsToTry({ tools }: AgentRow, apiUrl: string): [tried: ToolRow[], missing: string[]] {
  const isTried = (tool: ToolRow): boolean => {
    if (tool.tool_type === 'system') return tool.name !== TO_ANOTHER_AGENT
    if (tool.tool_id === null) return false
    return tool.tool_type !== 'webhook' || (isOurs(tool, { apiUrl }) && tool.synced === true)
  }
  return [tools.filter(isTried), tools.filter((tool) => !isTried(tool)).map(({ name }) => name)]
}

/** What the platform is told of a caller before each call, by what tells it. */
async function askAsCall(
  env: Env,
  parts: Parameters<typeof initiateConversation>[2],
  { call, agent }: { call: TrialCall; agent: AgentRow },
): Promise<{ dynamic_variables: Record<string, string>; language: string | undefined }> {
  await pretendCall(env, call)
  const body = Buffer.from(JSON.stringify({ call_sid: trialSid(call.id), agent_id: agent.agent_uid ?? '' }))
  const nothing = { target: '', headers: {}, params: {}, isHttps: true, host: '', receivedAt: env.now, subject: {} }
  const { body: answer } = await initiateConversation(env, { ...nothing, body }, parts)
  const { dynamic_variables: variables, conversation_config_override: override } = JSON.parse(answer) as {
    dynamic_variables: Record<string, string>
    conversation_config_override?: { agent?: { language?: string } }
  }
  return { dynamic_variables: variables, language: override?.agent?.language }
}

async function saveCopy(env: Env, { id, uid, isDraft }: { id: number; uid: string; isDraft: boolean }): Promise<void> {
  await env.db.query(
    sql`update connect_voiceai_trial set copy_uid = ${uid}, is_draft = ${isDraft}, ${writtenBy(writerOf(env))}
        where id = ${id}::bigint`,
  )
}

/** The page may reach the platform's own host and no other one. */
function ofPlatform(signed: string, baseUrl: string): string {
  const [url, base] = [URL.canParse(signed) ? new URL(signed) : undefined, new URL(baseUrl)]
  const scheme = base.protocol === 'http:' ? 'ws:' : 'wss:'
  if (url?.protocol !== scheme || url.host !== base.host) {
    throw new Refusal('unavailable', 'trial-not-begun', { reason: 'The address is not one of ElevenLabs.' })
  }
  return url.href
}

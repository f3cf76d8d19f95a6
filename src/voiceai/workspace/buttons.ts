import { randomUUID } from 'node:crypto'
import { Type } from 'typebox'
import { sql } from '../../database/drizzle.ts'
import { Refusal } from '../../errors.ts'
import { type Env, elevated } from '../../platform/access/env.ts'
import { GROUP } from '../../platform/access/identity.ts'
import { type Method, type Model, method, type Values } from '../../platform/model/model.ts'
import { records } from '../../platform/records/records.ts'
import { isSyncUnderWay, type SyncKind } from '../../sync/sync-run.ts'
import { announceAgents, requestPush } from './push-request.ts'
import { findObstacle } from './readiness.ts'
import { requestRun } from './run-request.ts'

const TOKEN_BEHIND = 'The token is new. The platform is told with the next SYNC; until then it has the old one.'
const TOKEN_UNDER_WAY = 'The token is being changed, here and at the platform.'
const UNBIND_LATER = 'A synchronisation is under way: unbind when it has ended.'

/** The settings with the buttons of the voice-agent platform, and with tools that know when they are behind. */
export function withVoiceaiButtons(settings: Model): Model {
  return {
    ...settings,
    methods: { ...settings.methods, ...BUTTONS },
    async saved(env, change) {
      await settings.saved?.(env, change)
      if (changesTools(env, change.values)) await noteToolsBehind(env)
      if ('voiceai_send_audio' in change.values) await requestPush(env, { kind: 'post-call' })
    },
  }
}

const BUTTONS: Record<string, Method> = {
  voiceai_sync: button('Synchronise with the voice-agent platform', (env) => start(env, 'sync')),
  voiceai_sync_tools: button('Push all tools', (env) => start(env, 'tools')),
  voiceai_regenerate_prompts: button('Generate the speech of all prompts anew', (env) => start(env, 'prompts')),
  voiceai_check: button('Compare with the voice-agent platform', (env) => start(env, 'check')),
  voiceai_enable_webhook: button('Enable the post-call webhook', (env) => start(env, 'webhook')),
  voiceai_remove_tools: button('Remove all tools at the platform', (env) => start(env, 'remove_tools')),
  voiceai_reset_token: button('Change the agent token', resetToken),
  voiceai_unbind: button('Forget the account at the voice-agent platform', unbind),
}

function button(label: string, run: (env: Env) => Promise<unknown>): Method {
  return method({ label, operation: 'write', groups: [GROUP.connectAdmin], args: Type.Object({}), run })
}

function start(env: Env, kind: SyncKind): Promise<{ run_id: number }> {
  return requestRun(env, kind)
}

/** A new token, here and at the platform; only here while the platform cannot be told. */
async function resetToken(env: Env): Promise<{ run_id: number | null; message: string }> {
  if (findObstacle(env.settings) === undefined) {
    return { ...(await requestRun(env, 'token')), message: TOKEN_UNDER_WAY }
  }
  // Whoever may press the button may change the token, and still not read it.
  const own = elevated(env)
  await records(own, 'connect.settings').write([env.settings.id], { voiceai_agent_token: randomUUID() })
  return { run_id: null, message: TOKEN_BEHIND }
}

/** Forgets what the platform calls our agents, numbers and tools. What is there stays as it is. */
async function unbind(env: Env): Promise<{ agents: number; tools: number }> {
  if (await isSyncUnderWay(env.db, 'voiceai')) throw new Refusal('conflict', UNBIND_LATER)
  const agents = await env.db.query<{ id: number }>(
    sql`update connect_voiceai_agent set agent_uid = null, voiceai_virtual_number_uid = null, pushed = null,
          synced = false, sync_error = null, create_asked_at = null, write_date = now() at time zone 'utc'
        where agent_uid is not null or voiceai_virtual_number_uid is not null or synced returning id`,
  )
  const tools = await env.db.query<{ id: number }>(
    sql`update connect_voiceai_agent_tool set tool_id = null, pushed_variables = null, synced = false,
          sync_error = null, create_asked_at = null,
          write_date = now() at time zone 'utc' where tool_id is not null or synced returning id`,
  )
  await announceAgents(env)
  await tell(env, 'connect.voiceai_agent', agents)
  await tell(env, 'connect.voiceai_agent_tool', tools)
  return { agents: agents.length, tools: tools.length }
}

function changesTools({ settings }: Env, values: Values): boolean {
  const { api_url: apiUrl, voiceai_agent_token: token } = values
  const hasNewUrl = 'api_url' in values && (apiUrl ?? undefined) !== settings.apiUrl
  return hasNewUrl || ('voiceai_agent_token' in values && token !== settings.voiceaiAgentToken)
}

/**
 * The platform still has the address and the token of before: its tools are refused until they are pushed. Also those
 * that are being pushed at this moment.
 */
async function noteToolsBehind(env: Env): Promise<void> {
  const tools = await env.db.query<{ id: number }>(
    sql`update connect_voiceai_agent_tool set synced = false, write_date = now() at time zone 'utc'
        where tool_type <> 'system' returning id`,
  )
  await tell(env, 'connect.voiceai_agent_tool', tools)
}

async function tell(env: Env, model: string, rows: readonly { id: number }[]): Promise<void> {
  const IDS_TOLD_MAX = 100
  const ids = rows.slice(0, IDS_TOLD_MAX).map((row) => row.id)
  if (ids.length > 0) await env.db.notify('connect_records', JSON.stringify({ model, ids }))
}

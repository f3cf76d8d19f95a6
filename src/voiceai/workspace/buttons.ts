import { randomBytes, randomUUID } from 'node:crypto'
import { Type } from 'typebox'
import { Refusal } from '../../errors.ts'
import { type Env, elevated } from '../../platform/access/env.ts'
import { GROUP } from '../../platform/access/identity.ts'
import type { Extension } from '../../platform/model/extend.ts'
import { method, type Values } from '../../platform/model/model.ts'
import { records } from '../../platform/records/records.ts'
import { requestPush, requestRun, runButton, syncButton } from '../../sync/requests.ts'
import { isSyncUnderWay } from '../../sync/sync-run.ts'
import { unbindAgents } from '../agents/agent-changes.ts'
import { unbindKnowledge } from '../knowledge/knowledge-changes.ts'
import { markToolsOutdated, unbindTools } from '../tools/tool-changes.ts'
import { findObstacle } from './readiness.ts'
import { VOICEAI } from './voiceai.ts'

const TOKEN_OUTDATED = 'The token is new. The platform is told with the next SYNC; until then it has the old one.'
const TOKEN_UNDER_WAY = 'The token is being changed, here and at the platform.'

const SECRET_BYTES = 24

const TokenReset = Type.Object({ run_id: Type.Union([Type.Integer(), Type.Null()]), message: Type.String() })
const Unbound = Type.Object({ agents: Type.Integer(), tools: Type.Integer() })

/** The buttons of the voice-agent platform in the settings, and tools that know when they are outdated. */
export const voiceaiButtons: Extension = {
  methods: {
    voiceai_sync: runButton(VOICEAI, 'sync', 'Sync with ElevenLabs'),
    voiceai_sync_tools: runButton(VOICEAI, 'tools', 'Sync all tools'),
    voiceai_regenerate_prompts: runButton(VOICEAI, 'prompts', 'Regenerate all spoken prompts'),
    voiceai_check: runButton(VOICEAI, 'check', 'Check for differences at ElevenLabs'),
    voiceai_enable_webhook: runButton(VOICEAI, 'webhook', 'Turn on the post-call webhook'),
    voiceai_remove_tools: runButton(VOICEAI, 'remove_tools', 'Remove all tools at ElevenLabs'),
    voiceai_reset_token: syncButton('Change the agent token', TokenReset, resetToken),
    voiceai_ensure_post_call_secret: method({
      label: 'Create the post-call secret',
      operation: 'write',
      groups: [GROUP.manager],
      reply: Type.Object({ made: Type.Boolean() }),
      run: ensurePostCallSecret,
    }),
    voiceai_unbind: syncButton('Disconnect the ElevenLabs account', Unbound, unbind),
  },
  async onSave(env, { values }) {
    if (changesTools(env, values)) await markToolsOutdated(env)
    if ('voiceai_send_audio' in values) await requestPush(env, VOICEAI, { kind: 'post-call' })
  },
}

/** A new token, here and at the platform; only here while nothing can be pushed to the platform. */
async function resetToken(env: Env): Promise<{ run_id: number | null; message: string }> {
  if (findObstacle(env.settings) === undefined) {
    return { ...(await requestRun(env, VOICEAI, 'token')), message: TOKEN_UNDER_WAY }
  }
  // Anyone who may press the button may change the token, and still not read it.
  const own = elevated(env)
  await records(own, 'connect.settings').write([env.settings.id], { voiceai_agent_token: randomUUID() })
  return { run_id: null, message: TOKEN_OUTDATED }
}

/** For deliveries that are not the platform's, such as samples: SYNC replaces it. One that is there stays. */
async function ensurePostCallSecret(env: Env): Promise<{ made: boolean }> {
  if (env.settings.postCallSecret !== undefined) return { made: false }
  // Nobody writes the secret; anyone who may read it may have it made.
  const secret = `wsec_${randomBytes(SECRET_BYTES).toString('hex')}`
  await records(elevated(env), 'connect.settings').write([env.settings.id], {
    voiceai_post_call_webhook_secret: secret,
  })
  return { made: true }
}

/** Clears what the platform calls our agents, numbers and tools. What is there stays as it is. */
async function unbind(env: Env): Promise<{ agents: number; tools: number }> {
  if (await isSyncUnderWay(env.db, 'voiceai')) throw new Refusal('conflict', 'unbind-after-sync')
  await unbindKnowledge(env)
  return { agents: await unbindAgents(env), tools: await unbindTools(env) }
}

function changesTools({ settings }: Env, values: Values): boolean {
  const { api_url: apiUrl, voiceai_agent_token: token } = values
  const hasNewUrl = 'api_url' in values && (apiUrl ?? undefined) !== settings.apiUrl
  return hasNewUrl || ('voiceai_agent_token' in values && token !== settings.voiceaiAgentToken)
}

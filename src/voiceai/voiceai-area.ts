import type { FastifyInstance } from 'fastify'
import type { Area, ToolPorts } from '../area.ts'
import type { Config } from '../config.ts'
import type { Inbox } from '../deliveries/inbox/inbox.ts'
import type { ToolArea } from '../deliveries/tools/tool.ts'
import { Room, UNVERIFIED_DISK_BYTES_MAX } from '../deliveries/webhooks/unverified-bytes.ts'
import { FULL, rightsOf } from '../platform/access/access.ts'
import type { Identities } from '../platform/identity/identities.ts'
import type { MediaStore } from '../platform/media/media-store.ts'
import type { PhoneDirectory } from '../ports/phone-directory.ts'
import type { SpokenPrompts } from '../ports/spoken-prompts.ts'
import { syncJobs } from '../sync/jobs.ts'
import type { SyncParts } from '../sync/provider.ts'
import { agentModel } from './agents/agent.ts'
import { draftModel } from './agents/draft.ts'
import type { PlatformAgents } from './agents/platform-agents.ts'
import { promptModel } from './agents/prompt.ts'
import { seedTemplate } from './agents/seed.ts'
import { templateModel } from './agents/template.ts'
import { transferModel } from './agents/transfer.ts'
import type { VoiceaiClient } from './client/sdk-client.ts'
import { initiationTable } from './conversations/conversation-initiation.ts'
import { postCallConsumers } from './conversations/post-call.ts'
import { postCallTable } from './conversations/post-call-route.ts'
import { knowledgeModel } from './knowledge/knowledge.ts'
import { questionModel } from './knowledge/question.ts'
import { fileModel } from './speech/file.ts'
import { speechFileRoutes } from './speech/speech-files.ts'
import { seedTools } from './tools/seed.ts'
import { toolModel, toolParameterModel } from './tools/tool.ts'
import type { ToolDeadlines } from './tools/tool-deadlines.ts'
import { toolSettings } from './tools/tool-settings.ts'
import { CALL_TOOLS } from './tools/tools.ts'
import { tryToolOperations } from './tools/try-tool.ts'
import { trialOperations } from './trials/start-trial.ts'
import { trialModel } from './trials/trial.ts'
import { VOICE_PREVIEW_OPERATION, voicePreviewRoute } from './voices/preview-route.ts'
import { voiceModel } from './voices/voice.ts'
import { voiceaiButtons } from './workspace/buttons.ts'
import { VOICEAI_RESOURCES, VOICEAI_SYNC } from './workspace/provider.ts'
import { workspaceSettings } from './workspace/workspace-settings.ts'

interface Parts extends SyncParts {
  config: Pick<Config, 'voiceaiBaseUrl'>
  voiceai: VoiceaiClient
  agents: PlatformAgents
  media: MediaStore
  directory: PhoneDirectory
  prompts: SpokenPrompts
  identities: Identities
  toolDeadlines: ToolDeadlines
  triedTools: Parameters<typeof tryToolOperations>[0]
}

interface WebhookParts {
  agents: PlatformAgents
  inbox: Inbox
  media: MediaStore
  directory: PhoneDirectory
}

/** Voice agents, and the platform that speaks for them. */
export const voiceaiArea = {
  models: [
    [agentModel, rightsOf('r', FULL, 'r', '-')],
    [promptModel, rightsOf('r', FULL, '-', '-')],
    // Saved, published and discarded by methods of the agent.
    [draftModel, rightsOf('r', 'r', '-', '-')],
    [transferModel, rightsOf('r', FULL, '-', '-')],
    [knowledgeModel, rightsOf('r', FULL, '-', '-')],
    [questionModel, rightsOf('r', 'r', '-', '-')],
    [templateModel, rightsOf('-', FULL, '-', '-')],
    [toolModel, rightsOf('r', FULL, 'r', '-')],
    [toolParameterModel, rightsOf('r', FULL, 'r', '-')],
    // Begun by a method of the agent; who calls in one stands in it while it lasts.
    [trialModel, rightsOf('-', 'r', '-', '-')],
    [voiceModel, rightsOf('r', 'rcd', '-', '-')],
    [fileModel, rightsOf('r', FULL, '-', 'r')],
  ],
  resources: VOICEAI_RESOURCES,
  settings: [{ fields: toolSettings }, workspaceSettings, voiceaiButtons],
  writers: {
    'connect.settings': {
      voiceai_enabled: 'administrators',
      voiceai_tools_open: 'administrators',
      voiceai_api_key: 'managers',
      voiceai_agent_token: 'managers',
      voiceai_voice: 'administrators',
      voiceai_llms: 'service',
      voiceai_conversation_initiation_webhook_url: 'service',
      voiceai_post_call_webhook_url: 'service',
      voiceai_post_call_webhook_id: 'service',
      voiceai_post_call_webhook_secret: 'service',
      voiceai_post_call_misfit: 'service',
      voiceai_post_call_warning: 'service',
      voiceai_post_call_webhook_previous_secret: 'service',
      agents_announce_ai: 'administrators',
      voiceai_send_audio: 'administrators',
      display_voiceai_api_key: 'managers',
    },
  },
  async seed(tx, { tools }) {
    await seedTools(tx, tools)
    await seedTemplate(tx)
  },
  tools: { area: 'voiceai', prefix: '/connect_voiceai', tools: CALL_TOOLS } satisfies ToolArea<ToolPorts>,
  webhooks: ({ directory, agents, inbox, media }: WebhookParts) => [
    initiationTable({ directory, agents }),
    postCallTable({ inbox, media, disk: new Room(UNVERIFIED_DISK_BYTES_MAX) }),
  ],
  consumers: postCallConsumers,
  memory: ({ agents, toolDeadlines }: Parts) => [agents, toolDeadlines],
  operations: ({ voiceai, agents, directory, config, triedTools }: Parts) => [
    trialOperations({ client: voiceai, agents, directory, baseUrl: config.voiceaiBaseUrl }),
    tryToolOperations(triedTools),
  ],
  routes(http: FastifyInstance, { config, ...parts }: Parts) {
    speechFileRoutes(http, parts)
    voicePreviewRoute(http, { ...parts, baseUrl: config.voiceaiBaseUrl })
  },
  described: [VOICE_PREVIEW_OPERATION],
  jobs: ({ db, platform, voiceai: client, prompts, media }: Parts) =>
    syncJobs(VOICEAI_SYNC, { db, platform, client, prompts, media }),
} satisfies Area

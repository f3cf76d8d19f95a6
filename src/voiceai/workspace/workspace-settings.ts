import { randomUUID } from 'node:crypto'
import type { Extension } from '../../platform/model/extend.ts'
import { boolean, char, computed, type Field, integer, json, many2one, secret } from '../../platform/model/fields.ts'
import { isBlank } from '../../platform/model/values.ts'
import { type ReadOf, setting, type VerifyingOf } from '../../platform/settings/setting.ts'
import { joinUrl } from '../../platform/settings/settings-model.ts'

const fields = {
  voiceai_api_key: setting('voiceaiApiKey', secret('Voice-agent API key'), { hasTwin: true }),
  voiceai_agent_token: setting(
    'voiceaiAgentToken',
    secret('Agent token', { required: true, default: () => randomUUID() }),
    { isPasted: true, verifies: true },
  ),
  voiceai_voice: many2one('Default voice', 'connect.voiceai_voice'),
  voiceai_llms: json('Language models', {
    readonly: true,
    help: 'The models that ElevenLabs offers.',
  }),
  voiceai_conversation_initiation_webhook_url: urlBelow(
    'Conversation start webhook',
    '/connect_voiceai/conversation_initiation',
  ),
  voiceai_post_call_webhook_url: urlBelow('Post-call webhook URL', '/connect_voiceai/post_call'),
  voiceai_post_call_webhook_id: setting(
    'postCallWebhookId',
    char('Post-call webhook', { isProtected: true, readonly: true }),
  ),
  voiceai_post_call_webhook_secret: setting('postCallSecret', secret('Post-call webhook secret', { readonly: true })),
  voiceai_post_call_misfit: setting(
    'postCallMisfit',
    integer('Webhook that caused the last rotation', {
      readonly: true,
      isRecordId: true,
      help: 'The webhook with another signature that caused the change.',
    }),
  ),
  voiceai_post_call_warning: char('Post-call warning', {
    readonly: true,
    widget: 'finding',
    help: "Why conversations don't arrive, and how to fix it.",
  }),
  agents_announce_ai: setting(
    'agentsAnnounceAi',
    boolean('New agents say that they are an AI', {
      help: 'Callers hear it before the greeting, and that the conversation is recorded. Each agent can differ.',
    }),
  ),
  voiceai_send_audio: setting(
    'voiceaiSendsAudio',
    boolean('Keep conversation audio', {
      help: 'ElevenLabs sends it with the transcript after each conversation.',
    }),
  ),
  voiceai_post_call_webhook_previous_secret: setting(
    'postCallSecrets',
    secret('Post-call webhook secret before the last rotation', {
      readonly: true,
      help: 'Accepted until the old webhook is deleted, so that nothing is lost during a change.',
    }),
    {
      verifies: true,
      // Every secret that a delivery may be signed with: the current one, and the one before while it rotates.
      read: (previous, { postCallSecret: current }) => [current, previous].filter((each) => typeof each === 'string'),
    },
  ),
}

declare module '../../platform/settings/settings.ts' {
  interface SettingsSnapshot extends ReadOf<typeof fields> {}
  interface VerificationSettings extends VerifyingOf<typeof fields> {}
}

/** What the service knows of its workspace at the voice-agent platform. */
export const workspaceSettings: Extension = {
  fields,
}

function urlBelow(label: string, path: string): Field {
  return computed(label, 'char', {
    depends: ['api_url'],
    compute: (_env, rows) => rows.map((row) => (isBlank(row.api_url) ? null : joinUrl(String(row.api_url), path))),
  })
}

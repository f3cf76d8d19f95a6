import { randomUUID } from 'node:crypto'
import { sql } from '../../database/drizzle.ts'
import { AGENT_TOKEN_HEADER } from '../../deliveries/tools/agent-token.ts'
import { asError } from '../../errors.ts'
import { withLease } from '../../jobs/lease.ts'
import type { Values } from '../../platform/model/model.ts'
import { records } from '../../platform/records/records.ts'
import type { SettingsSnapshot } from '../../platform/settings/settings.ts'
import { joinUrl } from '../../platform/settings/settings-model.ts'
import { unlessMissing } from '../../sync/push.ts'
import { freshSettings, inServiceEnv } from '../../sync/service-env.ts'
import { VoiceaiError } from '../client/provider-error.ts'
import type { PostCallEvent, ProviderWebhook } from '../client/sdk-workspace.ts'
import { findMisfit } from '../conversations/misfit.ts'
import { requireReady } from './readiness.ts'
import { VOICEAI, type VoiceaiParts } from './voiceai.ts'

const INITIATION_PATH = '/connect_voiceai/conversation_initiation'
const POST_CALL_PATH = '/connect_voiceai/post_call'
const LEASE = 'voiceai workspace'

/** Makes a new agent token. From now on every tool is outdated until it has been pushed, and says so. */
export async function rotateToken(parts: VoiceaiParts): Promise<void> {
  await saveSettings(parts, { voiceai_agent_token: randomUUID() })
}

/** Where the platform asks before a conversation, and the token it shows. Throws a VoiceaiError. */
export async function pushInitiation(parts: VoiceaiParts): Promise<void> {
  await withLease(parts.db, LEASE, async () => {
    const { apiUrl, token } = requireReady(await freshSettings(parts.platform))
    await parts.client.setInitiationWebhook(initiationWebhook(apiUrl, token))
  })
}

export function initiationWebhook(apiUrl: string, token: string): { url: string; headers: Record<string, string> } {
  return { url: joinUrl(apiUrl, INITIATION_PATH), headers: { [AGENT_TOKEN_HEADER]: token } }
}

export function postCallUrl(apiUrl: string): string {
  return joinUrl(apiUrl, POST_CALL_PATH)
}

/**
 * Has transcripts delivered to this service, signed with a secret that it holds
 * (docs/reference/domain.md#post-call-webhook-at-the-platform). An address can never be changed, so another public
 * address means another webhook and another secret: the new one is stored before it is used, and the old one counts
 * until its webhook is gone. The same where deliveries do not fit the secret that is stored. Throws a VoiceaiError; whatever was done until then is safe.
 */
export async function pushPostCall(parts: VoiceaiParts): Promise<'kept' | 'created'> {
  return withLease(parts.db, LEASE, async () => {
    const settings = await freshSettings(parts.platform)
    const { apiUrl } = requireReady(settings)
    const webhooks = await parts.client.listWebhooks()
    const misfit = await findMisfit(parts.db, settings.postCallMisfit)
    // What does not fit the stored secret was signed with one that the platform alone knows: it tells another one once.
    const usable = misfit === undefined ? findUsable(settings, webhooks, postCallUrl(apiUrl)) : undefined
    const current = usable?.id ?? (await createWebhook(parts, settings, { url: postCallUrl(apiUrl), misfit }))
    await parts.client.selectPostCallWebhook(current, postCallEvents(settings))
    const previous = settings.postCallWebhookId
    await removeOthers(parts, { current, previous, name: webhookName(settings), webhooks })
    await savePostCallWarning(parts, undefined)
    return usable === undefined ? 'created' : 'kept'
  })
}

/**
 * Lets the webhook deliver again, which the platform has disabled: it does after ten failed deliveries in a row without
 * a success in seven days (elevenlabs.io/docs/eleven-api/resources/webhooks). Another one is made where that one cannot
 * be used. Throws a VoiceaiError.
 */
export async function enablePostCall(parts: VoiceaiParts): Promise<'enabled' | 'kept' | 'created'> {
  const isEnabled = await withLease(parts.db, LEASE, async () => {
    const settings = await freshSettings(parts.platform)
    const webhooks = await parts.client.listWebhooks()
    const disabled = webhooks.find(({ id, isDisabled }) => id === settings.postCallWebhookId && isDisabled)
    if (disabled !== undefined) await parts.client.enableWebhook(disabled)
    return disabled !== undefined
  })
  const pushed = await pushPostCall(parts)
  return isEnabled && pushed === 'kept' ? 'enabled' : pushed
}

/** What is delivered after a conversation: its transcript, calls that never came about, and audio if that is wanted. */
export function postCallEvents({ voiceaiSendsAudio }: SettingsSnapshot): PostCallEvent[] {
  return ['transcript', 'call_initiation_failure', ...(voiceaiSendsAudio ? (['audio'] as const) : [])]
}

/** Shows in the settings why conversations are not delivered; undefined when they are. */
export async function savePostCallWarning(parts: VoiceaiParts, warning: string | undefined): Promise<void> {
  await saveSettings(parts, { voiceai_post_call_warning: warning ?? null })
}

function findUsable(
  { postCallWebhookId, postCallSecret }: SettingsSnapshot,
  webhooks: readonly ProviderWebhook[],
  url: string,
): ProviderWebhook | undefined {
  if (postCallWebhookId === undefined || postCallSecret === undefined) return undefined
  return webhooks.find((each) => each.id === postCallWebhookId && each.url === url && !each.isDisabled)
}

/** The name tells the webhooks of this installation from everybody else's in the workspace. */
function webhookName({ instanceUid }: SettingsSnapshot): string {
  return `connect post_call (${instanceUid})`
}

async function createWebhook(
  parts: VoiceaiParts,
  settings: SettingsSnapshot,
  { url, misfit }: { url: string; misfit: number | undefined },
): Promise<string> {
  const name = webhookName(settings)
  const { id, secret } = await parts.client.createWebhook({ name, url })
  if (secret === undefined || secret === '') {
    throw new VoiceaiError('refused', 'ElevenLabs made a webhook without telling its secret.')
  }
  await saveSettings(parts, {
    voiceai_post_call_webhook_id: id,
    voiceai_post_call_webhook_secret: secret,
    ...(misfit === undefined ? {} : { voiceai_post_call_misfit: misfit }),
    ...(settings.postCallSecret === undefined
      ? {}
      : { voiceai_post_call_webhook_previous_secret: settings.postCallSecret }),
  })
  // Not every plan has repeats, and without them deliveries still arrive.
  await parts.client.repeatFailedDeliveries({ id, name }).catch((error: unknown) => {
    parts.platform.log.warn({ err: asError(error) }, 'failed deliveries of the post-call webhook will not be repeated')
  })
  return id
}

/** Webhooks of ours that nothing uses any more, also those of a synchronisation that was cut off. */
async function removeOthers(
  parts: VoiceaiParts,
  {
    current,
    previous,
    name,
    webhooks,
  }: { current: string; previous: string | undefined; name: string; webhooks: readonly ProviderWebhook[] },
): Promise<void> {
  const others = webhooks.filter((each) => each.id !== current && (each.id === previous || each.name === name))
  for (const { id } of others) {
    await unlessMissing(VOICEAI, () => parts.client.deleteWebhook(id))
  }
  const settings = await freshSettings(parts.platform)
  // The webhook that signed with it is gone.
  if (settings.postCallSecrets.length > 1)
    await saveSettings(parts, { voiceai_post_call_webhook_previous_secret: null })
}

/** Writes to the settings as the service itself. */
export async function saveSettings(parts: VoiceaiParts, values: Values): Promise<void> {
  await inServiceEnv(parts, async (env) => {
    const [row] = await env.db.query<{ id: number }>(sql`select id from connect_settings order by id limit 1`)
    if (row === undefined) throw new Error('connect.settings has no row; the database is not seeded')
    await records(env, 'connect.settings').write([row.id], values)
  })
}

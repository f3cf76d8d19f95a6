import { type Difference, differing } from '../../sync/provider.ts'
import { requestPush } from '../../sync/requests.ts'
import { freshSettings, inServiceEnv } from '../../sync/service-env.ts'
import type { ProviderWebhook } from '../client/sdk-workspace.ts'
import { findMisfit } from '../conversations/misfit.ts'
import { addressProblem } from './address-problem.ts'
import { requireReady } from './readiness.ts'
import { VOICEAI, type VoiceaiParts } from './voiceai.ts'
import { initiationWebhook, postCallEvents, postCallUrl, savePostCallWarning } from './workspace.ts'

const SYNC = 'Sync now.'
const ENABLE = 'Fix what failed, then press "Turn on the post-call webhook".'
/** What a delivery is answered with that does not fit the secret. */
const UNAUTHORIZED = 401
const OTHER_SECRET = 'It signs with a secret that is not stored here. Another webhook is being made.'

/** Changes the warning that the settings show, and has a secret healed that is missing or that deliveries do not fit; else nothing. Compares nothing while voice agents are off. */
export async function compareWorkspace(parts: VoiceaiParts): Promise<Difference[]> {
  const stored = await freshSettings(parts.platform)
  if (!stored.voiceaiEnabled) return []
  const settings = requireReady(stored)
  const provider = await parts.client.getSettings()
  const webhooks = await parts.client.listWebhooks()
  const wanted = initiationWebhook(settings.apiUrl, settings.token)
  const initiation = addressProblem(provider.initiation, wanted)
  const ours = webhooks.find((each) => each.id === stored.postCallWebhookId)
  // Anybody can send what does not fit: only the platform knows whether a delivery of its own was refused.
  const wasRefused = ours?.lastFailure === UNAUTHORIZED
  const hasOtherSecret =
    (ours !== undefined && stored.postCallSecret === undefined) ||
    (wasRefused && (await findMisfit(parts.db, stored.postCallMisfit)) !== undefined)
  const postCall = postCallProblem()
  await savePostCallWarning(parts, postCall === undefined ? undefined : `Conversations are not delivered. ${postCall}`)
  // It heals by itself, and no oftener than is compared.
  if (hasOtherSecret) await inServiceEnv(parts, (env) => requestPush(env, VOICEAI, { kind: 'post-call' }))
  return [
    ...differing({ what: 'initiation webhook' }, initiation),
    ...(postCall === undefined ? [] : [{ what: 'post-call webhook', message: postCall }]),
  ]

  function postCallProblem(): string | undefined {
    if (ours === undefined) return `ElevenLabs does not have it. ${SYNC}`
    if (ours.isDisabled) return `ElevenLabs has disabled it${failureOf(ours)}. ${ENABLE}`
    if (ours.url !== postCallUrl(settings.apiUrl)) return `It delivers to ${ours.url}. ${SYNC}`
    if (provider.postCallWebhookId !== ours.id) return `ElevenLabs delivers to another webhook. ${SYNC}`
    if (hasOtherSecret) return OTHER_SECRET
    const missing = postCallEvents(stored).filter((event) => !provider.postCallEvents.includes(event))
    return missing.length === 0 ? undefined : `These are not delivered to it: ${missing.join(', ')}. ${SYNC}`
  }
}

function failureOf({ lastFailure }: ProviderWebhook): string {
  return lastFailure === undefined ? '' : ` (the last failed webhook was answered with status ${lastFailure})`
}

import { randomBytes } from 'node:crypto'
import type { Emulators } from '../start.ts'
import { newSid } from '../telco/sids.ts'
import { SUBDOMAIN } from './company.ts'
import { type ServiceApi, ServiceBusy, type ServiceRecord } from './service-api.ts'

const RUN_SECONDS_MAX = 110
const LOOK_AGAIN_MS = 50
const SECRET_BYTES = 16
const MS_PER_SECOND = 1_000

/** Enters the credentials of both providers, as an administrator does, and synchronises with both. */
export async function prepareService(
  service: ServiceApi,
  { telco, voiceai }: Emulators,
  { withAudio = false }: { withAudio?: boolean } = {},
): Promise<void> {
  const settings = await service.find('connect.settings', {})
  if (settings === undefined) throw new Error('the service has no settings')
  await service.write('connect.settings', settings.id, {
    account_sid: telco.account.sid,
    auth_token: telco.account.authToken,
    ...apiKeyOf(telco.account.apiKeys),
    voiceai_api_key: voiceai.workspace.apiKey,
    voiceai_enabled: true,
    ...(withAudio ? { voiceai_send_audio: true } : {}),
  })
  await synchronise(service, 'voiceai')
  await service.ensure('connect.telco.domain', { subdomain: SUBDOMAIN }, { friendly_name: 'Phones' })
  await synchronise(service, 'telco')
}

/** Web phones sign in with an API key of the account, which gets one when it has none. */
function apiKeyOf(keys: Map<string, string>): { telco_api_key: string; telco_api_secret: string } {
  if (keys.size === 0) keys.set(newSid('SK'), randomBytes(SECRET_BYTES).toString('hex'))
  const [[telco_api_key, telco_api_secret] = ['', '']] = keys
  return { telco_api_key, telco_api_secret }
}

/** Presses the button and waits until its run has ended; what is not in sync is a failure. */
export async function synchronise(service: ServiceApi, area: 'voiceai' | 'telco'): Promise<void> {
  const { run_id: id } = await service.ask<{ run_id: number }>('connect.settings', `${area}_sync`)
  const endMs = Date.now() + RUN_SECONDS_MAX * MS_PER_SECOND
  for (;;) {
    const run = await lookAt(service, id)
    const errors = (run?.errors ?? []) as { message: string }[]
    if (run?.state === 'done' && errors.length === 0) return
    if (run?.state === 'done' || run?.state === 'failed') {
      const sentences = errors.map(({ message }) => message).join(' ')
      throw new Error(`the ${area} synchronisation is not in sync: ${String(run.summary)} ${sentences}`)
    }
    if (Date.now() > endMs) throw new Error(`the ${area} synchronisation did not end within ${RUN_SECONDS_MAX} s`)
    await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS))
  }
}

/** The run as it is; undefined while the service is too busy to say. */
async function lookAt(service: ServiceApi, id: number): Promise<ServiceRecord | undefined> {
  try {
    return await service.find('connect.sync_run', { id }, ['state', 'errors', 'summary'])
  } catch (error) {
    if (error instanceof ServiceBusy) return undefined
    throw error
  }
}

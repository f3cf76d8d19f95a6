import { listAll, textOf } from './answers.ts'
import type { TelcoSdk } from './sdk.ts'

/** A markup application as it is pushed; an address that is undefined is cleared. */
export interface ApplicationConfig {
  name: string
  voiceUrl: string
  fallbackUrl: string | undefined
  statusUrl: string
}

export interface ProviderApplication {
  sid: string
  name: string
  voiceUrl: string | undefined
  fallbackUrl: string | undefined
  statusUrl: string | undefined
}

/** The provider's markup applications. */
export interface Applications {
  list(options?: { name?: string }): Promise<ProviderApplication[]>
  create(config: ApplicationConfig): Promise<string>
  update(sid: string, config: ApplicationConfig): Promise<void>
  delete(sid: string): Promise<void>
}

export function applicationsOf(sdk: TelcoSdk): Applications {
  return {
    async list({ name } = {}) {
      const filter = name === undefined ? {} : { friendlyName: name }
      const found = await sdk.ask((client) =>
        listAll('applications', (limits) => client.applications.list({ ...limits, ...filter })),
      )
      return found.map(({ sid, friendlyName, voiceUrl, voiceFallbackUrl, statusCallback }) => ({
        sid,
        name: textOf(friendlyName) ?? '',
        voiceUrl: textOf(voiceUrl),
        fallbackUrl: textOf(voiceFallbackUrl),
        statusUrl: textOf(statusCallback),
      }))
    },
    create: async (config) => (await sdk.ask((client) => client.applications.create(toSdk(config)))).sid,
    async update(sid, config) {
      await sdk.ask((client) => client.applications(sid).update(toSdk(config)))
    },
    async delete(sid) {
      await sdk.ask((client) => client.applications(sid).remove())
    },
  }
}

function toSdk({ name, voiceUrl, fallbackUrl = '', statusUrl }: ApplicationConfig) {
  return {
    friendlyName: name,
    voiceUrl,
    voiceMethod: 'POST',
    voiceFallbackUrl: fallbackUrl,
    voiceFallbackMethod: 'POST',
    statusCallback: statusUrl,
    statusCallbackMethod: 'POST',
  }
}

import type { ApplicationInstance } from 'twilio/lib/rest/api/v2010/account/application.js'
import { textOf } from './answers.ts'
import type { TelcoSdk } from './sdk.ts'

/** A markup application as it is pushed; an address that is undefined is cleared. */
export interface ApplicationConfig {
  name: string
  voiceUrl: string
  fallbackUrl: string | undefined
  statusUrl: string
}

export type ProviderApplication = ReturnType<typeof toApplication>

/** The provider's markup applications. */
export function applicationsOf(sdk: TelcoSdk) {
  return {
    async list({ name }: { name?: string } = {}) {
      const filter = name === undefined ? {} : { friendlyName: name }
      const read = sdk.list('applications', (client, limits) => client.applications.list({ ...limits, ...filter }))
      return (await read).map(toApplication)
    },
    create: async (config: ApplicationConfig) =>
      (await sdk.ask((client) => client.applications.create(toSdk(config)))).sid,
    update: (sid: string, config: ApplicationConfig): Promise<unknown> =>
      sdk.ask((client) => client.applications(sid).update(toSdk(config))),
    delete: (sid: string) => sdk.ask((client) => client.applications(sid).remove()),
  }
}

function toApplication({ sid, friendlyName, voiceUrl, voiceFallbackUrl, statusCallback }: ApplicationInstance) {
  return {
    sid,
    name: textOf(friendlyName) ?? '',
    voiceUrl: textOf(voiceUrl),
    fallbackUrl: textOf(voiceFallbackUrl),
    statusUrl: textOf(statusCallback),
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

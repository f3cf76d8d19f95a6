import type { DomainInstance } from 'twilio/lib/rest/api/v2010/account/sip/domain.js'
import { textOf } from './answers.ts'
import type { TelcoSdk } from './sdk.ts'

/** A SIP domain as it is pushed; an address that is undefined is cleared. */
export interface DomainConfig {
  host: string
  name: string
  voiceUrl: string
  fallbackUrl: string | undefined
  statusUrl: string
}

export type ProviderDomain = ReturnType<typeof toDomain>

/** Credential lists of a domain: who may call through it, and who may register with it. */
export interface DomainMappings {
  calls: readonly string[]
  registrations: readonly string[]
}

/** The provider's SIP domains. */
export function sipDomainsOf(sdk: TelcoSdk) {
  return {
    list: async () =>
      (await sdk.list('SIP domains', (client, limits) => client.sip.domains.list(limits))).map(toDomain),
    create: async (config: DomainConfig) => (await sdk.ask((client) => client.sip.domains.create(toSdk(config)))).sid,
    update: (sid: string, config: DomainConfig): Promise<unknown> =>
      sdk.ask((client) => client.sip.domains(sid).update(toSdk(config))),
    delete: (sid: string) => sdk.ask((client) => client.sip.domains(sid).remove()),
    async listMappings(sid: string): Promise<DomainMappings> {
      const what = 'credential lists of a SIP domain'
      const [calls, registrations] = [
        await sdk.list(what, ({ sip }, limits) => sip.domains(sid).auth.calls.credentialListMappings.list(limits)),
        await sdk.list(what, ({ sip }, limits) =>
          sip.domains(sid).auth.registrations.credentialListMappings.list(limits),
        ),
      ]
      // A mapping has the id of its list.
      return { calls: calls.map((each) => each.sid), registrations: registrations.map((each) => each.sid) }
    },
    /** Lets the credentials of the list call, or register. */
    map: (sid: string, use: keyof DomainMappings, credentialListSid: string): Promise<unknown> =>
      sdk.ask<unknown>((client) =>
        client.sip.domains(sid).auth[use].credentialListMappings.create({ credentialListSid }),
      ),
  }
}

function toDomain(domain: DomainInstance) {
  return {
    sid: domain.sid,
    host: textOf(domain.domainName) ?? '',
    name: textOf(domain.friendlyName) ?? '',
    voiceUrl: textOf(domain.voiceUrl),
    fallbackUrl: textOf(domain.voiceFallbackUrl),
    statusUrl: textOf(domain.voiceStatusCallbackUrl),
    mayRegister: domain.sipRegistration === true,
  }
}

function toSdk({ host, name, voiceUrl, fallbackUrl = '', statusUrl }: DomainConfig) {
  return {
    domainName: host,
    friendlyName: name,
    voiceUrl,
    voiceMethod: 'POST',
    voiceFallbackUrl: fallbackUrl,
    voiceFallbackMethod: 'POST',
    voiceStatusCallbackUrl: statusUrl,
    voiceStatusCallbackMethod: 'POST',
    sipRegistration: true,
  }
}

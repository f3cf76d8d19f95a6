import { listAll, textOf } from './answers.ts'
import type { TelcoSdk } from './sdk.ts'

/** A SIP domain as it is pushed; an address that is undefined is cleared. */
export interface DomainConfig {
  host: string
  name: string
  voiceUrl: string
  fallbackUrl: string | undefined
  statusUrl: string
}

export interface ProviderDomain {
  sid: string
  host: string
  name: string
  voiceUrl: string | undefined
  fallbackUrl: string | undefined
  statusUrl: string | undefined
  mayRegister: boolean
}

/** Credential lists of a domain: who may call through it, and who may register with it. */
export interface DomainMappings {
  calls: readonly string[]
  registrations: readonly string[]
}

/** The provider's SIP domains. */
export interface SipDomains {
  list(): Promise<ProviderDomain[]>
  create(config: DomainConfig): Promise<string>
  update(sid: string, config: DomainConfig): Promise<void>
  delete(sid: string): Promise<void>
  listMappings(sid: string): Promise<DomainMappings>
  /** Lets the credentials of the list call, or register. */
  map(sid: string, use: keyof DomainMappings, listSid: string): Promise<void>
}

export function sipDomainsOf(sdk: TelcoSdk): SipDomains {
  return {
    async list() {
      const found = await sdk.ask((client) => listAll('SIP domains', (limits) => client.sip.domains.list(limits)))
      return found.map((domain) => ({
        sid: domain.sid,
        host: textOf(domain.domainName) ?? '',
        name: textOf(domain.friendlyName) ?? '',
        voiceUrl: textOf(domain.voiceUrl),
        fallbackUrl: textOf(domain.voiceFallbackUrl),
        statusUrl: textOf(domain.voiceStatusCallbackUrl),
        mayRegister: domain.sipRegistration === true,
      }))
    },
    create: async (config) => (await sdk.ask((client) => client.sip.domains.create(toSdk(config)))).sid,
    async update(sid, config) {
      await sdk.ask((client) => client.sip.domains(sid).update(toSdk(config)))
    },
    async delete(sid) {
      await sdk.ask((client) => client.sip.domains(sid).remove())
    },
    listMappings: (sid) =>
      sdk.ask(async (client) => {
        const { calls, registrations } = client.sip.domains(sid).auth
        const [forCalls, forRegistrations] = [
          await listAll('credential lists of a SIP domain', (limits) => calls.credentialListMappings.list(limits)),
          await listAll('credential lists of a SIP domain', (limits) =>
            registrations.credentialListMappings.list(limits),
          ),
        ]
        // A mapping has the id of its list.
        return { calls: forCalls.map((each) => each.sid), registrations: forRegistrations.map((each) => each.sid) }
      }),
    async map(sid, use, credentialListSid) {
      await sdk.ask(async (client) => {
        const { auth } = client.sip.domains(sid)
        await (use === 'calls' ? auth.calls : auth.registrations).credentialListMappings.create({ credentialListSid })
      })
    },
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

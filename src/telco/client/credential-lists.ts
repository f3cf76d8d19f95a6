import { textOf } from './answers.ts'
import type { TelcoSdk } from './sdk.ts'

/** A name under which a SIP phone signs in; the provider never tells its password. */
export interface ProviderCredential {
  sid: string
  username: string
}

/** The provider's lists of names and passwords of SIP phones. */
export function credentialListsOf(sdk: TelcoSdk) {
  return {
    async list() {
      const found = await sdk.list('credential lists', (client, limits) => client.sip.credentialLists.list(limits))
      return found.map(({ sid, friendlyName }) => ({ sid, name: textOf(friendlyName) ?? '' }))
    },
    create: async (name: string) =>
      (await sdk.ask((client) => client.sip.credentialLists.create({ friendlyName: name }))).sid,
    delete: (listSid: string) => sdk.ask((client) => client.sip.credentialLists(listSid).remove()),
    async listCredentials(listSid: string): Promise<ProviderCredential[]> {
      const found = await sdk.list('SIP credentials', (client, limits) =>
        client.sip.credentialLists(listSid).credentials.list(limits),
      )
      return found.map(({ sid, username }) => ({ sid, username }))
    },
    async createCredential(listSid: string, credential: { username: string; password: string }) {
      const made = await sdk.ask((client) => client.sip.credentialLists(listSid).credentials.create(credential), {
        secrets: [credential.password],
      })
      return made.sid
    },
    setPassword: (listSid: string, sid: string, password: string): Promise<unknown> =>
      sdk.ask((client) => client.sip.credentialLists(listSid).credentials(sid).update({ password }), {
        secrets: [password],
      }),
    deleteCredential: (listSid: string, sid: string) =>
      sdk.ask((client) => client.sip.credentialLists(listSid).credentials(sid).remove()),
  }
}

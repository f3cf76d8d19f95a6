import { listAll, textOf } from './answers.ts'
import type { TelcoSdk } from './sdk.ts'

/** A name under which a SIP phone signs in; the provider never tells its password. */
export interface ProviderCredential {
  sid: string
  username: string
}

/** The provider's lists of names and passwords of SIP phones. */
export interface CredentialLists {
  list(): Promise<{ sid: string; name: string }[]>
  create(name: string): Promise<string>
  delete(listSid: string): Promise<void>
  listCredentials(listSid: string): Promise<ProviderCredential[]>
  createCredential(listSid: string, credential: { username: string; password: string }): Promise<string>
  setPassword(listSid: string, sid: string, password: string): Promise<void>
  deleteCredential(listSid: string, sid: string): Promise<void>
}

export function credentialListsOf(sdk: TelcoSdk): CredentialLists {
  return {
    async list() {
      const found = await sdk.ask((client) =>
        listAll('credential lists', (limits) => client.sip.credentialLists.list(limits)),
      )
      return found.map(({ sid, friendlyName }) => ({ sid, name: textOf(friendlyName) ?? '' }))
    },
    create: async (name) => (await sdk.ask((client) => client.sip.credentialLists.create({ friendlyName: name }))).sid,
    async delete(listSid) {
      await sdk.ask((client) => client.sip.credentialLists(listSid).remove())
    },
    async listCredentials(listSid) {
      const found = await sdk.ask((client) =>
        listAll('SIP credentials', (limits) => client.sip.credentialLists(listSid).credentials.list(limits)),
      )
      return found.map(({ sid, username }) => ({ sid, username }))
    },
    async createCredential(listSid, credential) {
      const made = await sdk.ask((client) => client.sip.credentialLists(listSid).credentials.create(credential), {
        secrets: [credential.password],
      })
      return made.sid
    },
    async setPassword(listSid, sid, password) {
      await sdk.ask((client) => client.sip.credentialLists(listSid).credentials(sid).update({ password }), {
        secrets: [password],
      })
    },
    async deleteCredential(listSid, sid) {
      await sdk.ask((client) => client.sip.credentialLists(listSid).credentials(sid).remove())
    },
  }
}

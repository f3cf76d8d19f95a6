import { textOf } from './answers.ts'
import type { TelcoSdk } from './sdk.ts'

/** A number of somebody else's that the account may show, because it was verified. */
export interface ProviderCallerId {
  sid: string
  number: string
  name: string
}

/** The account's verified caller ids. */
export function callerIdsOf(sdk: TelcoSdk) {
  return {
    async list({ number }: { number?: string } = {}): Promise<ProviderCallerId[]> {
      const filter = number === undefined ? {} : { phoneNumber: number }
      const found = await sdk.list('caller ids', (client, limits) =>
        client.outgoingCallerIds.list({ ...limits, ...filter }),
      )
      return found.map(({ sid, phoneNumber, friendlyName }) => ({
        sid,
        number: phoneNumber,
        name: textOf(friendlyName) ?? phoneNumber,
      }))
    },
    rename: (sid: string, name: string): Promise<unknown> =>
      sdk.ask((client) => client.outgoingCallerIds(sid).update({ friendlyName: name })),
    delete: (sid: string) => sdk.ask((client) => client.outgoingCallerIds(sid).remove()),
    /** Has the provider call the number and ask for the code. */
    async validate({ number, name, statusUrl }: { number: string; name: string; statusUrl: string }) {
      const wanted = { phoneNumber: number, friendlyName: name, statusCallback: statusUrl }
      const { validationCode } = await sdk.ask((client) => client.validationRequests.create(wanted))
      return { code: validationCode }
    },
  }
}

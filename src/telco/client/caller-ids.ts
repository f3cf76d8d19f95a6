import { listAll, textOf } from './answers.ts'
import type { TelcoSdk } from './sdk.ts'

/** A number of somebody else's that the account may show, because it was verified. */
export interface ProviderCallerId {
  sid: string
  number: string
  name: string
}

/** What the provider asks for in its call. */
export interface CallerIdValidation {
  code: string
  callSid: string
}

/** The account's verified caller ids. */
export interface CallerIds {
  list(options?: { number?: string }): Promise<ProviderCallerId[]>
  rename(sid: string, name: string): Promise<void>
  delete(sid: string): Promise<void>
  /** Has the provider call the number and ask for the code. */
  validate(wanted: { number: string; name: string; statusUrl: string }): Promise<CallerIdValidation>
}

export function callerIdsOf(sdk: TelcoSdk): CallerIds {
  return {
    async list({ number } = {}) {
      const filter = number === undefined ? {} : { phoneNumber: number }
      const found = await sdk.ask((client) =>
        listAll('caller ids', (limits) => client.outgoingCallerIds.list({ ...limits, ...filter })),
      )
      return found.map(({ sid, phoneNumber, friendlyName }) => ({
        sid,
        number: phoneNumber,
        name: textOf(friendlyName) ?? phoneNumber,
      }))
    },
    async rename(sid, name) {
      await sdk.ask((client) => client.outgoingCallerIds(sid).update({ friendlyName: name }))
    },
    async delete(sid) {
      await sdk.ask((client) => client.outgoingCallerIds(sid).remove())
    },
    async validate({ number, name, statusUrl }) {
      const wanted = { phoneNumber: number, friendlyName: name, statusCallback: statusUrl }
      const { validationCode, callSid } = await sdk.ask((client) => client.validationRequests.create(wanted))
      return { code: validationCode, callSid }
    },
  }
}

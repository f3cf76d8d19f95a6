import type { IncomingPhoneNumberInstance } from 'twilio/lib/rest/api/v2010/account/incomingPhoneNumber.js'
import { ProviderRefused } from '../../ports/telco-client.ts'
import { textOf } from './answers.ts'
import type { TelcoSdk } from './sdk.ts'

/** A number as it is pushed; an address that is undefined is cleared. */
export interface NumberConfig {
  name: string | undefined
  voiceUrl: string
  fallbackUrl: string | undefined
  statusUrl: string
  messageUrl: string | undefined
  messageFallbackUrl: string | undefined
}

export type ProviderNumber = ReturnType<typeof toNumber>

/** The numbers that the account has bought. */
export function incomingNumbersOf(sdk: TelcoSdk) {
  return {
    async list({ number }: { number?: string } = {}) {
      const filter = number === undefined ? {} : { phoneNumber: number }
      const found = await sdk.list('numbers', (client, limits) =>
        client.incomingPhoneNumbers.list({ ...limits, ...filter }),
      )
      return found.map(toNumber)
    },
    update: (sid: string, config: NumberConfig): Promise<unknown> =>
      sdk.ask((client) => client.incomingPhoneNumbers(sid).update(toSdk(config))),
    /** Where calls to the number are handled; undefined when that was never set. */
    async findRegion(number: string) {
      try {
        const { voiceRegion } = await sdk.askAboveRegions((client) => client.routes.v2.phoneNumbers(number).fetch())
        return textOf(voiceRegion)
      } catch (error) {
        if (error instanceof ProviderRefused && error.kind === 'not-found') return undefined
        throw error
      }
    },
    setRegion: (number: string, voiceRegion: string): Promise<unknown> =>
      sdk.askAboveRegions((client) => client.routes.v2.phoneNumbers(number).update({ voiceRegion })),
  }
}

/** A number of the account as the SDK gives it. */
export function toNumber(number: IncomingPhoneNumberInstance) {
  return {
    sid: number.sid,
    number: number.phoneNumber,
    name: textOf(number.friendlyName) ?? number.phoneNumber,
    voiceUrl: textOf(number.voiceUrl),
    fallbackUrl: textOf(number.voiceFallbackUrl),
    statusUrl: textOf(number.statusCallback),
    messageUrl: textOf(number.smsUrl),
    messageFallbackUrl: textOf(number.smsFallbackUrl),
    // Set where somebody gave the number to an application, which then goes before the addresses.
    voiceApplicationSid: textOf(number.voiceApplicationSid),
    messageApplicationSid: textOf(number.smsApplicationSid),
    // Set where the number's calls go to a SIP trunk, whatever its addresses are.
    trunkSid: textOf(number.trunkSid),
  }
}

/** A number as the SDK takes it. */
export function toSdk(config: NumberConfig) {
  return {
    ...(config.name === undefined ? {} : { friendlyName: config.name }),
    voiceUrl: config.voiceUrl,
    voiceMethod: 'POST',
    voiceFallbackUrl: config.fallbackUrl ?? '',
    voiceFallbackMethod: 'POST',
    statusCallback: config.statusUrl,
    statusCallbackMethod: 'POST',
    smsUrl: config.messageUrl ?? '',
    smsMethod: 'POST',
    smsFallbackUrl: config.messageFallbackUrl ?? '',
    smsFallbackMethod: 'POST',
    // An application would go before the addresses.
    voiceApplicationSid: '',
    smsApplicationSid: '',
  }
}

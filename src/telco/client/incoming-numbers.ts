import { ProviderRefused } from '../../ports/telco-client.ts'
import { listAll, textOf } from './answers.ts'
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

export interface ProviderNumber {
  sid: string
  number: string
  name: string
  voiceUrl: string | undefined
  fallbackUrl: string | undefined
  statusUrl: string | undefined
  messageUrl: string | undefined
  messageFallbackUrl: string | undefined
  /** Set where somebody gave the number to an application, which then goes before the addresses. */
  voiceApplicationSid: string | undefined
  messageApplicationSid: string | undefined
  /** Set where the number's calls go to a SIP trunk, whatever its addresses are. */
  trunkSid: string | undefined
}

/** The numbers that the account has bought. */
export interface IncomingNumbers {
  list(options?: { number?: string }): Promise<ProviderNumber[]>
  update(sid: string, config: NumberConfig): Promise<void>
  /** Where calls to the number are handled; undefined when that was never set. */
  findRegion(number: string): Promise<string | undefined>
  setRegion(number: string, region: string): Promise<void>
}

export function incomingNumbersOf(sdk: TelcoSdk): IncomingNumbers {
  return {
    async list({ number } = {}) {
      const filter = number === undefined ? {} : { phoneNumber: number }
      const found = await sdk.ask((client) =>
        listAll('numbers', (limits) => client.incomingPhoneNumbers.list({ ...limits, ...filter })),
      )
      return found.map(toNumber)
    },
    async update(sid, config) {
      await sdk.ask((client) => client.incomingPhoneNumbers(sid).update(toSdk(config)))
    },
    async findRegion(number) {
      try {
        const { voiceRegion } = await sdk.askAboveRegions((client) => client.routes.v2.phoneNumbers(number).fetch())
        return textOf(voiceRegion)
      } catch (error) {
        if (error instanceof ProviderRefused && error.kind === 'not-found') return undefined
        throw error
      }
    },
    async setRegion(number, region) {
      await sdk.askAboveRegions((client) => client.routes.v2.phoneNumbers(number).update({ voiceRegion: region }))
    },
  }
}

/** What of the SDK's numbers we read. */
interface SdkNumber {
  sid: string
  phoneNumber: string
  friendlyName: string
  voiceUrl: string
  voiceFallbackUrl: string
  statusCallback: string
  smsUrl: string
  smsFallbackUrl: string
  voiceApplicationSid: string
  smsApplicationSid: string
  trunkSid: string
}

function toNumber(number: SdkNumber): ProviderNumber {
  return {
    sid: number.sid,
    number: number.phoneNumber,
    name: textOf(number.friendlyName) ?? number.phoneNumber,
    voiceUrl: textOf(number.voiceUrl),
    fallbackUrl: textOf(number.voiceFallbackUrl),
    statusUrl: textOf(number.statusCallback),
    messageUrl: textOf(number.smsUrl),
    messageFallbackUrl: textOf(number.smsFallbackUrl),
    voiceApplicationSid: textOf(number.voiceApplicationSid),
    messageApplicationSid: textOf(number.smsApplicationSid),
    trunkSid: textOf(number.trunkSid),
  }
}

function toSdk(config: NumberConfig) {
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

import { ProviderRefused } from '../../ports/telco-client.ts'
import { textOf } from './answers.ts'
import { type NumberConfig, toNumber, toSdk } from './incoming-numbers.ts'
import type { TelcoSdk } from './sdk.ts'

/** Kinds of numbers that can be bought here, as the provider's addresses and lists name them. */
export const NUMBER_KINDS = ['local', 'mobile', 'toll_free'] as const
export type NumberKind = (typeof NUMBER_KINDS)[number]

/** Whose address a number wants: none, any, one in its country, or one outside of it. */
export const ADDRESS_WANTS = ['none', 'any', 'local', 'foreign'] as const
export type AddressWant = (typeof ADDRESS_WANTS)[number]

interface OfKind {
  country: string
  kind: NumberKind
}

interface NumberQuery extends OfKind {
  areaCode?: number | undefined
  /** A pattern; one that begins with + is the beginning of a number. */
  contains?: string | undefined
  locality?: string | undefined
  hasVoice?: boolean | undefined
  hasTexts?: boolean | undefined
}

/** The pricing API says "toll free", the regulatory one "toll-free" (twilio_pricing_v1.json, twilio_numbers_v2.json of 2026-04-14). */
const PRICE_TYPES: Readonly<Record<NumberKind, string>> = { local: 'local', mobile: 'mobile', toll_free: 'toll free' }
const REGULATED_TYPES: Readonly<Record<NumberKind, string>> = {
  local: 'local',
  mobile: 'mobile',
  toll_free: 'toll-free',
}
const LISTS = { local: 'local', mobile: 'mobile', toll_free: 'tollFree' } as const
/** Numbers that are shown at once. */
const NUMBERS_MAX = 30
const COUNTRIES_MAX = 300
const PAPERS_MAX = 200

/** Numbers that can be bought, what they cost and want; the provider keeps this above its regions. */
export function numberMarketOf(sdk: TelcoSdk) {
  return {
    /** Countries by their code, with the kinds of numbers that are sold there. */
    async countries() {
      const found = await sdk.askAboveRegions((client) => client.availablePhoneNumbers.list({ limit: COUNTRIES_MAX }))
      return found.map(({ countryCode, subresourceUris }) => ({
        code: countryCode,
        kinds: NUMBER_KINDS.filter((kind) => Object.hasOwn((subresourceUris ?? {}) as object, kind)),
      }))
    },
    search: (query: NumberQuery) => searchNumbers(sdk, query),
    /** What a number of the kind costs each month; undefined where the provider does not say. */
    async fetchPrice({ country, kind }: OfKind) {
      try {
        const { phoneNumberPrices: prices, priceUnit } = await sdk.askAboveRegions((client) =>
          client.pricing.v1.phoneNumbers.countries(country).fetch(),
        )
        const amount = textOf(prices?.find((each) => each.numberType === PRICE_TYPES[kind])?.currentPrice)
        return amount === undefined ? undefined : { amount, currency: priceUnit.toUpperCase() }
      } catch (error) {
        if (error instanceof ProviderRefused && error.kind === 'not-found') return undefined
        throw error
      }
    },
    /** Addresses of the account, by the names that somebody gave them. */
    async addresses() {
      const found = await sdk.askAboveRegions((client) => client.addresses.list({ limit: PAPERS_MAX }))
      return found.map(({ sid, friendlyName, customerName, street, city, isoCountry }) => ({
        sid,
        name: textOf(friendlyName) ?? textOf(customerName) ?? sid,
        place: [street, city].filter(Boolean).join(', '),
        country: isoCountry,
      }))
    },
    /** Papers of the account that are approved for numbers of the kind. */
    async bundles({ country, kind }: OfKind) {
      const query = { isoCountry: country, numberType: REGULATED_TYPES[kind], limit: PAPERS_MAX }
      const found = await sdk.askAboveRegions((client) =>
        client.numbers.v2.regulatoryCompliance.bundles.list({ ...query, status: 'twilio-approved' }),
      )
      return found.map(({ sid, friendlyName }) => ({ sid, name: textOf(friendlyName) ?? sid }))
    },
    /** Names of the papers that the country wants to see before a number of the kind is sold; none where it wants none. */
    async wantedPapers({ country, kind }: OfKind) {
      const query = { isoCountry: country, numberType: REGULATED_TYPES[kind], limit: PAPERS_MAX }
      const found = await sdk.askAboveRegions((client) =>
        client.numbers.v2.regulatoryCompliance.regulations.list(query),
      )
      return [...new Set(found.flatMap(({ requirements }) => paperNames(requirements)))]
    },
    /** Buys a number that leads to us from its first call on. */
    async buy(number: string, of: { config: NumberConfig; addressSid?: string; bundleSid?: string }) {
      const { config, ...papers } = of
      const { voiceApplicationSid: _voice, smsApplicationSid: _texts, ...addresses } = toSdk(config)
      const bought = await sdk.askAboveRegions((client) =>
        client.incomingPhoneNumbers.create({ ...addresses, ...papers, phoneNumber: number }),
      )
      return toNumber(bought)
    },
  }
}

async function searchNumbers(
  sdk: TelcoSdk,
  { country, kind, areaCode, contains, locality, hasVoice, hasTexts }: NumberQuery,
) {
  const query = {
    ...(areaCode === undefined ? {} : { areaCode }),
    ...(contains === undefined ? {} : { contains }),
    ...(locality === undefined ? {} : { inLocality: locality }),
    ...(hasVoice === true ? { voiceEnabled: true } : {}),
    ...(hasTexts === true ? { smsEnabled: true } : {}),
    ...{ limit: NUMBERS_MAX, pageSize: NUMBERS_MAX },
  }
  const found = await sdk.askAboveRegions((client) => {
    const lists = client.availablePhoneNumbers(country) as unknown as OfferLists
    return lists[LISTS[kind]].list(query)
  })
  return found.map(toOffer)
}

/** What every kind of number for sale has. */
interface SdkOffer {
  phoneNumber: string
  locality: string | null
  region: string | null
  addressRequirements: string | null
  beta: boolean | null
  capabilities: { voice?: boolean; sms?: boolean; mms?: boolean } | null
}

/** The lists of the kinds take and give the same, each under types of its own in the SDK. */
type OfferLists = Record<(typeof LISTS)[NumberKind], { list(query: object): Promise<SdkOffer[]> }>

function toOffer({ phoneNumber, locality, region, addressRequirements, beta, capabilities }: SdkOffer) {
  return {
    number: phoneNumber,
    locality: textOf(locality) ?? null,
    region: textOf(region) ?? null,
    voice: capabilities?.voice === true,
    sms: capabilities?.sms === true,
    mms: capabilities?.mms === true,
    // What is not known is asked for: the provider would.
    address: ADDRESS_WANTS.find((each) => each === addressRequirements) ?? 'any',
    isBeta: beta === true,
  }
}

/** Inside of a regulation the SDK converts nothing: who uses the number, and lists of which one document each is wanted. */
function paperNames(requirements: unknown): string[] {
  const { end_user: users, supporting_document: documents } = (requirements ?? {}) as Record<string, unknown>
  const all = [...(Array.isArray(users) ? users : []), ...(Array.isArray(documents) ? documents.flat() : [])]
  return all.flatMap((each: { name?: unknown } | null) => textOf(each?.name) ?? [])
}

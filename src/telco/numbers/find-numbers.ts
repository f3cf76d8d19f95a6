import { type Static, Type } from 'typebox'
import { Refusal } from '../../errors.ts'
import type { OpenEnv } from '../../platform/access/env.ts'
import { GROUP } from '../../platform/access/identity.ts'
import { type OutsideMethod, outsideMethod } from '../../platform/model/model.ts'
import { ProviderRefused } from '../../ports/telco-client.ts'
import { forPerson } from '../../sync/push.ts'
import { ADDRESS_WANTS, NUMBER_KINDS } from '../client/number-market.ts'
import { requireCredentials } from '../sync/readiness.ts'
import { TELCO, type TelcoParts } from '../sync/telco.ts'
import { readArea } from './area-filter.ts'

const AREA_CHARS_MAX = 64

export const Country = Type.String({ pattern: '^[A-Z]{2}$', description: 'The code of a country, such as US.' })
export const Kind = Type.Union(NUMBER_KINDS.map((kind) => Type.Literal(kind)))
export const Money = Type.Object({ amount: Type.String(), currency: Type.String() })

const SearchArgs = Type.Object({
  country: Country,
  kind: Kind,
  area: Type.Optional(
    Type.Union([Type.String({ maxLength: AREA_CHARS_MAX }), Type.Null()], {
      description: 'A town, an area code such as 415 or 030, or how the number begins, such as +4930.',
    }),
  ),
  voice: Type.Optional(Type.Boolean({ description: 'Only numbers that take calls.' })),
  sms: Type.Optional(Type.Boolean({ description: 'Only numbers that take texts.' })),
})

const Found = Type.Object({
  monthly: Type.Union([Money, Type.Null()], { description: 'What one costs each month; null where it is not known.' }),
  numbers: Type.Array(
    Type.Object({
      number: Type.String(),
      locality: Type.Union([Type.String(), Type.Null()]),
      region: Type.Union([Type.String(), Type.Null()]),
      voice: Type.Boolean(),
      sms: Type.Boolean(),
      mms: Type.Boolean(),
      address_requirements: Type.Union(ADDRESS_WANTS.map((want) => Type.Literal(want))),
      beta: Type.Boolean(),
    }),
  ),
})

/** Numbers that can be bought, with what they cost each month. Nothing is changed by it. */
export function searchAvailableMethod(parts: TelcoParts): OutsideMethod {
  return outsideMethod({
    label: 'Search for numbers',
    operation: 'read',
    groups: [GROUP.connectAdmin],
    args: SearchArgs,
    reply: Found,
    runOutside: (open, _ids, args) => forPerson(TELCO, () => search(parts, open, args)),
  })
}

async function search({ account }: TelcoParts, open: OpenEnv, args: Static<typeof SearchArgs>) {
  await open(async ({ settings }) => requireCredentials(settings))
  const { country, kind, area, voice, sms } = args
  const query = { country, kind, ...readArea(area, { country, kind }), hasVoice: voice, hasTexts: sms }
  const [found, monthly] = await Promise.all([
    soldThere(() => account.market.search(query)),
    account.market.fetchPrice({ country, kind }),
  ])
  const numbers = found.map(({ address, isBeta, ...number }) => ({
    ...number,
    address_requirements: address,
    beta: isBeta,
  }))
  return { monthly: monthly ?? null, numbers }
}

/** The provider does not know a kind of number that it does not sell in a country. */
export async function soldThere<Result>(ask: () => Promise<Result>): Promise<Result> {
  try {
    return await ask()
  } catch (error) {
    if (!(error instanceof ProviderRefused) || error.kind !== 'not-found') throw error
    throw new Refusal('not-found', 'no-numbers-of-kind', undefined, { cause: error })
  }
}

/** Countries where numbers are sold, with their kinds. */
export function purchaseCountriesMethod(parts: TelcoParts): OutsideMethod {
  return outsideMethod({
    label: 'List countries with numbers',
    operation: 'read',
    groups: [GROUP.connectAdmin],
    reply: Type.Array(Type.Object({ code: Type.String(), kinds: Type.Array(Kind) })),
    runOutside: (open) =>
      forPerson(TELCO, async () => {
        await open(async ({ settings }) => requireCredentials(settings))
        const countries = await parts.account.market.countries()
        return countries.filter(({ kinds }) => kinds.length > 0)
      }),
  })
}

/** What a country wants of who buys a number there, and what the account has of it, by name. */
export function purchasePapersMethod(parts: TelcoParts): OutsideMethod {
  const Named = { sid: Type.String(), name: Type.String() }
  return outsideMethod({
    label: 'List papers for a number',
    operation: 'read',
    groups: [GROUP.connectAdmin],
    args: Type.Object({ country: Country, kind: Kind }),
    reply: Type.Object({
      papers: Type.Array(Type.String(), { description: 'Papers that are to be approved before; none where none are.' }),
      addresses: Type.Array(Type.Object({ ...Named, place: Type.String(), country: Type.String() })),
      bundles: Type.Array(Type.Object(Named), { description: 'Papers of the account that are approved for it.' }),
    }),
    runOutside: (open, _ids, of) =>
      forPerson(TELCO, async () => {
        await open(async ({ settings }) => requireCredentials(settings))
        const { market } = parts.account
        const [papers, addresses] = await Promise.all([market.wantedPapers(of), market.addresses()])
        return { papers, addresses, bundles: papers.length === 0 ? [] : await market.bundles(of) }
      }),
  })
}

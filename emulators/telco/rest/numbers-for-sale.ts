import type { Account } from '../account.ts'

/** Kinds of numbers, by the names that their lists have in the addresses of the API. */
export const KINDS = { Local: 'local', Mobile: 'mobile', TollFree: 'toll_free' } as const
export type NumberKind = (typeof KINDS)[keyof typeof KINDS]
type AddressRequirement = 'none' | 'any' | 'local' | 'foreign'

/** Numbers that begin alike, all of one place. */
interface Area {
  readonly prefix: string
  readonly areaCode?: string
  readonly locality: string | null
  readonly region: string | null
}

interface Offer {
  /** Each month, in dollars. */
  readonly price: string
  readonly wants: AddressRequirement
  /** Papers that are to be approved before a number is sold. */
  readonly papers?: readonly string[]
  readonly hasTexts?: boolean
  readonly areas: readonly Area[]
}

interface Country {
  readonly name: string
  readonly offers: Readonly<Partial<Record<NumberKind, Offer>>>
}

export interface NumberForSale {
  readonly country: string
  readonly kind: NumberKind
  readonly number: string
  readonly offer: Offer
  readonly area: Area
}

const NUMBERS_OF_AREA = 10
const PAPERS = ['Business', 'Proof of address']
const nowhere = (prefix: string): Area => ({ prefix, locality: null, region: null })

/** What is sold here: one country of each kind of rule. Prices are examples. */
export const COUNTRIES: Readonly<Record<string, Country>> = {
  US: {
    name: 'United States',
    offers: {
      local: {
        price: '1.15',
        wants: 'none',
        areas: [
          { prefix: '+141555510', areaCode: '415', locality: 'San Francisco', region: 'CA' },
          { prefix: '+121255510', areaCode: '212', locality: 'New York', region: 'NY' },
        ],
      },
      toll_free: { price: '2.15', wants: 'none', areas: [nowhere('+183355510')] },
    },
  },
  CH: {
    name: 'Switzerland',
    offers: {
      local: {
        price: '1.00',
        wants: 'any',
        hasTexts: false,
        areas: [
          { prefix: '+414355510', locality: 'Zurich', region: null },
          { prefix: '+413155510', locality: 'Bern', region: null },
        ],
      },
      mobile: { price: '8.00', wants: 'local', areas: [nowhere('+417655510')] },
    },
  },
  DE: {
    name: 'Germany',
    offers: {
      local: {
        price: '1.15',
        wants: 'local',
        papers: PAPERS,
        hasTexts: false,
        areas: [{ prefix: '+4930555510', locality: 'Berlin', region: null }],
      },
    },
  },
  EE: {
    name: 'Estonia',
    offers: { mobile: { price: '3.00', wants: 'foreign', areas: [nowhere('+37255510')] } },
  },
}

/** Whatever the account can buy of a kind, without what it has. */
export function numbersForSale(account: Account, country: string, kind: NumberKind): NumberForSale[] | undefined {
  const offer = COUNTRIES[country]?.offers[kind]
  return offer?.areas
    .flatMap((area) =>
      Array.from({ length: NUMBERS_OF_AREA }, (_, at) => ({
        ...{ country, kind, offer, area },
        number: `${area.prefix}${String(at).padStart(2, '0')}`,
      })),
    )
    .filter(({ number }) => account.numbers.findWhere('phone_number', number) === undefined)
}

/** The number, where it is for sale. */
export function findForSale(account: Account, number: string): NumberForSale | undefined {
  return Object.entries(COUNTRIES)
    .flatMap(([country, { offers }]) =>
      (Object.keys(offers) as NumberKind[]).flatMap((kind) => numbersForSale(account, country, kind) ?? []),
    )
    .find((each) => each.number === number)
}

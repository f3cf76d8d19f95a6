import { type HttpReply, type HttpRequest, type HttpRoute, jsonReply } from '../../http-server.ts'
import type { VirtualClock } from '../../virtual-clock.ts'
import type { Account } from '../account.ts'
import { iso8601, rfc2822 } from '../dates.ts'
import { newSid } from '../sids.ts'
import type { WireRecord } from '../store.ts'
import { type RestParts, uriOf } from './classic-resource.ts'
import { COUNTRIES, type NumberForSale, type NumberKind } from './numbers-for-sale.ts'
import { classicPage, productPage } from './pages.ts'
import { badRequest, notFound } from './rest-error.ts'

const REGULATORY = '/v2/RegulatoryCompliance'
const TYPES: Readonly<Record<NumberKind, string>> = { local: 'local', mobile: 'mobile', toll_free: 'toll-free' }
const PRICE_TYPES: Readonly<Record<NumberKind, string>> = { local: 'local', mobile: 'mobile', toll_free: 'toll free' }

export interface KnownAddress {
  readonly name: string
  readonly country: string
}

export interface KnownBundle extends KnownAddress {
  readonly kind: NumberKind
  /** Approved, unless told otherwise. */
  readonly status?: string
}

/** Addresses of the account. They are entered with `addAddress`, as in the provider's console. Paths are below the account. */
export function addressRoutes({ account }: RestParts): HttpRoute[] {
  const isAsked = (record: WireRecord, request: HttpRequest): boolean => {
    const country = request.query.get('IsoCountry')
    return country === null || record.iso_country === country
  }
  return [
    {
      method: 'GET',
      path: '/Addresses.json',
      handle: (request) =>
        classicPage(
          request,
          'addresses',
          account.addresses.list().filter((record) => isAsked(record, request)),
        ),
    },
  ]
}

/** What numbers cost each month, what papers a country wants, and those of the account (product APIs). */
export function numberPaperRoutes({ account }: RestParts): HttpRoute[] {
  return [
    { method: 'GET', path: '/v1/PhoneNumbers/Countries/:country', handle: (request) => prices(request) },
    { method: 'GET', path: `${REGULATORY}/Regulations`, handle: (request) => regulations(request) },
    {
      method: 'GET',
      path: `${REGULATORY}/Bundles`,
      handle: (request) =>
        productPage(
          request,
          'results',
          account.bundles
            .list()
            .filter((record) => isOf(record, request.query))
            .map(({ iso_country: _country, number_type: _type, ...record }) => record),
        ),
    },
  ]
}

function isOf(record: WireRecord, query: URLSearchParams): boolean {
  const asked = {
    status: query.get('Status'),
    iso_country: query.get('IsoCountry'),
    number_type: query.get('NumberType'),
  }
  return Object.entries(asked).every(([field, value]) => value === null || record[field] === value)
}

/** Amounts come as texts (`x-twilio.overrideType` in twilio_pricing_v1.json of 2026-04-14). */
function prices({ params, path, origin }: HttpRequest): HttpReply {
  const code = params.country ?? ''
  const country = COUNTRIES[code]
  if (country === undefined) throw notFound(path)
  return jsonReply(200, {
    country: country.name,
    iso_country: code,
    phone_number_prices: Object.entries(country.offers).map(([kind, { price }]) => ({
      number_type: PRICE_TYPES[kind as NumberKind],
      base_price: price,
      current_price: price,
    })),
    price_unit: 'USD',
    url: `${origin}${path}`,
  })
}

function regulations(request: HttpRequest): HttpReply {
  const { query, origin } = request
  const found = Object.entries(COUNTRIES).flatMap(([code, { name, offers }]) =>
    Object.entries(offers).flatMap(([kind, { papers }]) => {
      const type = TYPES[kind as NumberKind]
      const isAsked = [query.get('IsoCountry') ?? code, query.get('NumberType') ?? type].join() === [code, type].join()
      return papers === undefined || !isAsked ? [] : [regulationOf({ code, name, type, papers, origin })]
    }),
  )
  return productPage(request, 'results', found)
}

function regulationOf(of: { code: string; name: string; type: string; papers: readonly string[]; origin: string }) {
  const [who = '', ...documents] = of.papers
  const sid = `RN${Buffer.from(`${of.code}${of.type}`).toString('hex').padEnd(32, '0')}`
  return {
    sid,
    friendly_name: `${of.name}: ${of.type} - ${who}`,
    iso_country: of.code,
    number_type: of.type,
    end_user_type: 'business',
    requirements: {
      end_user: [{ name: who, type: who.toLowerCase(), requirement_name: `${who.toLowerCase()}_info`, fields: [] }],
      supporting_document: [documents.map((name) => ({ name, type: 'document', accepted_documents: [] }))],
    },
    url: `${of.origin}${REGULATORY}/Regulations/${sid}`,
  }
}

/** Throws what is refused of a number that somebody buys: without the address or the papers that its country wants. */
export function checkPapers(account: Account, sold: NumberForSale, values: Readonly<Record<string, unknown>>): void {
  const { wants, papers } = sold.offer
  const address = account.addresses.find(String(values.address_sid))
  const isInCountry = address?.iso_country === sold.country
  const isRight = address !== undefined && (wants === 'any' || isInCountry === (wants === 'local'))
  // https://www.twilio.com/docs/api/errors/21631
  if (wants !== 'none' && !isRight) throw badRequest(21631, `Phone Number Requires an Address: ${wants}`)
  if (papers === undefined) return
  const bundle = account.bundles.find(String(values.bundle_sid))
  const isFitting = bundle?.iso_country === sold.country && bundle.number_type === TYPES[sold.kind]
  // https://www.twilio.com/en-us/changelog/regulated-number-bundle-provisioning-requirement
  if (!isFitting || bundle.status !== 'twilio-approved')
    throw badRequest(21649, 'Bundle is missing or not twilio-approved')
}

/** Enters an address, as the owner of the account does in the provider's console. */
export function addAddress(account: Account, { name, country }: KnownAddress, clock: VirtualClock): WireRecord {
  const sid = newSid('AD')
  const date = rfc2822(clock.now())
  return account.addresses.add({
    sid,
    account_sid: account.sid,
    city: 'Springfield',
    customer_name: name,
    date_created: date,
    date_updated: date,
    emergency_enabled: false,
    friendly_name: name,
    iso_country: country,
    postal_code: '8000',
    region: 'Main',
    street: '1 Main Street',
    street_secondary: null,
    uri: uriOf(account, `/Addresses/${sid}`),
    validated: true,
    verified: false,
  })
}

/** Has papers approved, as the provider does some days after they were handed in. */
export function addBundle(account: Account, bundle: KnownBundle, clock: VirtualClock): WireRecord {
  const sid = newSid('BU')
  const date = iso8601(clock.now())
  return account.bundles.add({
    sid,
    account_sid: account.sid,
    regulation_sid: newSid('RN'),
    friendly_name: bundle.name,
    status: bundle.status ?? 'twilio-approved',
    valid_until: null,
    email: 'office@example.com',
    status_callback: null,
    date_created: date,
    date_updated: date,
    url: `https://numbers.twilio.com${REGULATORY}/Bundles/${sid}`,
    links: {},
    iso_country: bundle.country,
    number_type: TYPES[bundle.kind],
  })
}

import type { HttpReply, HttpRequest, HttpRoute } from '../../http-server.ts'
import { API_VERSION, type RestParts } from './classic-resource.ts'
import { COUNTRIES, KINDS, type NumberForSale, type NumberKind, numbersForSale } from './numbers-for-sale.ts'
import { classicPage } from './pages.ts'
import { badRequest, notFound } from './rest-error.ts'

const PATH = '/AvailablePhoneNumbers'
/** Countries whose numbers have area codes of three digits: elsewhere the provider does not look at `AreaCode`. */
const WITH_AREA_CODES = ['US', 'CA']
/** Between 2 and 16 digits, letters and signs (`Contains` in twilio_api_v2010.json of 2026-04-14). */
const PATTERN = /^[0-9a-zA-Z*%+$]{2,16}$/

/** Numbers that can be bought: the countries, and the numbers of each kind there. Paths are below the account. */
export function availableNumberRoutes(parts: RestParts): HttpRoute[] {
  return [
    { method: 'GET', path: `${PATH}.json`, handle: (request) => classicPage(request, 'countries', countries(parts)) },
    ...Object.entries(KINDS).map(([name, kind]) => ({
      method: 'GET' as const,
      path: `${PATH}/:country/${name}.json`,
      handle: (request: HttpRequest) => listNumbers(parts, kind, request),
    })),
  ]
}

function countries({ account }: RestParts): unknown[] {
  const base = `/${API_VERSION}/Accounts/${account.sid}${PATH}`
  return Object.entries(COUNTRIES).map(([code, { name, offers }]) => ({
    country_code: code,
    country: name,
    uri: `${base}/${code}.json`,
    beta: false,
    subresource_uris: Object.fromEntries(
      Object.entries(KINDS).flatMap(([path, kind]) =>
        offers[kind] === undefined ? [] : [[kind, `${base}/${code}/${path}.json`]],
      ),
    ),
  }))
}

function listNumbers({ account }: RestParts, kind: NumberKind, request: HttpRequest): HttpReply {
  const country = request.params.country ?? ''
  const all = numbersForSale(account, country, kind)
  if (all === undefined) throw notFound(request.path)
  const fitting = all.filter((each) => fits(each, request.query))
  return classicPage(request, 'available_phone_numbers', fitting.map(recordOf))
}

function fits({ country, number, offer, area }: NumberForSale, query: URLSearchParams): boolean {
  const areaCode = WITH_AREA_CODES.includes(country) ? query.get('AreaCode') : null
  const locality = query.get('InLocality')
  const isText = query.get('SmsEnabled') === 'true' || query.get('MmsEnabled') === 'true'
  const isInArea = areaCode === null || area.areaCode === areaCode
  const isInPlace = locality === null || area.locality?.toLowerCase() === locality.toLowerCase()
  const isFax = query.get('FaxEnabled') === 'true'
  return isInArea && isInPlace && !isFax && (!isText || offer.hasTexts !== false) && contains(number, query)
}

function contains(number: string, query: URLSearchParams): boolean {
  const pattern = query.get('Contains')
  if (pattern === null) return true
  if (!PATTERN.test(pattern)) throw badRequest(20001, `Contains is no pattern: ${pattern}`)
  const inside = pattern.replace(/^\+/, '').replace(/\$$/, '').replaceAll('*', '\\d').replaceAll('%', '\\d*')
  const start = pattern.startsWith('+') ? '^' : ''
  return new RegExp(`${start}${inside}${pattern.endsWith('$') ? '$' : ''}`).test(number.slice(1))
}

function recordOf({ country, number, offer, area }: NumberForSale): unknown {
  const hasTexts = offer.hasTexts !== false
  return {
    friendly_name: number,
    phone_number: number,
    lata: null,
    locality: area.locality,
    rate_center: null,
    latitude: null,
    longitude: null,
    region: area.region,
    postal_code: null,
    iso_country: country,
    address_requirements: offer.wants,
    beta: false,
    capabilities: { voice: true, sms: hasTexts, mms: hasTexts, fax: false },
  }
}

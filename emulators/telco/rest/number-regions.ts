import { type HttpRequest, type HttpRoute, jsonReply } from '../../http-server.ts'
import { iso8601 } from '../dates.ts'
import { newSid } from '../sids.ts'
import type { WireRecord } from '../store.ts'
import { formOf, type RestParts } from './classic-resource.ts'
import { readFields } from './form-fields.ts'
import { badRequest, notFound } from './rest-error.ts'

const REGIONS = ['us1', 'ie1', 'au1']
const PATH = '/v2/PhoneNumbers/:number'

/**
 * In which region calls to a number are handled (routes API, twilio_routes_v2.json of 2026-04-14). The record is made by
 * the first POST; until then a GET answers 404 and calls are handled in us1
 * (https://www.twilio.com/docs/global-infrastructure/inbound-processing-api).
 */
export function numberRegionRoutes({ account, clock }: RestParts): HttpRoute[] {
  const requireOwned = ({ params, path }: HttpRequest): string => {
    const number = params.number ?? ''
    if (account.numbers.findWhere('phone_number', number) === undefined) throw notFound(path)
    return number
  }
  const find = (number: string): WireRecord | undefined => account.numberRegions.findWhere('phone_number', number)
  return [
    {
      method: 'GET',
      path: PATH,
      handle(request) {
        const record = find(requireOwned(request))
        if (record === undefined) throw notFound(request.path)
        return jsonReply(200, record)
      },
    },
    {
      method: 'POST',
      path: PATH,
      handle(request) {
        const number = requireOwned(request)
        const values = readFields(formOf(request), { voice_region: 'text', friendly_name: 'text' })
        const region = values.voice_region
        if (region !== undefined && !REGIONS.includes(String(region))) {
          throw badRequest(20001, `Invalid VoiceRegion ${String(region)}`)
        }
        const now = iso8601(clock.now())
        const record = find(number) ?? account.numberRegions.add(newRecord(request, { number, now, of: account.sid }))
        return jsonReply(200, account.numberRegions.change(record, { ...values, date_updated: now }))
      },
    },
  ]
}

function newRecord(
  { origin, path }: HttpRequest,
  { number, now, of: accountSid }: { number: string; now: string; of: string },
): WireRecord {
  return {
    sid: newSid('QQ'),
    account_sid: accountSid,
    phone_number: number,
    friendly_name: null,
    voice_region: 'us1',
    url: `${origin}${path}`,
    date_created: now,
    date_updated: now,
  }
}

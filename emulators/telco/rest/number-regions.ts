import { type HttpRequest, type HttpRoute, jsonReply } from '../../http-server.ts'
import { iso8601 } from '../dates.ts'
import type { WireRecord } from '../store.ts'
import { formOf, type RestParts } from './classic-resource.ts'
import { readFields } from './form-fields.ts'
import { badRequest, notFound } from './rest-error.ts'

const REGIONS = ['us1', 'ie1', 'au1']
const PATH = '/v2/PhoneNumbers/:number'

/** In which region calls to a number are handled (the routes API). */
export function numberRegionRoutes({ account, clock, problems }: RestParts): HttpRoute[] {
  const find = ({ params, path, origin }: HttpRequest): WireRecord => {
    const wanted = params.number ?? ''
    const number = account.numbers.find(wanted) ?? account.numbers.findWhere('phone_number', wanted)
    if (number === undefined) throw notFound(path)
    const date = iso8601(clock.now())
    return (
      account.numberRegions.find(number.sid) ??
      account.numberRegions.add({
        sid: number.sid,
        account_sid: account.sid,
        phone_number: number.phone_number,
        friendly_name: number.friendly_name,
        voice_region: 'us1',
        url: `${origin}${path}`,
        date_created: date,
        date_updated: date,
      })
    )
  }
  return [
    { method: 'GET', path: PATH, handle: (request) => jsonReply(200, find(request)) },
    {
      method: 'POST',
      path: PATH,
      handle(request) {
        const record = find(request)
        const values = readFields(formOf(request), { voice_region: 'text', friendly_name: 'text' }, problems)
        const region = values.voice_region
        if (region !== undefined && !REGIONS.includes(String(region))) {
          throw badRequest(20001, `Invalid VoiceRegion ${String(region)}`)
        }
        return jsonReply(200, account.numberRegions.change(record, { ...values, date_updated: iso8601(clock.now()) }))
      },
    },
  ]
}

import type { Carrier } from '../carrier/carrier.ts'
import type { Leg } from '../carrier/leg.ts'
import { rfc2822 } from '../dates.ts'
import { API_VERSION, uriOf } from './classic-resource.ts'

/** The resource knows no `initiated`; it calls that `queued` still. */
function resourceStatus(leg: Leg): string {
  return leg.status === 'initiated' ? 'queued' : leg.status
}

/** A leg as the API shows it; what is not known yet is null, never missing. */
export function callRecord({ account, prices }: Carrier, leg: Leg): Record<string, unknown> {
  const date = rfc2822(leg.createdAt)
  return {
    sid: leg.sid,
    account_sid: account.sid,
    annotation: null,
    answered_by: null,
    api_version: API_VERSION,
    caller_name: null,
    date_created: date,
    date_updated: rfc2822(leg.endedAt ?? leg.answeredAt ?? leg.createdAt),
    direction: leg.direction,
    duration: leg.isOver ? String(leg.durationSeconds) : null,
    end_time: leg.endedAt === undefined ? null : rfc2822(leg.endedAt),
    forwarded_from: null,
    from: leg.from,
    from_formatted: leg.from,
    group_sid: null,
    parent_call_sid: leg.parent?.sid ?? null,
    phone_number_sid: account.numbers.findWhere('phone_number', leg.to)?.sid ?? null,
    price: prices.get(leg.sid) ?? null,
    price_unit: 'USD',
    queue_time: '0',
    start_time: leg.direction === 'inbound' || leg.isAnswered ? date : null,
    status: resourceStatus(leg),
    subresource_uris: { recordings: uriOf(account, `/Calls/${leg.sid}/Recordings`) },
    to: leg.to,
    to_formatted: leg.to,
    trunk_sid: null,
    uri: uriOf(account, `/Calls/${leg.sid}`),
  }
}

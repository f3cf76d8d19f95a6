import { type HttpReply, type HttpRequest, type HttpRoute, jsonReply } from '../../http-server.ts'
import type { Carrier } from '../carrier/carrier.ts'
import type { Leg } from '../carrier/leg.ts'
import { callOut } from '../carrier/outgoing.ts'
import { methodOf } from '../carrier/stage.ts'
import { callRecord } from './call-record.ts'
import { formOf } from './classic-resource.ts'
import { isInDateFilter } from './date-filter.ts'
import { isAddress } from './form-fields.ts'
import { readInlineMarkup, readNewCall } from './new-call.ts'
import { classicPage } from './pages.ts'
import { badRequest, notFound } from './rest-error.ts'

const NOT_IN_PROGRESS = 'Call is not in-progress. Cannot redirect.'

/** Calls: made, looked at, and changed while they are going on. */
export function callRoutes(carrier: Carrier): HttpRoute[] {
  const find = (request: HttpRequest): Leg => {
    const leg = carrier.findLeg(request.params.sid ?? '')
    if (leg === undefined) throw notFound(request.path)
    return leg
  }
  return [
    { method: 'GET', path: '/Calls.json', handle: (request) => list(carrier, request) },
    {
      method: 'POST',
      path: '/Calls.json',
      handle: (request) => jsonReply(201, callRecord(carrier, callOut(carrier, readNewCall(carrier, formOf(request))))),
    },
    {
      method: 'GET',
      path: '/Calls/:sid.json',
      handle: (request) => jsonReply(200, callRecord(carrier, find(request))),
    },
    {
      method: 'POST',
      path: '/Calls/:sid.json',
      handle(request) {
        const leg = find(request)
        change(leg, formOf(request))
        return jsonReply(200, callRecord(carrier, leg))
      },
    },
  ]
}

function list(carrier: Carrier, request: HttpRequest): HttpReply {
  const { query } = request
  const isWanted = (name: string, value: unknown): boolean => !query.has(name) || query.get(name) === value
  const records = carrier
    .listLegs()
    .map((leg) => callRecord(carrier, leg))
    .filter(
      (record) =>
        isWanted('To', record.to) &&
        isWanted('From', record.from) &&
        isWanted('ParentCallSid', record.parent_call_sid) &&
        isWanted('Status', record.status) &&
        isInDateFilter(query, 'StartTime', record.start_time) &&
        isInDateFilter(query, 'EndTime', record.end_time),
    )
  return classicPage(request, 'calls', records)
}

function change(leg: Leg, form: URLSearchParams): void {
  const status = form.get('Status')
  if (status !== null) {
    endCall(leg, status)
    return
  }
  const source = readInlineMarkup(form.get('Twiml')) ?? readAddress(form)
  if (source === undefined) throw badRequest(21205, "One of 'Url', 'Twiml' and 'Status' is required")
  if (leg.status !== 'in-progress') throw badRequest(21220, NOT_IN_PROGRESS)
  leg.redirect(source)
}

function readAddress(form: URLSearchParams) {
  const address = form.get('Url')
  if (address === null) return undefined
  if (!isAddress(address)) throw badRequest(21205, `Url is not a valid URL: ${address}`)
  return { kind: 'address', address, method: methodOf(form.get('Method') ?? undefined), fields: {} } as const
}

function endCall(leg: Leg, status: string): void {
  if (!['completed', 'canceled'].includes(status)) throw badRequest(21219, `Status may not be set to ${status}`)
  if (leg.isOver) throw badRequest(21220, 'Call is not in-progress. Cannot end.')
  // Before somebody answers both mean the same; afterwards a call can only be completed.
  if (!leg.isAnswered) leg.end('canceled')
  else if (status === 'completed') leg.end('completed')
}

import { type HttpReply, type HttpRequest, type HttpRoute, jsonReply } from '../../http-server.ts'
import type { Problems } from '../../problems.ts'
import type { VirtualClock } from '../../virtual-clock.ts'
import type { Account } from '../account.ts'
import { rfc2822 } from '../dates.ts'
import { newSid, type SidPrefix } from '../sids.ts'
import type { Store, WireRecord } from '../store.ts'
import { type FieldKinds, parameterName, readFields } from './form-fields.ts'
import { classicPage } from './pages.ts'
import { notFound } from './rest-error.ts'

/** What the resources work with. */
export interface RestParts {
  readonly account: Account
  readonly clock: VirtualClock
  readonly problems: Problems
}

export const API_VERSION = '2010-04-01'

/** A resource of the classic API that behaves as most do: listed, fetched, changed, perhaps created and deleted. */
export interface ClassicResource {
  readonly prefix: SidPrefix
  /** Below the account, `/Applications`; may name other ids, `/SIP/CredentialLists/:list/Credentials`. */
  readonly path: string
  /** The key of the array in a list. */
  readonly key: string
  readonly store: Store
  readonly fields: FieldKinds
  /** Fields by which a list can be narrowed. */
  readonly filters?: readonly string[]
  readonly isCreatable?: boolean
  readonly isDeletable?: boolean
  readonly isChangeable?: boolean
  /** All fields of a new record beside id, dates and address. Throws what the API refuses. */
  complete?(values: Record<string, unknown>, request: HttpRequest): Record<string, unknown>
  /** Throws what the API refuses. */
  check?(values: Record<string, unknown>, record: WireRecord): void
  /** Whether a record belongs below the ids that the path names. */
  isBelow?(record: WireRecord, request: HttpRequest): boolean
  onRemoved?(record: WireRecord): void
}

/** The record's address, as the API gives it. */
export function uriOf(account: Account, path: string): string {
  return `/${API_VERSION}/Accounts/${account.sid}${path}.json`
}

export function formOf(request: HttpRequest): URLSearchParams {
  return new URLSearchParams(request.body.toString('utf8'))
}

/** The routes of such a resource; paths are below the account. */
export function classicRoutes(resource: ClassicResource, parts: RestParts): HttpRoute[] {
  const { path } = resource
  const routes: HttpRoute[] = [
    { method: 'GET', path: `${path}.json`, handle: (request) => list(resource, request) },
    { method: 'GET', path: `${path}/:sid.json`, handle: (request) => jsonReply(200, find(resource, request)) },
  ]
  if (resource.isCreatable) {
    routes.push({ method: 'POST', path: `${path}.json`, handle: (request) => create(resource, parts, request) })
  }
  if (resource.isChangeable !== false) {
    routes.push({ method: 'POST', path: `${path}/:sid.json`, handle: (request) => change(resource, parts, request) })
  }
  if (resource.isDeletable) {
    routes.push({ method: 'DELETE', path: `${path}/:sid.json`, handle: (request) => remove(resource, request) })
  }
  return routes
}

function list(resource: ClassicResource, request: HttpRequest): HttpReply {
  const filters = resource.filters ?? []
  const records = resource.store.list().filter((record) => {
    const isBelow = resource.isBelow?.(record, request) ?? true
    return isBelow && filters.every((field) => matches(record, field, request.query.get(parameterName(field))))
  })
  return classicPage(request, resource.key, records)
}

function matches(record: WireRecord, field: string, wanted: string | null): boolean {
  return wanted === null || record[field] === wanted
}

/** The record that the path names, or a 404. */
export function find(resource: ClassicResource, request: HttpRequest): WireRecord {
  const record = resource.store.find(request.params.sid ?? '')
  if (record === undefined || resource.isBelow?.(record, request) === false) throw notFound(request.path)
  return record
}

function create(resource: ClassicResource, parts: RestParts, request: HttpRequest): HttpReply {
  const values = readFields(formOf(request), resource.fields)
  return jsonReply(201, addRecord(resource, parts, { values, request }))
}

/** Adds a record with every field that the API has, dates included: a missing date would become "now" in the SDK. */
export function addRecord(
  resource: ClassicResource,
  { account, clock }: RestParts,
  { values, request }: { values: Record<string, unknown>; request: HttpRequest },
): WireRecord {
  const sid = newSid(resource.prefix)
  const now = rfc2822(clock.now())
  const completed = resource.complete?.(values, request) ?? values
  const path = Object.entries(request.params).reduce(
    (filled, [name, value]) => filled.replace(`:${name}`, value),
    resource.path,
  )
  return resource.store.add({
    account_sid: account.sid,
    api_version: API_VERSION,
    date_created: now,
    date_updated: now,
    uri: uriOf(account, `${path}/${sid}`),
    ...completed,
    sid,
  })
}

function change(resource: ClassicResource, { clock }: RestParts, request: HttpRequest): HttpReply {
  const record = find(resource, request)
  const values = readFields(formOf(request), resource.fields)
  resource.check?.(values, record)
  return jsonReply(200, resource.store.change(record, { ...values, date_updated: rfc2822(clock.now()) }))
}

function remove(resource: ClassicResource, request: HttpRequest): HttpReply {
  const record = find(resource, request)
  resource.store.remove(record.sid)
  resource.onRemoved?.(record)
  return { status: 204 }
}

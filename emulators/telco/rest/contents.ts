import { type HttpRequest, type HttpRoute, jsonReply } from '../../http-server.ts'
import { iso8601 } from '../dates.ts'
import { newSid } from '../sids.ts'
import type { WireRecord } from '../store.ts'
import type { RestParts } from './classic-resource.ts'
import { readJson } from './json-body.ts'
import { productPage } from './pages.ts'
import { badRequest, notFound } from './rest-error.ts'

const CATEGORIES = ['UTILITY', 'MARKETING', 'AUTHENTICATION']
const TYPES = [
  ...['text', 'media', 'location', 'list-picker', 'call-to-action', 'quick-reply', 'card', 'carousel', 'catalog'].map(
    (type) => `twilio/${type}`,
  ),
  ...['twilio/flows', 'twilio/schedule', 'twilio/pay', 'whatsapp/card', 'whatsapp/authentication', 'whatsapp/flows'],
]
const REQUIRED = { 'twilio/media': 'media', 'twilio/card': 'title', 'whatsapp/card': 'body' }
/** How long a review takes. */
const REVIEW_SECONDS = 60

/** Content templates and their approval by WhatsApp (JSON). */
export function contentRoutes(parts: RestParts): HttpRoute[] {
  const { account } = parts
  const find = ({ params, path }: HttpRequest): WireRecord => {
    const record = account.contents.find(params.sid ?? '')
    if (record === undefined) throw notFound(path)
    return record
  }
  return [
    {
      method: 'GET',
      path: '/v1/Content',
      handle: (request) => productPage(request, 'contents', account.contents.list().map(withoutApproval)),
    },
    {
      method: 'GET',
      path: '/v1/ContentAndApprovals',
      handle: (request) => productPage(request, 'contents', account.contents.list().map(withApproval)),
    },
    {
      method: 'POST',
      path: '/v1/Content',
      handle: (request) => jsonReply(201, withoutApproval(create(parts, request))),
    },
    { method: 'GET', path: '/v1/Content/:sid', handle: (request) => jsonReply(200, withoutApproval(find(request))) },
    {
      method: 'DELETE',
      path: '/v1/Content/:sid',
      handle(request) {
        account.contents.remove(find(request).sid)
        return { status: 204 }
      },
    },
    {
      method: 'GET',
      path: '/v1/Content/:sid/ApprovalRequests',
      handle(request) {
        const { sid, approval } = find(request)
        const url = `${request.origin}${request.path}`
        return jsonReply(200, { sid, account_sid: account.sid, whatsapp: approval ?? UNSUBMITTED, url })
      },
    },
    {
      method: 'POST',
      path: '/v1/Content/:sid/ApprovalRequests/whatsapp',
      handle: (request) => jsonReply(201, submit(parts, find(request), request)),
    },
  ]
}

const UNSUBMITTED = { status: 'unsubmitted', name: null, category: null, rejection_reason: '', type: 'whatsapp' }

function create({ account, clock }: RestParts, request: HttpRequest): WireRecord {
  const { friendly_name: name, language, variables, types } = readJson(request)
  if (typeof language !== 'string' || language === '') throw badRequest(20001, 'language is required')
  const kinds = Object.keys((types ?? {}) as object)
  if (kinds.length === 0) throw badRequest(20001, 'types is required')
  const unknown = kinds.filter((kind) => !TYPES.includes(kind))
  if (unknown.length > 0) throw badRequest(20001, `there are no types ${unknown.join(', ')}`)
  checkTypes(types as Record<string, unknown>)
  const sid = newSid('HX')
  const date = iso8601(clock.now())
  const url = `${request.origin}/v1/Content/${sid}`
  return account.contents.add({
    sid,
    account_sid: account.sid,
    date_created: date,
    date_updated: date,
    friendly_name: name ?? '',
    language,
    variables: variables ?? {},
    types,
    url,
    links: { approval_create: `${url}/ApprovalRequests/whatsapp`, approval_fetch: `${url}/ApprovalRequests` },
  })
}

/** What each kind must hold (Content API v1 description, `twilioMedia`, `whatsappCard`; "title" of a card stands in its words). */
function checkTypes(types: Record<string, unknown>): void {
  for (const [kind, required] of Object.entries(REQUIRED)) {
    const held = types[kind] as Record<string, unknown> | undefined
    if (held === undefined) continue
    if (!held[required]) throw badRequest(20001, `${kind}: ${required} is required`)
    const { media = [] } = held
    const isRight = Array.isArray(media) && media.every((each) => typeof each === 'string')
    if (!isRight) throw badRequest(20001, `${kind}: media must be a list of texts`)
  }
}

/** A template is under review for a while and approved then, unless its name asks for a refusal. */
function submit({ account, clock }: RestParts, record: WireRecord, request: HttpRequest): unknown {
  const { name, category } = readJson(request)
  if (typeof name !== 'string' || !/^[a-z0-9_]{1,512}$/.test(name)) {
    throw badRequest(20001, 'name may only have lower case letters, digits and underscores')
  }
  if (!CATEGORIES.includes(String(category))) throw badRequest(20001, `Invalid category ${String(category)}`)
  const approval = {
    name,
    category,
    content_type: Object.keys(record.types as object)[0],
    status: 'received',
    rejection_reason: '',
    allow_category_change: true,
    send_ttl_seconds: null,
    type: 'whatsapp',
  }
  account.contents.change(record, { approval })
  void clock.sleep(REVIEW_SECONDS).then(() => {
    const current = account.contents.find(record.sid)
    if (current === undefined) return
    const isRefused = name.includes('rejected')
    const outcome = isRefused ? { status: 'rejected', rejection_reason: 'INVALID_FORMAT' } : { status: 'approved' }
    account.contents.change(current, { approval: { ...approval, ...outcome }, date_updated: iso8601(clock.now()) })
  })
  return approval
}

function withoutApproval(record: WireRecord): WireRecord {
  const { approval: _approval, ...rest } = record
  return rest as WireRecord
}

function withApproval(record: WireRecord): unknown {
  return { ...withoutApproval(record), approval_requests: record.approval ?? UNSUBMITTED }
}

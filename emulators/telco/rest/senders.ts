import { type HttpReply, type HttpRequest, type HttpRoute, jsonReply } from '../../http-server.ts'
import type { Account } from '../account.ts'
import { CHANNELS } from '../carrier/message-record.ts'
import { newSid } from '../sids.ts'
import type { WireRecord } from '../store.ts'
import type { RestParts } from './classic-resource.ts'
import { isAddress } from './form-fields.ts'
import { readJson } from './json-body.ts'
import { productPage } from './pages.ts'
import { badRequest, notFound } from './rest-error.ts'

const PATH = '/v2/Channels/Senders'

/** Senders of WhatsApp and RCS (JSON, version 2 of the messaging API). */
export function senderRoutes({ account }: RestParts): HttpRoute[] {
  const find = ({ params, path }: HttpRequest): WireRecord => {
    const record = account.senders.find(params.sid ?? '')
    if (record === undefined) throw notFound(path)
    return record
  }
  const read = (request: HttpRequest): Record<string, unknown> => {
    const body = readJson(request)
    checkAddresses(body)
    return body
  }
  return [
    { method: 'GET', path: PATH, handle: (request) => list(account, request) },
    {
      method: 'POST',
      path: PATH,
      handle(request) {
        const { sender_id: id, ...values } = read(request)
        if (typeof id !== 'string' || !/^(?:whatsapp:\+\d+|rcs:\w+)$/.test(id))
          throw badRequest(63100, `Invalid sender_id ${String(id)}`)
        if (account.senders.findWhere('sender_id', id) !== undefined)
          throw badRequest(63100, 'The sender already exists')
        return jsonReply(
          202,
          addSender(account, { origin: request.origin, senderId: id, status: 'CREATING', ...values }),
        )
      },
    },
    { method: 'GET', path: `${PATH}/:sid`, handle: (request) => jsonReply(200, find(request)) },
    {
      method: 'POST',
      path: `${PATH}/:sid`,
      handle(request) {
        const record = find(request)
        const changes = read(request)
        if (record.status === 'CREATING') throw badRequest(63104, 'The sender is being created')
        return jsonReply(202, account.senders.change(record, merged(record, changes)))
      },
    },
    {
      method: 'DELETE',
      path: `${PATH}/:sid`,
      handle(request) {
        account.senders.remove(find(request).sid)
        return { status: 204 }
      },
    },
  ]
}

function list(account: Account, request: HttpRequest): HttpReply {
  const channel = request.query.get('Channel')
  if (!CHANNELS.some((each) => each === channel)) {
    throw badRequest(20001, `The Channel must be one of ${CHANNELS.join(', ')}, not ${String(channel)}`)
  }
  const ofChannel = account.senders.list().filter((each) => String(each.sender_id).startsWith(`${channel}:`))
  return productPage(request, 'senders', ofChannel)
}

function checkAddresses({ webhook }: Record<string, unknown>): void {
  for (const [name, value] of Object.entries((webhook ?? {}) as Record<string, unknown>)) {
    if (!name.endsWith('_url') || value === '' || value === null) continue
    if (typeof value !== 'string' || !isAddress(value)) throw badRequest(63100, `${name} is not a valid URL`)
  }
}

/** Objects are merged, everything else is replaced. */
function merged(record: WireRecord, changes: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(changes).map(([name, value]) => {
      const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
      return [name, isObject ? { ...(record[name] as object | null), ...value } : value]
    }),
  )
}

/** Parts and words of `messaging.v2.channels_sender.profile_generic_response` (Messaging API v2 description). */
const PROFILE = {
  name: 'Acme',
  about: 'We mend heaters.',
  address: '1 Main Street, San Francisco',
  description: null,
  logo_url: 'https://example.com/logo.png',
  banner_url: null,
  privacy_url: 'https://example.com/privacy',
  terms_of_service_url: null,
  accent_color: '#0a7d33',
  vertical: 'Professional Services',
  websites: [{ website: 'https://example.com', label: 'Website' }],
  emails: [{ email: 'office@example.com', label: 'Email' }],
  phone_numbers: [{ phone_number: '+14155550100', label: 'Phone' }],
}

/** Adds a sender, as the provider's console does: it is online unless told otherwise. */
export function addSender(
  account: Account,
  options: {
    senderId: string
    origin?: string
    status?: string
    configuration?: unknown
    webhook?: unknown
    profile?: unknown
  },
): WireRecord {
  const sid = newSid('XE')
  const { senderId, origin = 'https://messaging.twilio.com', status = 'ONLINE' } = options
  return account.senders.add({
    sid,
    sender_id: senderId,
    friendly_name: null,
    status,
    configuration: options.configuration ?? { waba_id: '1234567890', voice_application_sid: null },
    webhook: options.webhook ?? {
      callback_url: null,
      callback_method: 'POST',
      fallback_url: null,
      fallback_method: null,
      status_callback_url: null,
      status_callback_method: 'POST',
    },
    profile: options.profile ?? PROFILE,
    pending_display_name: null,
    pending_display_name_status: null,
    pending_display_name_status_date: null,
    display_name_status: null,
    properties: { quality_rating: 'HIGH', messaging_limit: '1K Customers/24hr' },
    offline_reasons: null,
    compliance: null,
    url: `${origin}${PATH}/${sid}`,
  })
}

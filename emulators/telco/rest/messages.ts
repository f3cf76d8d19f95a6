import { type HttpReply, type HttpRequest, type HttpRoute, jsonReply } from '../../http-server.ts'
import type { Carrier } from '../carrier/carrier.ts'
import { CHANNELS, messageRecord } from '../carrier/message-record.ts'
import type { Texting } from '../carrier/texting.ts'
import { newSid } from '../sids.ts'
import type { WireRecord } from '../store.ts'
import { formOf } from './classic-resource.ts'
import { isInDateFilter } from './date-filter.ts'
import { isAddress } from './form-fields.ts'
import { classicPage } from './pages.ts'
import { badRequest, notFound } from './rest-error.ts'

const BODY_CHARS_MAX = 1_600
const MEDIA_MAX = 10

/** Messages: sent, looked at, and their media. */
export function messageRoutes(carrier: Carrier, texting: Texting): HttpRoute[] {
  const { account } = carrier
  return [
    { method: 'GET', path: '/Messages.json', handle: (request) => list(carrier, request) },
    { method: 'POST', path: '/Messages.json', handle: (request) => send(carrier, texting, formOf(request)) },
    { method: 'GET', path: '/Messages/:sid.json', handle: (request) => jsonReply(200, find(carrier, request)) },
    {
      method: 'GET',
      path: '/Messages/:sid/Media.json',
      handle(request) {
        const message = find(carrier, request)
        const media = account.media.list().filter((each) => each.parent_sid === message.sid)
        return classicPage(request, 'media_list', media.map(withoutContent))
      },
    },
    {
      method: 'GET',
      path: '/Messages/:sid/Media/:media',
      handle(request) {
        const media = account.media.find(request.params.media ?? '')
        if (media === undefined || media.parent_sid !== request.params.sid) throw notFound(request.path)
        return {
          status: 200,
          headers: { 'content-type': String(media.content_type) },
          body: media.content as Buffer,
        }
      },
    },
  ]
}

function list(carrier: Carrier, request: HttpRequest): HttpReply {
  const { query } = request
  const records = carrier.account.messages
    .list()
    .filter((record) => !query.has('To') || record.to === query.get('To'))
    .filter((record) => !query.has('From') || record.from === query.get('From'))
    .filter((record) => isInDateFilter(query, 'DateSent', record.date_sent))
  return classicPage(request, 'messages', records.map(withoutContentSid))
}

function find({ account }: Carrier, { params, path }: HttpRequest): WireRecord {
  const record = account.messages.find(params.sid ?? '')
  if (record === undefined) throw notFound(path)
  return withoutContentSid(record)
}

function send(carrier: Carrier, texting: Texting, form: URLSearchParams): HttpReply {
  const to = (form.get('To') ?? '').trim()
  const from = (form.get('From') ?? '').trim()
  checkParties(carrier, { to, from })
  if (texting.hasOptedOut({ to, from })) throw badRequest(21610, 'Attempt to send to unsubscribed recipient')
  const body = readBody(carrier, form)
  const callback = form.get('StatusCallback') ?? senderCallback(carrier, from)
  if (callback !== undefined && !isAddress(callback))
    throw badRequest(21609, `The StatusCallback ${callback} is not valid`)
  const media = form.getAll('MediaUrl')
  if (media.length > MEDIA_MAX) throw badRequest(21623, 'Number of media files exceeds allowed limit')
  const sid = newSid(media.length > 0 ? 'MM' : 'SM')
  const contentSid = form.get('ContentSid')
  const record = carrier.account.messages.add({
    ...messageRecord(carrier, { sid, from, to, body, status: 'queued', mediaCount: media.length }),
    ...(contentSid === null ? {} : { content_sid: contentSid }),
  })
  void texting.send(record, callback)
  return jsonReply(201, withoutContentSid(record))
}

/** A number, one on WhatsApp or RCS, or the id of a WhatsApp user who shows none. */
const ADDRESSEE = /^(?:(?:whatsapp:|rcs:)?\+\d{5,15}|whatsapp:[A-Z]{2}\.(?:ENT\.)?[A-Za-z\d]{1,128})$/

function checkParties({ account }: Carrier, { to, from }: { to: string; from: string }): void {
  if (to === '') throw badRequest(21604, "A 'To' phone number is required.")
  if (from === '') throw badRequest(21603, "A 'From' phone number is required.")
  if (!ADDRESSEE.test(to)) throw badRequest(21211, `Invalid 'To' Phone Number: ${to}`)
  const [channel, ofSender] = [to, from].map((each) => CHANNELS.find((way) => each.startsWith(`${way}:`)))
  const isOnline = account.senders.findWhere('sender_id', from)?.status === 'ONLINE'
  if (channel !== ofSender || (channel !== undefined && !isOnline)) {
    throw badRequest(63007, 'Twilio could not find a Channel with the specified From address')
  }
  if (channel !== undefined) return
  if (account.numbers.findWhere('phone_number', from) !== undefined) return
  throw badRequest(
    21606,
    `The 'From' phone number provided (${from}) is not a valid message-capable Twilio phone number.`,
  )
}

/** The text of a message: its own, or that of a template with its variables filled in. */
function readBody({ account }: Carrier, form: URLSearchParams): string {
  const contentSid = form.get('ContentSid')
  const body = form.get('Body') ?? ''
  if (contentSid !== null) {
    const content = account.contents.find(contentSid)
    if (content === undefined) throw badRequest(21655, `The ContentSid ${contentSid} is invalid`)
    return fillContent(content, readVariables(form.get('ContentVariables')))
  }
  if (body === '' && !form.has('MediaUrl')) throw badRequest(21602, 'Message body is required.')
  if (body.length > BODY_CHARS_MAX) {
    throw badRequest(21617, 'The concatenated message body exceeds the 1600 character limit')
  }
  return body
}

function readVariables(text: string | null): Record<string, string> {
  if (text === null || text === '') return {}
  try {
    const read: unknown = JSON.parse(text)
    if (typeof read === 'object' && read !== null && !Array.isArray(read)) return read as Record<string, string>
  } catch {
    // Refused below.
  }
  throw badRequest(21656, 'The ContentVariables parameter is invalid.')
}

function fillContent(content: WireRecord, variables: Record<string, string>): string {
  const types = Object.values((content.types ?? {}) as Record<string, { body?: string }>)
  const body = types.find((type) => typeof type.body === 'string')?.body ?? ''
  const all: Record<string, string> = { ...(content.variables as Record<string, string>), ...variables }
  return body.replaceAll(/\{\{\s*(\w+)\s*\}\}/g, (placeholder, name: string) => all[name] ?? placeholder)
}

/** A WhatsApp sender has an address of its own for reports. */
function senderCallback({ account }: Carrier, from: string): string | undefined {
  const sender = account.senders.findWhere('sender_id', from)
  return (sender?.webhook as { status_callback_url?: string } | undefined)?.status_callback_url || undefined
}

/** What the API does not tell of a message. */
function withoutContentSid(record: WireRecord): WireRecord {
  const { content_sid: _contentSid, ...rest } = record
  return rest as WireRecord
}

function withoutContent({ content: _content, ...rest }: WireRecord): Record<string, unknown> {
  return rest
}

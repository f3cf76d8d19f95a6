import type { Outcome } from '../../service-link.ts'
import type { Account } from '../account.ts'
import { rfc2822 } from '../dates.ts'
import { API_VERSION, uriOf } from '../rest/classic-resource.ts'
import { newSid } from '../sids.ts'
import { textOf, type WireRecord } from '../store.ts'
import type { Carrier } from './carrier.ts'
import { readMarkup } from './document.ts'
import type { Fields } from './fields.ts'
import { channelOf, messageRecord } from './message-record.ts'

/** A message that somebody sends to a number, WhatsApp sender or RCS agent of the account. */
export interface IncomingText {
  readonly from: string
  readonly to: string
  readonly body: string
  readonly media?: readonly { readonly contentType: string; readonly content: Buffer }[]
  readonly profileName?: string
  /** Who they are on WhatsApp, such as `US.1A2b3C`; `from` may be `whatsapp:` and this id where they show no number. */
  readonly userId?: string
  /** A place that is shared over WhatsApp; coordinates in decimal degrees. Such a message has no text. */
  readonly location?: {
    readonly latitude: number
    readonly longitude: number
    readonly label?: string
    readonly address?: string
  }
  /** The quick reply, or the row of a list, that is tapped; `body` is what it says. */
  readonly tapped?: { readonly kind: 'button' | 'list'; readonly id: string }
  /** The message of ours that is answered to. */
  readonly repliesTo?: string
  /** Any other field, such as `ButtonText`. */
  readonly extras?: Fields
}

/** Hands a text to the service and carries out what it answers; gives the id of the message. */
export async function receiveText(carrier: Carrier, text: IncomingText): Promise<string> {
  const address = textAddressOf(carrier.account, text.to)
  if (address === undefined) throw new Error(`texts to ${text.to} go nowhere`)
  const record = addRecord(carrier, text)
  const fields = incomingFields(carrier, text, record)
  const outcome = await carrier.webhooks.ask({ family: record.sid, method: 'POST', address, fields })
  const complaint = readReply(carrier, address, outcome)
  if (complaint !== undefined) carrier.problems.add({ where: 'telco', ...complaint })
  return record.sid
}

/** Where texts to an address are handed over: its sender, its number, or the application of that. */
export function textAddressOf(account: Account, to: string): string | undefined {
  if (/^(?:whatsapp|rcs):/.test(to)) {
    const sender = account.senders.findWhere('sender_id', to)
    return (sender?.webhook as { callback_url?: string } | undefined)?.callback_url || undefined
  }
  const number = account.numbers.findWhere('phone_number', to)
  if (number === undefined) return undefined
  const application = account.applications.find(textOf(number, 'sms_application_sid') ?? '')
  return textOf(application ?? number, 'sms_url')
}

function addRecord(carrier: Carrier, { from, to, body, media = [] }: IncomingText): WireRecord {
  const { account, clock } = carrier
  const sid = newSid(media.length > 0 ? 'MM' : 'SM')
  for (const { contentType, content } of media) {
    const mediaSid = newSid('ME')
    const date = rfc2822(clock.now())
    account.media.add({
      sid: mediaSid,
      account_sid: account.sid,
      parent_sid: sid,
      content_type: contentType,
      date_created: date,
      date_updated: date,
      uri: uriOf(account, `/Messages/${sid}/Media/${mediaSid}`),
      content,
    })
  }
  const message = { sid, from, to, body, status: 'received', mediaCount: media.length } as const
  return account.messages.add(messageRecord(carrier, message))
}

function incomingFields({ account, recorder }: Carrier, text: IncomingText, record: WireRecord): Fields {
  const media = account.media
    .list()
    .filter((each) => each.parent_sid === record.sid)
    .reverse()
  const mediaFields = media.flatMap((each, index) => [
    [`MediaUrl${index}`, recorder.origin + String(each.uri).replace(/\.json$/, '')],
    [`MediaContentType${index}`, String(each.content_type)],
  ])
  const reply: Fields =
    text.repliesTo === undefined
      ? {}
      : { OriginalRepliedMessageSid: text.repliesTo, OriginalRepliedMessageSender: text.to }
  return {
    AccountSid: account.sid,
    ApiVersion: API_VERSION,
    Body: text.body,
    From: text.from,
    To: text.to,
    MessageSid: record.sid,
    NumMedia: String(media.length),
    NumSegments: String(record.num_segments),
    SmsMessageSid: record.sid,
    SmsSid: record.sid,
    SmsStatus: 'received',
    ...Object.fromEntries(mediaFields),
    ...fieldsOfWay(text, record),
    ...reply,
    ...text.extras,
  }
}

function fieldsOfWay(text: IncomingText, record: WireRecord): Fields {
  switch (channelOf(record)) {
    case 'whatsapp':
      return whatsAppFields(text)
    case 'rcs':
      return { ...tappedFields(text), ChannelMetadata: JSON.stringify({ type: 'rcs' }) }
    default:
      return placeFields()
  }
}

function whatsAppFields(text: IncomingText): Fields {
  const { from, userId, profileName = 'Zoe' } = text
  return {
    ProfileName: profileName,
    WaId: from.replace(/^whatsapp:\+?/, ''),
    // Not on that page, though newer accounts send it.
    ...(userId === undefined ? {} : { ExternalUserId: `whatsapp:${userId}` }),
    MessageType: messageTypeOf(text),
    ...locationFields(text),
    ...tappedFields(text),
    ChannelMetadata: JSON.stringify({ type: 'whatsapp', data: { context: { ProfileName: profileName } } }),
  }
}

function messageTypeOf({ location, tapped, media: [first] = [] }: IncomingText): string {
  if (location !== undefined) return 'location'
  if (tapped !== undefined) return tapped.kind === 'button' ? 'button' : 'interactive'
  return first === undefined ? 'text' : (first.contentType.split('/')[0] ?? 'document')
}

/** https://www.twilio.com/docs/messaging/guides/webhook-request: of a shared place the label and address may be missing. */
function locationFields({ location }: IncomingText): Fields {
  if (location === undefined) return {}
  const { latitude, longitude, label, address } = location
  return {
    Latitude: String(latitude),
    Longitude: String(longitude),
    ...(label === undefined ? {} : { Label: label }),
    ...(address === undefined ? {} : { Address: address }),
  }
}

/** `ButtonText` and `ButtonPayload` are on that page; `ListId` and `ListTitle` are not, though they come. */
function tappedFields({ tapped, body }: IncomingText): Fields {
  if (tapped === undefined) return {}
  if (tapped.kind === 'button') return { ButtonText: body, ButtonPayload: tapped.id }
  return { ListId: tapped.id, ListTitle: body }
}

function placeFields(): Fields {
  const names = ['From', 'To'].flatMap((side) => ['City', 'State', 'Zip', 'Country'].map((part) => side + part))
  return Object.fromEntries(names.map((name) => [name, '']))
}

/** What is wrong with the answer to a text. Plain text would be sent back to the person who wrote. */
function readReply(
  { problems }: Carrier,
  address: string,
  outcome: Outcome,
): { code: number; message: string } | undefined {
  if (outcome.kind === 'failed') return { code: 11200, message: `${address}: ${outcome.message}` }
  const { status, headers, body } = outcome
  if (status < 200 || status >= 300) return { code: 11200, message: `${address} answered HTTP ${status}` }
  const text = body.toString('utf8')
  if (text.trim() === '') return undefined
  if (headers['content-type']?.startsWith('text/plain')) {
    return { code: 12300, message: `"${text}" would be sent to the person who wrote to us` }
  }
  const document = readMarkup(text, { problems, of: address })
  return document.kind === 'failure' ? document : undefined
}

import { rfc2822 } from '../dates.ts'
import { API_VERSION, uriOf } from '../rest/classic-resource.ts'
import type { WireRecord } from '../store.ts'
import type { Carrier } from './carrier.ts'

const SEGMENT_CHARS = 160
/** Channels of senders (Messaging API v2 description, `/v2/Channels/Senders`). */
export const CHANNELS = ['whatsapp', 'rcs'] as const
export type Channel = (typeof CHANNELS)[number]

export interface NewMessageRecord {
  readonly sid: string
  readonly from: string
  readonly to: string
  readonly body: string
  readonly status: 'queued' | 'received'
  readonly mediaCount: number
}

/** A message as the API shows it. */
export function messageRecord({ account, clock }: Carrier, message: NewMessageRecord): WireRecord {
  const { sid, from, to, body, status, mediaCount } = message
  const date = rfc2822(clock.now())
  return {
    sid,
    account_sid: account.sid,
    api_version: API_VERSION,
    body,
    date_created: date,
    date_sent: status === 'received' ? date : null,
    date_updated: date,
    direction: status === 'received' ? 'inbound' : 'outbound-api',
    error_code: null,
    error_message: null,
    from,
    messaging_service_sid: null,
    num_media: String(mediaCount),
    num_segments: String(Math.max(1, Math.ceil(body.length / SEGMENT_CHARS))),
    price: null,
    price_unit: 'USD',
    status,
    subresource_uris: { media: uriOf(account, `/Messages/${sid}/Media`) },
    to,
    uri: uriOf(account, `/Messages/${sid}`),
  }
}

/** The way of a message that is no SMS, as its addresses say it. */
export function channelOf({ from, to }: WireRecord): Channel | undefined {
  return CHANNELS.find((channel) => [from, to].some((address) => String(address).startsWith(`${channel}:`)))
}

export function isWhatsApp(record: WireRecord): boolean {
  return channelOf(record) === 'whatsapp'
}

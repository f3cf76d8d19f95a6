import { escapeHtml } from '../../platform/chatter/text-to-html.ts'
import type { Row } from '../../platform/model/model.ts'
import { audioPlayer } from '../recordings/players.ts'
import { mapUrl } from './message-parts.ts'

/** Kinds of messages, as people and the provider tell them apart. */
export type MessageType = 'sms' | 'mms' | 'WhatsApp'

const WHATSAPP = /^whatsapp:/i
const RCS_NUMBER = /^rcs:(?=\+\d)/i

export function isWhatsApp(address: string): boolean {
  return WHATSAPP.test(address.trim())
}

/** The number of an address, without the prefix that says which way the message goes. */
export function withoutChannel(address: string): string {
  return address.trim().replace(WHATSAPP, '').trim()
}

/** Who wrote: their number, or whatever else the provider names them by, without the prefix of the way. */
export function writerOf(address: string): string {
  return withoutChannel(address).replace(RCS_NUMBER, '')
}

/** What came with a message is passed on by this service; what we sent stands on the web already. */
export function mediaUrls({ id, media, direction }: Row): { url: string; type: string | null }[] {
  const all = Array.isArray(media) ? (media as { url?: unknown; type?: unknown }[]) : []
  return all.map(({ url, type }, at) => ({
    url: direction === 'incoming' ? `/connect/message/${id}/media/${at}` : String(url),
    type: typeof type === 'string' ? type : null,
  }))
}

/** A player, picture or link for the media of a message; only what the web addresses can be shown. */
export function mediaWidget(url: unknown, contentType: unknown): string | null {
  if (typeof url !== 'string' || !/^https?:\/\//i.test(url)) return null
  const source = escapeHtml(url)
  const kind = String(contentType ?? '').split('/', 1)[0]
  if (kind === 'image') return `<img src="${source}" alt="">`
  if (kind === 'audio') return audioPlayer(url)
  if (kind === 'video') return `<video controls preload="none" src="${source}"></video>`
  return `<a href="${source}" rel="noopener noreferrer" target="_blank">Download</a>`
}

/** A link to the map of a shared location. */
export function locationWidget(latitude: unknown, longitude: unknown): string | null {
  if (typeof latitude !== 'number' || typeof longitude !== 'number') return null
  const source = escapeHtml(mapUrl({ latitude, longitude }))
  return `<a href="${source}" rel="noopener noreferrer" target="_blank">Show on a map</a>`
}

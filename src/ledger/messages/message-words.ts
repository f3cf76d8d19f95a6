import { escapeHtml } from '../../platform/chatter/text-to-html.ts'
import type { Row } from '../../platform/model/model.ts'
import { audioPlayer } from '../recordings/players.ts'
import { mapUrl } from './message-parts.ts'

/** Kinds of messages, as people and the provider tell them apart. */
export type MessageType = 'sms' | 'mms' | 'WhatsApp'

const WHATSAPP = /^whatsapp:/i
const RCS = /^rcs:/i
const RCS_NUMBER = /^rcs:(?=\+\d)/i

export function isWhatsApp(address: string): boolean {
  return WHATSAPP.test(address.trim())
}

/** Whether an address is one on RCS: somebody's number there, or an agent of ours such as `rcs:acme_agent`. */
export function isRcs(address: string): boolean {
  return RCS.test(address.trim())
}

/** The number of an address, without the prefix that says which way the message goes. */
export function withoutChannel(address: string): string {
  return address.trim().replace(WHATSAPP, '').trim()
}

/** A short code as people write it, in groups. */
const GROUPED_CODE = /^(?=(?: ?\d){3,8}$)\d+(?: \d+)+$/

/** Who wrote: their number, or whatever else the provider names them by, without the prefix of the way. */
export function messageWriterOf(address: string): string {
  const bare = withoutChannel(address).replace(RCS_NUMBER, '')
  return GROUPED_CODE.test(bare) ? bare.replaceAll(' ', '') : bare
}

/** What came with a message, and what a template showed, is passed on by this service; what else we sent stands on the web already. */
export function mediaUrls({
  id,
  media,
  direction,
  content_sid: template,
}: Row): { url: string; type: string | null }[] {
  const all = Array.isArray(media) ? (media as { url?: unknown; type?: unknown }[]) : []
  return all.map(({ url, type }, at) => ({
    url: direction === 'incoming' || template ? mediaPath(id, at) : String(url),
    type: typeof type === 'string' ? type : null,
  }))
}

/** Where this service gives what came with a message. */
export function mediaPath(id: number | string, at: number): string {
  return `/connect/message/${id}/media/${at}`
}

/** All media of a message as they are shown: what came with it from our own address, what we sent from where it lies. */
export function mediaWidgets(row: Row): string | null {
  const { id, direction, media, media_url: url, media_content_type: type } = row
  const all = Array.isArray(media) && media.length > 0 ? mediaUrls(row) : [{ url, type }]
  const own = direction === 'incoming' && typeof url === 'string' && url !== '' && !Array.isArray(media)
  const shown = own ? [{ url: mediaPath(id, 0), type }] : all
  return shown.map((each) => mediaWidget(each.url, each.type) ?? '').join('') || null
}

const WEB_OR_OWN = /^(?:https?:\/\/|\/connect\/message\/\d)/i

/** A player, picture or link for one of them; only what the web addresses, or we ourselves give, can be shown. */
function mediaWidget(url: unknown, contentType: unknown): string | null {
  if (typeof url !== 'string' || !WEB_OR_OWN.test(url)) return null
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

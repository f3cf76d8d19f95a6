import { cleanText } from '../../lenient-values.ts'
import { asWrittenToday, conversationNumber } from '../../number-plans.ts'
import { channelUserIn } from '../../phone.ts'
import { readCount, readLine, readSid, readWebUrl } from '../legs/provider-form.ts'
import {
  type ChosenOption,
  readableBody,
  readChosenOption,
  readLocation,
  type SharedLocation,
} from './message-parts.ts'
import { isWhatsApp, type MessageType, messageWriterOf, withoutChannel } from './message-words.ts'
import { type OptOut, readOptOut } from './opt-out-words.ts'

/** A text that somebody sent to one of our numbers. */
export interface IncomingMessage {
  sid: string
  accountSid: string | null
  serviceSid: string | null
  /** In the form in which all messages with them are one conversation. */
  from: string
  /** As the provider names them, where that is another form: answers go there. */
  wireAddress: string | null
  /** Who they are on WhatsApp, whether they show their number or not. */
  externalUserId: string | null
  to: string
  type: MessageType
  /** Its text; of a message without one, what was shared or chosen. */
  body: string
  location: SharedLocation | undefined
  chosen: ChosenOption | undefined
  mediaCount: number
  media: readonly { url: string; type: string | null }[]
  origin: { city: string | null; state: string | null; zip: string | null; country: string | null }
  /** The sender wants no more messages, or wants them again. */
  optOut: OptOut | undefined
  /** The message that it answers, where the sender pointed at one. */
  repliedSid: string
}

/** The provider sends at most ten pictures with one message. */
const MEDIA_MAX = 10
/** The provider's longest text has 1,600 characters; WhatsApp's has 4,096. */
const BODY_CHARS_MAX = 20_000
const ADDRESS_CHARS_MAX = 255

/** Reads an incoming message; undefined when it has no id or no parties, so that it cannot be stored. */
export function readIncomingMessage(form: Readonly<Record<string, string>>): IncomingMessage | undefined {
  const sid = readSid(form.MessageSid || form.SmsSid)
  const { from, ...writer } = readWriter(form)
  // In the form in which we send the answer, so that both are one conversation.
  const to = asWrittenToday(withoutChannel(readLine(form.To, ADDRESS_CHARS_MAX) ?? ''))
  if (sid === '' || from === '' || to === '') return undefined
  const mediaCount = countMedia(form)
  const parts = { location: readLocation(form), chosen: readChosenOption(form) }
  return {
    sid,
    accountSid: readLine(form.AccountSid),
    serviceSid: readLine(form.MessagingServiceSid),
    from,
    ...writer,
    to,
    type: isWhatsApp(form.From || form.To || '') ? 'WhatsApp' : smsType(mediaCount),
    body: readableBody(cleanText((form.Body ?? '').slice(0, BODY_CHARS_MAX)), parts),
    ...parts,
    mediaCount,
    media: readMedia(form, mediaCount),
    origin: {
      city: readLine(form.FromCity),
      state: readLine(form.FromState),
      zip: readLine(form.FromZip),
      country: readLine(form.FromCountry),
    },
    optOut: readOptOut(form),
    repliedSid: readSid(anyCase(form, 'OriginalRepliedMessageSid')),
  }
}

/** Who shows no number on WhatsApp is named by the id that they have there, beside the sender or as the sender. */
function readWriter(
  form: Readonly<Record<string, string>>,
): Pick<IncomingMessage, 'from' | 'wireAddress' | 'externalUserId'> {
  const given = withoutChannel(readLine(form.ExternalUserId, ADDRESS_CHARS_MAX) ?? '')
  const written = withoutChannel(readLine(form.From, ADDRESS_CHARS_MAX) ?? '') || given
  const id = given || (channelUserIn(written) ?? '')
  const from = conversationNumber(messageWriterOf(written))
  return { from, wireAddress: written === from ? null : written, externalUserId: id === '' ? null : id }
}

function smsType(mediaCount: number): MessageType {
  return mediaCount > 0 ? 'mms' : 'sms'
}

/** How many files came along: what the form says, else as many as it has addresses for. */
export function countMedia(form: Readonly<Record<string, string>>): number {
  const said = readCount(form.NumMedia)
  if (said !== undefined) return said
  let count = 0
  while (count < MEDIA_MAX && form[`MediaUrl${count}`]) count += 1
  return count
}

/** Media that a browser may open; an address with another scheme is left out. */
function readMedia(form: Readonly<Record<string, string>>, count: number): IncomingMessage['media'] {
  const media: { url: string; type: string | null }[] = []
  for (let at = 0; at < Math.min(count, MEDIA_MAX); at += 1) {
    const url = readWebUrl(form[`MediaUrl${at}`])
    if (url !== null) media.push({ url, type: readLine(form[`MediaContentType${at}`]) })
  }
  return media
}

function anyCase(form: Readonly<Record<string, string>>, name: string): string | undefined {
  const wanted = name.toLowerCase()
  const key = Object.keys(form).find((each) => each.toLowerCase() === wanted)
  return key === undefined ? undefined : form[key]
}

import type { MessagingV2ChannelsSenderRequestsUpdate } from 'twilio/lib/rest/messaging/v2/channelsSender.js'
import { textOf } from './answers.ts'
import type { TelcoSdk } from './sdk.ts'

/** What of a sender is ours to say. */
export interface SenderConfig {
  messageUrl: string
  statusUrl: string
  /** Undefined leaves the application as it is. */
  applicationSid: string | undefined
}

/** Single values of a profile by our names (Senders API v2, `messaging.v2.channels_sender.profile_generic_response`). */
const PROFILE = {
  profile_name: 'name',
  profile_about: 'about',
  profile_vertical: 'vertical',
  profile_address: 'address',
  profile_description: 'description',
  profile_logo_url: 'logoUrl',
  profile_banner_url: 'bannerUrl',
  profile_privacy_url: 'privacyUrl',
  profile_terms_url: 'termsOfServiceUrl',
  profile_accent_color: 'accentColor',
} as const

/** Lists of a profile, and what the entries of each call their value; the SDK hands entries on as they come. */
const PROFILE_LISTS = {
  profile_websites: ['websites', 'website'],
  profile_emails: ['emails', 'email'],
  profile_phone_numbers: ['phoneNumbers', 'phone_number'],
} as const

export type ProviderSender = ReturnType<typeof toSender>

/** The account's WhatsApp senders. */
export function sendersOf(sdk: TelcoSdk) {
  return {
    async list() {
      const found = await sdk.list('WhatsApp senders', (client, limits) =>
        client.messaging.v2.channelsSenders.list({ ...limits, channel: 'whatsapp' }),
      )
      return found.map(toSender)
    },
    update: (sid: string, config: SenderConfig): Promise<unknown> =>
      sdk.ask((client) => client.messaging.v2.channelsSenders(sid).update(toBody(config))),
  }
}

/** The SDK sends bodies as they are, and the API knows snake case only; the SDK's own types say otherwise. */
function toBody({ messageUrl, statusUrl, applicationSid }: SenderConfig): MessagingV2ChannelsSenderRequestsUpdate {
  const body = {
    webhook: {
      callback_url: messageUrl,
      callback_method: 'POST',
      status_callback_url: statusUrl,
      status_callback_method: 'POST',
    },
    ...(applicationSid === undefined ? {} : { configuration: { voice_application_sid: applicationSid } }),
  }
  return body as MessagingV2ChannelsSenderRequestsUpdate
}

/** What of the SDK's senders we read; all of it may be missing. */
interface SdkSender {
  sid: string
  senderId: string
  status: string
  url?: string | null
  offlineReasons?: readonly { code?: string | null; message?: string | null }[] | null
  profile?: unknown
  properties?: { messagingLimit?: string | null; qualityRating?: string | null } | null
  webhook?: { callbackUrl?: string | null; statusCallbackUrl?: string | null } | null
  configuration?: { voiceApplicationSid?: string | null } | null
}

function toSender(sender: SdkSender) {
  const { profile, properties, webhook, configuration } = sender
  const reasons = (sender.offlineReasons ?? []).map(({ code, message }) => [textOf(code), textOf(message)])
  return {
    sid: sender.sid,
    /** E.164. */
    number: sender.senderId.replace(/^whatsapp:/i, ''),
    status: sender.status,
    address: textOf(sender.url),
    offlineReasons: textOf(reasons.map((words) => words.filter(Boolean).join(': ')).join('\n')),
    profile: toProfile(profile),
    messagingLimit: textOf(properties?.messagingLimit),
    qualityRating: textOf(properties?.qualityRating),
    messageUrl: textOf(webhook?.callbackUrl),
    statusUrl: textOf(webhook?.statusCallbackUrl),
    applicationSid: textOf(configuration?.voiceApplicationSid),
  }
}

function toProfile(profile: unknown) {
  const given = (profile ?? {}) as Record<string, unknown>
  const texts = Object.entries(PROFILE).map(([name, key]) => [name, textOf(given[key])])
  const lists = Object.entries(PROFILE_LISTS).map(([name, [list, key]]) => [name, linesOf(given[list], key)])
  return Object.fromEntries([...texts, ...lists]) as Readonly<
    Record<keyof typeof PROFILE | keyof typeof PROFILE_LISTS, string | undefined>
  >
}

/** `label: value`, one entry on a line; entries were plain texts once. */
function linesOf(list: unknown, key: string): string | undefined {
  if (!Array.isArray(list)) return undefined
  const lines = list.map((entry: unknown) => {
    if (typeof entry === 'string') return entry
    const { label, [key]: value } = (entry ?? {}) as Record<string, unknown>
    return [textOf(label), textOf(value)].filter(Boolean).join(': ')
  })
  return textOf(lines.filter((line) => line !== '').join('\n'))
}

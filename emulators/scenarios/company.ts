/** Somebody who works at the company and has telephones. */
export interface Person {
  readonly name: string
  /** Under which the phones sign in: letters and digits. */
  readonly username: string
  readonly phones: readonly ('web' | 'sip')[]
  /** Rings before the phones, and takes calls with 1. */
  readonly mobile?: string
  readonly extension?: string
  /** Voice agents may transfer to the extension. */
  readonly isPublished?: boolean
  readonly voicemail?: string
  /** Hears of calls that were missed. */
  readonly isToldOfMissedCalls?: boolean
}

export interface VoiceAgent {
  readonly name: string
  readonly greeting: string
  /** Its greetings in other languages, by codes such as `de_DE`. */
  readonly greetings?: Readonly<Record<string, string>>
  readonly prompt: string
  /** Tools by their names, as they come with the service. */
  readonly tools: readonly string[]
  readonly extension?: string
  /** How calls reach it: handed over by the platform's own markup, or dialled over SIP. */
  readonly connectsBy?: 'register' | 'sip'
}

/** Somebody's own mobile, which an extension leads to. */
export interface MobileExtension {
  readonly name: string
  readonly mobile: string
  readonly extension: string
  readonly isPublished?: boolean
}

/** A spoken menu. */
export interface Menu {
  readonly name: string
  readonly prompt?: string
  readonly extension?: string
  /** What a digit, or a word, leads to: the name of a person, an agent or another menu that has an extension. */
  readonly choices?: readonly { readonly digits: string; readonly speech?: string; readonly leadsTo: string }[]
  /** People whose phones ring together. */
  readonly rings?: readonly string[]
  /** Extensions of mobiles that ring with them. */
  readonly ringsMobiles?: readonly string[]
  readonly voicemail?: string
  /** Spoken when nobody could be reached. */
  readonly lastWords?: string
  readonly isRecorded?: boolean
}

/** What a company has before a scenario begins. Names are those by which its parts refer to each other. */
export interface Company {
  readonly people?: readonly Person[]
  readonly agents?: readonly VoiceAgent[]
  readonly mobiles?: readonly MobileExtension[]
  readonly menus?: readonly Menu[]
  readonly contacts?: readonly {
    readonly name: string
    readonly phone: string
    readonly email?: string
    readonly lang?: string
  }[]
  /** Numbers of the account, and who answers: a person, a menu or an agent. */
  readonly numbers?: readonly { readonly number: string; readonly leadsTo?: string }[]
  /** Numbers that are WhatsApp senders too. */
  readonly whatsAppNumbers?: readonly string[]
}

/** The SIP domain of every company here. */
export const SUBDOMAIN = 'connect-demo'
export const SIP_DOMAIN = `${SUBDOMAIN}.sip.twilio.com`

/** Where somebody's telephone can be called. */
export function addressOf({ username }: Pick<Person, 'username'>, phone: 'web' | 'sip'): string {
  return phone === 'web' ? `client:${username}@${SIP_DOMAIN}` : `sip:${username}@${SIP_DOMAIN}`
}

import { type Verb, verb } from './verb.ts'

/** Where the provider reports how a dialled leg is getting on. */
export interface StatusReport {
  readonly url: string
  readonly events: readonly ('initiated' | 'answered' | 'completed')[]
}

export interface DialOptions {
  readonly callerId?: string | undefined
  /** Asked for what comes next when the dialled leg has ended; verbs after the dial then never run. */
  readonly action?: string | undefined
  readonly timeoutSeconds?: number | undefined
  readonly timeLimitSeconds?: number | undefined
  /** The caller goes on hearing ringing while the person who was dialled hears a document of their own. */
  readonly answerOnBridge?: boolean | undefined
  /** Of a country, as the provider names it: played in the place of what the dialled network has, which may be silence. */
  readonly ringTone?: string | undefined
  readonly recording?:
    | { readonly mode: 'record-from-answer' | 'record-from-answer-dual'; readonly statusCallback: string }
    | undefined
}

/** The provider rings at most this many devices at once; it refuses a dial of more, so the others stay silent. */
export const DIAL_NOUNS_MAX = 10

/** The provider rings no shorter (docs/reference/providers.md#dial-limits). */
export const RING_SECONDS_MIN = 5

/** Rings one or several devices at once and connects the caller with the first that answers. */
export function dial(options: DialOptions, nouns: readonly Verb[]): Verb {
  const { callerId, action, timeoutSeconds, timeLimitSeconds, answerOnBridge, ringTone, recording } = options
  return verb(
    'Dial',
    {
      timeout: timeoutSeconds,
      callerId: callerId || undefined,
      timeLimit: timeLimitSeconds,
      action,
      answerOnBridge,
      ringTone,
      record: recording?.mode,
      recordingStatusCallback: recording?.statusCallback,
    },
    nouns.slice(0, DIAL_NOUNS_MAX),
  )
}

/** A web phone, by identity `user@domain`. Parameters without a value are left out. */
export function client(options: {
  readonly identity: string
  readonly status?: StatusReport | undefined
  readonly parameters?: Readonly<Record<string, string | number | undefined>>
}): Verb {
  const parameters = Object.entries(options.parameters ?? {}).flatMap(([name, value]) =>
    value === undefined || value === '' ? [] : [verb('Parameter', { name, value })],
  )
  const { status } = options
  const attributes = { statusCallbackEvent: status?.events, statusCallback: status?.url }
  return verb('Client', attributes, [verb('Identity', {}, [options.identity]), ...parameters])
}

/** A SIP telephone or trunk, by its whole `sip:` address. */
export function sip(options: { readonly uri: string; readonly status?: StatusReport | undefined }): Verb {
  return verb('Sip', statusAttributes(options.status), [options.uri])
}

/** A telephone number, E.164. Anyone who answers at it hears the document at `screening` first, which may end their leg. */
export function number(options: {
  readonly number: string
  readonly status?: StatusReport | undefined
  readonly screening?: string | undefined
}): Verb {
  return verb('Number', { url: options.screening, ...statusAttributes(options.status) }, [options.number])
}

/** A number on WhatsApp, E.164; the dial's caller id must then be `whatsapp:` and our sender. */
export function whatsApp(options: { readonly number: string; readonly status?: StatusReport | undefined }): Verb {
  return verb('WhatsApp', statusAttributes(options.status), [options.number])
}

function statusAttributes(status: StatusReport | undefined): Verb['attributes'] {
  return { statusCallback: status?.url, statusCallbackEvent: status?.events }
}

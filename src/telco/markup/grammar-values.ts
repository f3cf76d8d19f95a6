/** What a value of an attribute must look like. */
export type ValueRule =
  | { readonly kind: 'text' | 'url' | 'socket' | 'boolean' | 'hints' }
  | { readonly kind: 'number'; readonly min: number; readonly max: number }
  | { readonly kind: 'word' | 'words'; readonly words: readonly string[] }

export type Attributes = Readonly<Record<string, ValueRule>>

/** What one element may carry and hold (docs/reference/providers.md#markup-verbs). */
export interface ElementRule {
  readonly attributes: Attributes
  readonly required?: readonly string[]
  readonly children?: readonly string[]
  /** Absent: no text. `url`: the text is an address. */
  readonly text?: 'optional' | 'required' | 'url'
}

// Names are written one after the other, as the provider's builder has them (twilio 6.2.0).
export const texts = (names: string): Attributes => all(names, { kind: 'text' })
export const urls = (names: string): Attributes => all(names, { kind: 'url' })
export const methods = (names: string): Attributes => all(names, word('GET POST'))
export const booleans = (names: string): Attributes => all(names, { kind: 'boolean' })
export const numberWithin = (min: number, max: number): ValueRule => ({ kind: 'number', min, max })
export const word = (names: string): ValueRule => ({ kind: 'word', words: splitWords(names) })
export const words = (names: string): ValueRule => ({ kind: 'words', words: splitWords(names) })

export const DAY_SECONDS = 86_400

export const TRIM = word('trim-silence do-not-trim')
export const STREAM_TRACK = word('inbound_track outbound_track both_tracks')
export const RECORDING_MODES =
  'do-not-record record-from-answer record-from-ringing record-from-answer-dual record-from-ringing-dual'
export const FETCHED = { ...urls('url'), ...methods('method') }
export const ACTION = { ...urls('action'), ...methods('method') }
export const STATUS = { ...urls('statusCallback'), ...methods('statusCallbackMethod') }
export const LEG_STATUS = { ...STATUS, statusCallbackEvent: words('initiated ringing answered completed') }
export const RECORDING_STATUS = {
  ...urls('recordingStatusCallback'),
  ...methods('recordingStatusCallbackMethod'),
  recordingStatusCallbackEvent: words('in-progress completed absent'),
}
export const RECORDING_CALLBACK = { ...RECORDING_STATUS, ...texts('recordingConfigurationId') }
export const MACHINE_DETECTION = {
  machineDetection: word('Enable DetectMessageEnd'),
  machineDetectionTimeout: numberWithin(3, 59),
  machineDetectionSpeechThreshold: numberWithin(1000, 6000),
  machineDetectionSpeechEndThreshold: numberWithin(500, 5000),
  machineDetectionSilenceTimeout: numberWithin(2000, 10_000),
  ...urls('amdStatusCallback'),
  ...methods('amdStatusCallbackMethod'),
}

export const TEXT_ONLY: ElementRule = { attributes: {}, text: 'required' }
export const NAME_AND_VALUE: ElementRule = { attributes: texts('name value'), required: ['name'] }
/** Both a verb and what a dial rings. */
export const QUEUE: ElementRule = {
  attributes: { ...FETCHED, ...texts('reservationSid postWorkActivitySid') },
  text: 'required',
}

function all(names: string, rule: ValueRule): Attributes {
  return Object.fromEntries(splitWords(names).map((name) => [name, rule]))
}

export function splitWords(names: string): string[] {
  return names.split(' ')
}

/** What a value of an attribute must look like. */
export type ValueRule =
  | { readonly kind: 'text' | 'url' | 'socket' | 'boolean' | 'hints' }
  | { readonly kind: 'number'; readonly min: number; readonly max: number }
  | { readonly kind: 'word'; readonly words: readonly string[] }
  | { readonly kind: 'words'; readonly words: readonly string[] }

/** What one element may carry and hold (docs/reference/providers.md#markup-verbs). */
export interface ElementRule {
  readonly attributes: Readonly<Record<string, ValueRule>>
  readonly required?: readonly string[]
  readonly children?: readonly string[]
  /** Absent: no text. `url`: the text is an address. */
  readonly text?: 'optional' | 'required' | 'url'
}

export const TEXT: ValueRule = { kind: 'text' }
export const URL: ValueRule = { kind: 'url' }
export const BOOLEAN: ValueRule = { kind: 'boolean' }
export const METHOD: ValueRule = { kind: 'word', words: ['GET', 'POST'] }
export const number = (min: number, max: number): ValueRule => ({ kind: 'number', min, max })
export const word = (...words: string[]): ValueRule => ({ kind: 'word', words })
export const words = (...all: string[]): ValueRule => ({ kind: 'words', words: all })

export const TRIM = word('trim-silence', 'do-not-trim')
export const STREAM_TRACK = word('inbound_track', 'outbound_track', 'both_tracks')

export const ACTION = { action: URL, method: METHOD }
export const STATUS_CALLBACK = {
  statusCallback: URL,
  statusCallbackMethod: METHOD,
  statusCallbackEvent: words('initiated', 'ringing', 'answered', 'completed'),
}
export const RECORDING_CALLBACK = {
  recordingStatusCallback: URL,
  recordingStatusCallbackMethod: METHOD,
  recordingStatusCallbackEvent: words('in-progress', 'completed', 'absent'),
  recordingConfigurationId: TEXT,
}
export const MACHINE_DETECTION = {
  machineDetection: word('Enable', 'DetectMessageEnd'),
  machineDetectionTimeout: number(3, 59),
  machineDetectionSpeechThreshold: number(1000, 6000),
  machineDetectionSpeechEndThreshold: number(500, 5000),
  machineDetectionSilenceTimeout: number(2000, 10_000),
  amdStatusCallback: URL,
  amdStatusCallbackMethod: METHOD,
}

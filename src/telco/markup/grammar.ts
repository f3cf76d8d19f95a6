/** What a value of an attribute must look like. */
export type ValueRule =
  | { readonly kind: 'text' | 'url' | 'socket' | 'boolean' }
  | { readonly kind: 'number'; readonly min: number; readonly max: number }
  | { readonly kind: 'word'; readonly words: readonly string[] }
  | { readonly kind: 'words'; readonly words: readonly string[] }

/** What one element may carry and hold (providers.md C2-C5, and the attributes of the provider's builder). */
export interface ElementRule {
  readonly attributes: Readonly<Record<string, ValueRule>>
  readonly required?: readonly string[]
  readonly children?: readonly string[]
  /** Absent: no text. `url`: the text is an address. */
  readonly text?: 'optional' | 'required' | 'url'
}

const TEXT: ValueRule = { kind: 'text' }
const URL: ValueRule = { kind: 'url' }
const BOOLEAN: ValueRule = { kind: 'boolean' }
const METHOD: ValueRule = { kind: 'word', words: ['GET', 'POST'] }
const number = (min: number, max: number): ValueRule => ({ kind: 'number', min, max })
const word = (...words: string[]): ValueRule => ({ kind: 'word', words })
const words = (...all: string[]): ValueRule => ({ kind: 'words', words: all })

const TRIM = word('trim-silence', 'do-not-trim')
const STREAM_TRACK = word('inbound_track', 'outbound_track', 'both_tracks')

const ACTION = { action: URL, method: METHOD }
const STATUS_CALLBACK = {
  statusCallback: URL,
  statusCallbackMethod: METHOD,
  statusCallbackEvent: words('initiated', 'ringing', 'answered', 'completed'),
}
const RECORDING_CALLBACK = {
  recordingStatusCallback: URL,
  recordingStatusCallbackMethod: METHOD,
  recordingStatusCallbackEvent: words('in-progress', 'completed', 'absent'),
}
const MACHINE_DETECTION = {
  machineDetection: word('Enable', 'DetectMessageEnd'),
  machineDetectionTimeout: number(3, 59),
  machineDetectionSpeechThreshold: number(1000, 6000),
  machineDetectionSpeechEndThreshold: number(500, 5000),
  machineDetectionSilenceTimeout: number(2000, 10_000),
  amdStatusCallback: URL,
  amdStatusCallbackMethod: METHOD,
}

const DAY_SECONDS = 86_400
const SSML = ['break', 'emphasis', 'lang', 'p', 'phoneme', 'prosody', 's', 'say-as', 'sub', 'w']
const STARTED = ['Stream', 'Recording']

const VERBS: Readonly<Record<string, ElementRule>> = {
  Say: {
    attributes: { voice: TEXT, language: TEXT, loop: number(0, 1000) },
    children: SSML,
    text: 'optional',
  },
  Play: { attributes: { loop: number(0, 1000), digits: TEXT }, text: 'url' },
  Pause: { attributes: { length: number(0, DAY_SECONDS) } },
  Gather: {
    attributes: {
      ...ACTION,
      input: word('dtmf', 'speech', 'dtmf speech', 'speech dtmf'),
      timeout: number(0, DAY_SECONDS),
      speechTimeout: TEXT,
      maxSpeechTime: number(1, 60),
      numDigits: number(1, 1000),
      finishOnKey: word('', ...'0123456789*#'),
      hints: TEXT,
      language: TEXT,
      speechModel: TEXT,
      enhanced: BOOLEAN,
      profanityFilter: BOOLEAN,
      actionOnEmptyResult: BOOLEAN,
      partialResultCallback: URL,
      partialResultCallbackMethod: METHOD,
      bargeIn: BOOLEAN,
      debug: BOOLEAN,
    },
    required: ['action'],
    children: ['Say', 'Play', 'Pause'],
  },
  Dial: {
    attributes: {
      ...ACTION,
      ...RECORDING_CALLBACK,
      timeout: number(5, 600),
      timeLimit: number(1, DAY_SECONDS),
      callerId: TEXT,
      answerOnBridge: BOOLEAN,
      record: word(
        'do-not-record',
        'record-from-answer',
        'record-from-ringing',
        'record-from-answer-dual',
        'record-from-ringing-dual',
      ),
      recordingTrack: word('both', 'inbound', 'outbound'),
      trim: TRIM,
      hangupOnStar: BOOLEAN,
      ringTone: TEXT,
      sequential: BOOLEAN,
      referUrl: URL,
      referMethod: METHOD,
    },
    children: ['Number', 'Client', 'Sip', 'WhatsApp', 'Conference', 'Queue'],
    text: 'optional',
  },
  Record: {
    attributes: {
      ...ACTION,
      ...RECORDING_CALLBACK,
      timeout: number(0, DAY_SECONDS),
      finishOnKey: TEXT,
      maxLength: number(2, 14_400),
      playBeep: BOOLEAN,
      trim: TRIM,
      transcribe: BOOLEAN,
      transcribeCallback: URL,
    },
    required: ['action'],
  },
  Redirect: { attributes: { method: METHOD }, text: 'url' },
  Hangup: { attributes: {} },
  Reject: { attributes: { reason: word('rejected', 'busy') } },
  Connect: { attributes: ACTION, children: ['Stream'] },
  Start: { attributes: ACTION, children: STARTED },
  Stop: { attributes: {}, children: ['Stream'] },
  Refer: { attributes: ACTION, children: ['Sip'] },
  Leave: { attributes: {} },
  Enqueue: {
    attributes: { ...ACTION, maxQueueSize: number(1, 5000), waitUrl: URL, waitUrlMethod: METHOD, workflowSid: TEXT },
    text: 'optional',
  },
}

const NOUNS: Readonly<Record<string, ElementRule>> = {
  Number: {
    attributes: { ...STATUS_CALLBACK, ...MACHINE_DETECTION, sendDigits: TEXT, url: URL, method: METHOD, byoc: TEXT },
    text: 'required',
  },
  Client: {
    attributes: { ...STATUS_CALLBACK, url: URL, method: METHOD, clientNotificationUrl: URL },
    children: ['Identity', 'Parameter'],
    text: 'optional',
  },
  Identity: { attributes: {}, text: 'required' },
  Parameter: { attributes: { name: TEXT, value: TEXT }, required: ['name'] },
  Sip: {
    attributes: { ...STATUS_CALLBACK, ...MACHINE_DETECTION, username: TEXT, password: TEXT, url: URL, method: METHOD },
    text: 'required',
  },
  WhatsApp: { attributes: { ...STATUS_CALLBACK, url: URL, method: METHOD }, text: 'required' },
  Conference: {
    attributes: {
      ...RECORDING_CALLBACK,
      muted: BOOLEAN,
      beep: word('true', 'false', 'onEnter', 'onExit'),
      startConferenceOnEnter: BOOLEAN,
      endConferenceOnExit: BOOLEAN,
      participantLabel: TEXT,
      jitterBufferSize: word('large', 'medium', 'small', 'off'),
      maxParticipants: number(2, 250),
      record: word('do-not-record', 'record-from-start'),
      region: TEXT,
      coach: TEXT,
      trim: TRIM,
      waitUrl: URL,
      waitMethod: METHOD,
      statusCallback: URL,
      statusCallbackMethod: METHOD,
      statusCallbackEvent: words(
        ...['start', 'end', 'join', 'leave', 'mute', 'hold', 'modify', 'speaker', 'announcement'],
      ),
    },
    text: 'required',
  },
  Queue: {
    attributes: { url: URL, method: METHOD, reservationSid: TEXT, postWorkActivitySid: TEXT },
    text: 'required',
  },
  Stream: {
    attributes: {
      url: { kind: 'socket' },
      name: TEXT,
      track: STREAM_TRACK,
      statusCallback: URL,
      statusCallbackMethod: METHOD,
      connectorName: TEXT,
    },
    children: ['Parameter'],
  },
  Recording: {
    attributes: {
      ...RECORDING_CALLBACK,
      channels: word('mono', 'dual'),
      track: word('inbound', 'outbound', 'both'),
      trim: TRIM,
    },
  },
}

/** Speech marks inside `Say`; they may stand in one another. */
const SPEECH: Readonly<Record<string, ElementRule>> = {
  break: { attributes: { strength: TEXT, time: TEXT } },
  emphasis: { attributes: { level: word('strong', 'moderate', 'reduced') }, children: SSML, text: 'optional' },
  lang: { attributes: { 'xml:lang': TEXT }, children: SSML, text: 'optional' },
  p: { attributes: {}, children: SSML, text: 'optional' },
  phoneme: { attributes: { alphabet: TEXT, ph: TEXT }, children: SSML, text: 'optional' },
  prosody: { attributes: { pitch: TEXT, rate: TEXT, volume: TEXT }, children: SSML, text: 'optional' },
  s: { attributes: {}, children: SSML, text: 'optional' },
  'say-as': { attributes: { 'interpret-as': TEXT, format: TEXT }, children: SSML, text: 'optional' },
  sub: { attributes: { alias: TEXT }, children: SSML, text: 'optional' },
  w: { attributes: { role: TEXT }, children: SSML, text: 'optional' },
}

/** Every element that a call's markup may have, by name. */
export const ELEMENTS: ReadonlyMap<string, ElementRule> = new Map(
  Object.entries({ Response: { attributes: {}, children: Object.keys(VERBS) }, ...VERBS, ...NOUNS, ...SPEECH }),
)

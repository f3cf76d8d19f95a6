import {
  booleans,
  DAY_SECONDS,
  type ElementRule,
  FETCHED,
  LEG_STATUS,
  MACHINE_DETECTION,
  methods,
  NAME_AND_VALUE,
  numberWithin,
  QUEUE,
  RECORDING_CALLBACK,
  RECORDING_MODES,
  RECORDING_STATUS,
  STATUS,
  STREAM_TRACK,
  TEXT_ONLY,
  TRIM,
  texts,
  urls,
  word,
  words,
} from './grammar-values.ts'

/** Orders and seconds of a task; the rules read at most nine digits. */
const INTEGER_MAX = 999_999_999

/** Whom a verb rings, and what belongs to them. */
export const NOUNS: Readonly<Record<string, ElementRule>> = {
  Number: {
    attributes: { ...LEG_STATUS, ...MACHINE_DETECTION, ...FETCHED, ...texts('sendDigits byoc') },
    text: 'required',
  },
  Client: { attributes: { ...LEG_STATUS, ...FETCHED }, children: ['Identity', 'Parameter'], text: 'optional' },
  Identity: TEXT_ONLY,
  Parameter: NAME_AND_VALUE,
  Sip: {
    attributes: { ...LEG_STATUS, ...MACHINE_DETECTION, ...FETCHED, ...texts('username password') },
    children: ['Uri', 'Headers'],
    text: 'required',
  },
  WhatsApp: { attributes: { ...LEG_STATUS, ...FETCHED }, text: 'required' },
  Conference: {
    attributes: {
      ...RECORDING_CALLBACK,
      ...STATUS,
      statusCallbackEvent: words('start end join leave mute hold modify speaker announcement'),
      beep: word('true false onEnter onExit'),
      jitterBufferSize: word('large medium small off'),
      maxParticipants: numberWithin(2, 250),
      record: word('do-not-record record-from-start'),
      region: word('us1 us2 ie1 sg1 br1 au1 jp1 de1'),
      trim: TRIM,
      ...texts('participantLabel coach'),
      ...booleans('muted startConferenceOnEnter endConferenceOnExit'),
      ...urls('eventCallbackUrl waitUrl'),
      ...methods('waitMethod'),
    },
    text: 'required',
  },
  Queue: QUEUE,
  Stream: {
    attributes: {
      url: { kind: 'socket' },
      track: STREAM_TRACK,
      ...STATUS,
      ...texts('name connectorName audioFormat sampleRate'),
    },
    children: ['Parameter'],
  },
  Recording: {
    attributes: {
      ...RECORDING_CALLBACK,
      channels: word('mono dual'),
      track: word('inbound outbound both'),
      trim: TRIM,
    },
  },
  Application: {
    attributes: { ...LEG_STATUS, ...FETCHED, ...texts('customerId'), ...booleans('copyParentTo') },
    children: ['ApplicationSid', 'Parameter'],
    text: 'optional',
  },
  ApplicationSid: TEXT_ONLY,
  Sim: TEXT_ONLY,
  Uri: { attributes: texts('priority weight username password'), text: 'required' },
  Headers: { attributes: {}, children: ['Header'] },
  Header: NAME_AND_VALUE,
  Task: {
    attributes: { priority: numberWithin(0, INTEGER_MAX), timeout: numberWithin(0, INTEGER_MAX) },
    text: 'required',
  },
}

/** What a call is connected with, or what is started beside it. */
export const CONNECTIONS: Readonly<Record<string, ElementRule>> = {
  ConversationRelay: {
    attributes: {
      url: { kind: 'socket' },
      ...texts('language ttsLanguage ttsProvider voice elevenlabsTextNormalization transcriptionLanguage'),
      ...texts('transcriptionProvider speechModel speechtimeout deepgramsmartformat hints welcomeGreeting'),
      ...texts('welcomeGreetingInterruptible interruptible interruptSensitivity reportInputDuringAgentSpeech'),
      ...texts('ignorebackchannel backgroundnoisereduction intelligenceService events debug'),
      ...booleans('profanityFilter partialPrompts dtmfDetection preemptible'),
    },
    children: ['Language', 'Parameter'],
  },
  Language: {
    attributes: texts('code voice ttsProvider transcriptionProvider speechModel'),
    required: ['code'],
  },
  ConversationRelaySession: { attributes: texts('connector sessionConfiguration') },
  AiSession: { attributes: texts('aiConnector aiSessionConfiguration') },
  VirtualAgent: {
    attributes: { ...STATUS, ...texts('connectorName language'), ...booleans('sentimentAnalysis') },
    children: ['Config', 'Parameter'],
  },
  Autopilot: TEXT_ONLY,
  Room: { attributes: texts('participantIdentity'), text: 'required' },
  Conversation: {
    attributes: {
      ...STATUS,
      ...FETCHED,
      ...RECORDING_STATUS,
      statusCallbackEvent: words('call-initiated call-ringing call-answered call-completed'),
      inboundTimeout: numberWithin(0, DAY_SECONDS),
      routingAssignmentTimeout: numberWithin(0, DAY_SECONDS),
      record: word(`${RECORDING_MODES} true false`),
      trim: TRIM,
      ...texts('serviceInstanceSid'),
      ...booleans('inboundAutocreation'),
    },
  },
  Siprec: { attributes: { ...STATUS, ...texts('name connectorName'), track: STREAM_TRACK }, children: ['Parameter'] },
  Transcription: {
    attributes: {
      ...urls('statusCallbackUrl'),
      ...methods('statusCallbackMethod'),
      track: STREAM_TRACK,
      ...texts('name languageCode inboundTrackLabel outboundTrackLabel transcriptionEngine speechModel hints'),
      ...texts('intelligenceService'),
      ...booleans('partialResults profanityFilter enableAutomaticPunctuation'),
    },
    children: ['Config', 'Parameter'],
  },
  Config: NAME_AND_VALUE,
}

import {
  BOOLEAN,
  type ElementRule,
  MACHINE_DETECTION,
  METHOD,
  number,
  RECORDING_CALLBACK,
  STATUS_CALLBACK,
  STREAM_TRACK,
  TEXT,
  TRIM,
  URL,
  word,
  words,
} from './grammar-values.ts'

/** Orders and seconds of a task; the rules read at most nine digits. */
const INTEGER_MAX = 999_999_999

/** Both a verb and what a dial rings. */
export const QUEUE: ElementRule = {
  attributes: { url: URL, method: METHOD, reservationSid: TEXT, postWorkActivitySid: TEXT },
  text: 'required',
}

/** Whom a verb rings, and what belongs to them. */
export const NOUNS: Readonly<Record<string, ElementRule>> = {
  Number: {
    attributes: { ...STATUS_CALLBACK, ...MACHINE_DETECTION, sendDigits: TEXT, url: URL, method: METHOD, byoc: TEXT },
    text: 'required',
  },
  Client: {
    attributes: { ...STATUS_CALLBACK, url: URL, method: METHOD },
    children: ['Identity', 'Parameter'],
    text: 'optional',
  },
  Identity: { attributes: {}, text: 'required' },
  Parameter: { attributes: { name: TEXT, value: TEXT }, required: ['name'] },
  Sip: {
    attributes: { ...STATUS_CALLBACK, ...MACHINE_DETECTION, username: TEXT, password: TEXT, url: URL, method: METHOD },
    children: ['Uri', 'Headers'],
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
      region: word('us1', 'us2', 'ie1', 'sg1', 'br1', 'au1', 'jp1', 'de1'),
      coach: TEXT,
      eventCallbackUrl: URL,
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
  Queue: QUEUE,
  Stream: {
    attributes: {
      url: { kind: 'socket' },
      name: TEXT,
      track: STREAM_TRACK,
      statusCallback: URL,
      statusCallbackMethod: METHOD,
      connectorName: TEXT,
      audioFormat: TEXT,
      sampleRate: TEXT,
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
  Application: {
    attributes: { ...STATUS_CALLBACK, url: URL, method: METHOD, customerId: TEXT, copyParentTo: BOOLEAN },
    children: ['ApplicationSid', 'Parameter'],
    text: 'optional',
  },
  ApplicationSid: { attributes: {}, text: 'required' },
  Sim: { attributes: {}, text: 'required' },
  Uri: { attributes: { priority: TEXT, weight: TEXT, username: TEXT, password: TEXT }, text: 'required' },
  Headers: { attributes: {}, children: ['Header'] },
  Header: { attributes: { name: TEXT, value: TEXT }, required: ['name'] },
  Task: { attributes: { priority: number(0, INTEGER_MAX), timeout: number(0, INTEGER_MAX) }, text: 'required' },
}

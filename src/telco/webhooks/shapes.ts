import { type TObject, Type } from 'typebox'

/** A form of the provider: every field a text; there are more than are read. Names are written one after the other. */
function form(required: string, optional: string): TObject {
  return Type.Object(
    { [required]: Type.String(), ...Object.fromEntries(optional.split(' ').map((name) => [name, OPTIONAL])) },
    { additionalProperties: Type.String() },
  )
}

const OPTIONAL = Type.Optional(Type.String())
const PARTIES =
  'AccountSid From To Caller Called Direction CallStatus ParentCallSid CallerName StirVerstat ForwardedFrom ConferenceSid'
const RECORDING = 'RecordingSid RecordingUrl RecordingStatus RecordingDuration RecordingStartTime RecordingSource'
const MESSAGE = 'SmsSid AccountSid MessagingServiceSid From To'
const CONTENT =
  'Body NumMedia MediaUrl0 MediaContentType0 ButtonText ButtonPayload ListId ListTitle Latitude Longitude Address Label'
const SENDER = 'FromCity FromState FromZip FromCountry'

/** A voice request (docs/reference/providers.md#voice-request-fields). */
const VOICE = form('CallSid', PARTIES)
/** What follows a dial. */
const DIAL_END = `${PARTIES} DialCallStatus DialCallSid DialCallDuration DialBridged`
const DIALLED = form('CallSid', DIAL_END)
/** The same of a dial that a mobile may be asked in. */
const DIALLED_OR_ASKED = form('CallSid', `${DIAL_END} Digits`)
const REPORTED = 'CallDuration SequenceNumber Timestamp CallbackSource ErrorCode ErrorMessage'

/** What travels with a call in the addresses that it comes back to. */
const FALLBACK = { fallback: '1 where this stands in for something that failed' }

/** What is read of the provider's forms, by path. */
export const TELCO_FORMS = {
  '/callstatus': { summary: 'What became of a leg of a call', request: form('CallSid', `${PARTIES} ${REPORTED}`) },
  '/callaction': { summary: 'What follows a dial', request: DIALLED, query: FALLBACK },
  '/:model/call_action/:record': {
    summary: 'What follows a dial of a phone user, a call flow, an extension or a voice agent',
    request: DIALLED_OR_ASKED,
    query: {
      done_callflows: 'Steps of the call flow of the user that were tried, by their ids',
      declined: 'Mobiles of the call flow that were picked up and did not take the call, by their places',
      language: 'How the mobile of an extension is spoken to',
      mobile: 'On the leg of a mobile: "picked-up" asks what it hears, "key" what its key means',
      ...FALLBACK,
    },
  },
  '/number': { summary: 'A call to one of our numbers', request: VOICE },
  '/markup/:record': { summary: 'A markup application', request: VOICE },
  '/callflow/:record/gather': {
    summary: 'Digits or speech that a call flow asked for',
    request: form('CallSid', `${PARTIES} Digits SpeechResult`),
    query: { ...FALLBACK, invalid: 'How often the input was wrong so far' },
  },
  '/domain': {
    summary: 'A call that a SIP phone or web phone makes',
    request: VOICE,
    query: { ...FALLBACK, forward_to: 'Whom to call in place of the number that was called' },
  },
  '/recordingstatus': {
    summary: 'A recording of a call',
    request: form('RecordingSid', `CallSid ConferenceSid ${RECORDING.replace('RecordingSid ', '')}`),
  },
  '/vm_recordingstatus': { summary: 'A voicemail', request: form('CallSid', `${RECORDING} ${PARTIES}`) },
  '/message': {
    summary: 'A text message that came in',
    request: form('MessageSid', `${MESSAGE} ${CONTENT} ${SENDER}`),
  },
  '/message_status': {
    summary: 'What became of a text message',
    request: form('MessageSid', `${MESSAGE} MessageStatus SmsStatus ErrorCode ErrorMessage ChannelStatusMessage`),
  },
  '/outgoing_callerid': {
    summary: 'Whether a caller id was validated',
    request: form('VerificationStatus', 'AccountSid CallSid Called To OutgoingCallerIdSid'),
  },
} as const

import { CONNECTIONS, NOUNS } from './grammar-nouns.ts'
import {
  ACTION,
  type Attributes,
  booleans,
  DAY_SECONDS,
  type ElementRule,
  methods,
  numberWithin,
  QUEUE,
  RECORDING_CALLBACK,
  RECORDING_MODES,
  STATUS,
  splitWords,
  TRIM,
  texts,
  urls,
  word,
  words,
} from './grammar-values.ts'

const CARD_TYPES = words('visa mastercard amex maestro discover optima jcb diners-club enroute')

const SSML = splitWords('break emphasis lang p phoneme prosody s say-as sub w')

/** A speech mark inside `Say`; they may stand in one another. */
function speechMark(attributes: Attributes): ElementRule {
  return { attributes, children: SSML, text: 'optional' }
}

const SPEECH: Readonly<Record<string, ElementRule>> = {
  break: { attributes: texts('strength time') },
  emphasis: speechMark({ level: word('strong moderate reduced') }),
  lang: speechMark(texts('xml:lang')),
  p: speechMark({}),
  phoneme: speechMark(texts('alphabet ph')),
  prosody: speechMark(texts('pitch rate volume')),
  s: speechMark({}),
  'say-as': speechMark(texts('interpret-as format')),
  sub: speechMark(texts('alias')),
  w: speechMark(texts('role')),
}

/** What may stand in the response. */
const VERBS: Readonly<Record<string, ElementRule>> = {
  Say: { attributes: { ...texts('voice language'), loop: numberWithin(0, 1000) }, children: SSML, text: 'optional' },
  Play: { attributes: { ...texts('digits'), loop: numberWithin(0, 1000) }, text: 'url' },
  Pause: { attributes: { length: numberWithin(0, DAY_SECONDS) } },
  Gather: {
    attributes: {
      ...ACTION,
      input: { kind: 'word', words: ['dtmf', 'speech', 'dtmf speech', 'speech dtmf'] },
      timeout: numberWithin(0, DAY_SECONDS),
      maxSpeechTime: numberWithin(1, 60),
      numDigits: numberWithin(1, 1000),
      finishOnKey: { kind: 'word', words: ['', ...'0123456789*#'] },
      hints: { kind: 'hints' },
      ...texts('speechTimeout language speechModel'),
      ...booleans('enhanced profanityFilter actionOnEmptyResult bargeIn debug'),
      ...urls('partialResultCallback'),
      ...methods('partialResultCallbackMethod'),
    },
    required: ['action'],
    children: ['Say', 'Play', 'Pause'],
  },
  Dial: {
    attributes: {
      ...ACTION,
      ...RECORDING_CALLBACK,
      timeout: numberWithin(5, 600),
      timeLimit: numberWithin(1, DAY_SECONDS),
      record: word(RECORDING_MODES),
      recordingTrack: word('both inbound outbound'),
      trim: TRIM,
      events: word('call-progress-event'),
      ...texts('callerId ringTone passports'),
      ...booleans('answerOnBridge hangupOnStar sequential'),
      ...urls('referUrl'),
      ...methods('referMethod'),
    },
    children: splitWords('Number Client Sip WhatsApp Conference Queue Application Sim'),
    text: 'optional',
  },
  Record: {
    attributes: {
      ...ACTION,
      ...RECORDING_CALLBACK,
      timeout: numberWithin(0, DAY_SECONDS),
      maxLength: numberWithin(2, 14_400),
      trim: TRIM,
      ...texts('finishOnKey'),
      ...booleans('playBeep transcribe'),
      ...urls('transcribeCallback'),
    },
    required: ['action'],
  },
  Redirect: { attributes: methods('method'), text: 'url' },
  Hangup: { attributes: {}, children: ['Parameter'] },
  Reject: { attributes: { reason: word('rejected busy') }, children: ['Parameter'] },
  Connect: {
    attributes: ACTION,
    children: splitWords(
      'Stream ConversationRelay ConversationRelaySession AiSession Conversation Room VirtualAgent Autopilot',
    ),
  },
  Start: { attributes: ACTION, children: ['Stream', 'Recording', 'Siprec', 'Transcription'] },
  Stop: { attributes: {}, children: ['Stream', 'Siprec', 'Transcription'] },
  Refer: { attributes: ACTION, children: ['Sip'] },
  Leave: { attributes: {} },
  Enqueue: {
    attributes: {
      ...ACTION,
      maxQueueSize: numberWithin(1, 5000),
      ...urls('waitUrl'),
      ...methods('waitUrlMethod'),
      ...texts('workflowSid'),
    },
    children: ['Task'],
    text: 'optional',
  },
  Echo: { attributes: {} },
  Pay: {
    attributes: {
      ...urls('action'),
      ...STATUS,
      input: word('dtmf'),
      bankAccountType: word('consumer-checking consumer-savings commercial-checking commercial-savings'),
      timeout: numberWithin(1, 600),
      maxAttempts: numberWithin(1, 10),
      minPostalCodeLength: numberWithin(0, 100),
      paymentMethod: word('ach-debit credit-card'),
      tokenType: word('one-time reusable payment-method'),
      validCardTypes: CARD_TYPES,
      ...texts('postalCode paymentConnector chargeAmount currency description language'),
      ...booleans('securityCode'),
    },
    children: ['Prompt', 'Parameter'],
  },
  Prompt: {
    attributes: {
      for: word(
        'payment-card-number expiration-date security-code postal-code payment-processing bank-account-number bank-routing-number',
      ),
      errorType: words(
        'timeout invalid-card-number invalid-card-type invalid-date invalid-security-code internal-error input-matching-failed',
      ),
      cardType: CARD_TYPES,
      attempt: numberWithin(1, 10),
      ...booleans('requireMatchingInputs'),
    },
    children: ['Say', 'Play', 'Pause'],
  },
  Queue: QUEUE,
  Sms: { attributes: { ...ACTION, ...texts('to from'), ...urls('statusCallback') }, text: 'required' },
}

/** Every element that a call's markup may have, by name. */
export const ELEMENTS: ReadonlyMap<string, ElementRule> = new Map(
  Object.entries({
    Response: { attributes: {}, children: Object.keys(VERBS) },
    ...VERBS,
    ...NOUNS,
    ...CONNECTIONS,
    ...SPEECH,
  }),
)

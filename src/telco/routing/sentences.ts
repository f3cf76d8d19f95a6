import { renderMarkup } from '../markup/verb.ts'
import { hangup, hangupDocument, pause, say, sayAndHangup, sayDocument } from '../markup/voice.ts'

// Wire texts of domain.md 2.3: other parties match on them, blanks included.
export const NUMBER_NOT_FOUND = sayDocument('Number not found. Goodbye!')
export const NUMBER_NOT_CONFIGURED = sayDocument('Number not configured. Goodbye!')
export const EXTENSION_NOT_CONFIGURED = sayDocument('Extension not configured!')
export const EXTENSION_NOT_FOUND = sayDocument('Extension not found. Goodbye! ')
export const WHATSAPP_EXTENSION_NOT_FOUND = sayDocument('Whatsapp Extension not found. Goodbye! ')
export const SEVERAL_EXTENSIONS = sayDocument('Multiple extensions found. Check your dialplan. Goodbye! ')
export const NO_CALLER_ID = sayDocument('You must select a default number for caller ID!')
const COULD_NOT_CONNECT = 'Sorry, I could not connect your call. Goodbye!'
export const UNANSWERED = renderMarkup([say(COULD_NOT_CONNECT), pause(), hangup()])
export const NO_ACTIONS = 'This callflow has no actions! Goodbye!'

// Sentences of ours, where the reference leaves the words open.
export const AGENT_NOT_CONFIGURED = sayAndHangup('The voice agent is not configured. Goodbye!')
export const APPLICATION_NOT_FOUND = sayAndHangup('Application not found. Goodbye!')
export const CALLFLOW_NOT_FOUND = sayAndHangup('Call flow not found. Goodbye!')
export const SORRY = sayAndHangup(COULD_NOT_CONNECT)
export const SYSTEM_ERROR = sayAndHangup('A system error occurred. Goodbye!')
export const CLOSED = 'We are closed at the moment. Please call again during our opening hours.'
export const LEAVE_MESSAGE = 'Please leave a message after the tone.'

export const HANG_UP = hangupDocument()

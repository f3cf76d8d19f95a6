import { PROGRESS_EVENTS, subscription } from '../carrier/call-status.ts'
import type { Carrier } from '../carrier/carrier.ts'
import type { DocumentSource } from '../carrier/document.ts'
import { entryOfApplication } from '../carrier/entry.ts'
import type { OutgoingCall } from '../carrier/outgoing.ts'
import { methodOf, numberOf } from '../carrier/stage.ts'
import { isAddress } from './form-fields.ts'
import { badRequest } from './rest-error.ts'

const TIMEOUT_SECONDS = 60
const TIMEOUT_SECONDS_MAX = 600
const TIME_LIMIT_SECONDS = 14_400
const MARKUP_CHARS_MAX = 4_000

/** Reads the form of a new call and refuses what the API refuses. */
export function readNewCall(carrier: Carrier, form: URLSearchParams): OutgoingCall {
  const [target = '', query = ''] = (form.get('To') ?? '').split('?', 2)
  const to = target.trim()
  const from = (form.get('From') ?? '').trim()
  if (to === '') throw badRequest(21201, "No 'To' number is specified")
  if (!/^(?:\+?[\d\s().-]{3,20}|client:.+|sips?:.+@.+|whatsapp:\+\d+)$/.test(to)) {
    throw badRequest(21211, `The phone number you are attempting to call, ${to}, is not valid.`)
  }
  checkFrom(carrier, { from, to })
  return {
    to,
    from: form.get('CallerId') ?? from,
    document: readDocument(carrier, form),
    subscription: readSubscription(carrier, form),
    extras: Object.fromEntries(new URLSearchParams(query)),
    timeoutSeconds: readTimeout(form),
    timeLimitSeconds: numberOf(form.get('TimeLimit') ?? undefined, TIME_LIMIT_SECONDS),
    sendDigits: form.get('SendDigits') ?? undefined,
    recording: form.get('Record') === 'true' ? readRecording(form) : undefined,
  }
}

function readTimeout(form: URLSearchParams): number {
  const seconds = numberOf(form.get('Timeout') ?? undefined, TIMEOUT_SECONDS)
  if (seconds > TIMEOUT_SECONDS_MAX) throw badRequest(21217, 'Timeout is longer than 600 seconds')
  return seconds
}

function readRecording(form: URLSearchParams): NonNullable<OutgoingCall['recording']> {
  return {
    channels: form.get('RecordingChannels') === 'dual' ? 2 : 1,
    callback: form.get('RecordingStatusCallback') ?? undefined,
    events: form.getAll('RecordingStatusCallbackEvent').join(' ') || undefined,
  }
}

/** To the telephone network only with a number of the account; to web and SIP phones with any name. */
function checkFrom({ account }: Carrier, { from, to }: { from: string; to: string }): void {
  if (from === '') throw badRequest(21213, "No 'From' number is specified")
  if (/^(?:client|sips?):/.test(to)) return
  if (to.startsWith('whatsapp:')) {
    if (account.senders.findWhere('sender_id', from) !== undefined) return
    throw badRequest(21212, `${from} is no WhatsApp sender of the account`)
  }
  if (!/^\+\d+$/.test(from)) throw badRequest(21212, `The 'From' number ${from} is not a valid phone number`)
  if (account.ownsCallerId(from)) return
  throw badRequest(21210, `The source phone number provided, ${from}, is not yet verified for your account.`)
}

function readDocument({ account }: Carrier, form: URLSearchParams): DocumentSource | undefined {
  const applicationSid = form.get('ApplicationSid')
  if (applicationSid !== null && applicationSid !== '') {
    const application = account.applications.find(applicationSid)
    if (application === undefined) throw badRequest(21218, `Invalid ApplicationSid ${applicationSid}`)
    return entryOfApplication(application).document
  }
  const address = form.get('Url')
  if (address !== null) {
    if (!isAddress(address)) throw badRequest(21205, `Url is not a valid URL: ${address}`)
    const fallback = form.get('FallbackUrl')
    return {
      kind: 'address',
      address,
      method: methodOf(form.get('Method') ?? undefined),
      fields: {},
      fallback: fallback === null ? undefined : { address: fallback, method: 'POST' },
    }
  }
  return readInlineMarkup(form.get('Twiml')) ?? refuseWithoutDocument()
}

/** Markup that comes with the request; undefined when none does. */
export function readInlineMarkup(markup: string | null): DocumentSource | undefined {
  if (markup === null) return undefined
  if (markup.length > MARKUP_CHARS_MAX) throw badRequest(32018, 'Twiml has more than 4000 characters')
  return { kind: 'markup', markup }
}

function refuseWithoutDocument(): never {
  throw badRequest(21205, "One of 'Url', 'Twiml' and 'ApplicationSid' is required")
}

/** Unknown event names are accepted by the API, and then nothing is ever reported. */
function readSubscription({ problems }: Carrier, form: URLSearchParams): OutgoingCall['subscription'] {
  const events = form.getAll('StatusCallbackEvent')
  const unknown = events.filter((event) => !PROGRESS_EVENTS.some((known) => known === event))
  if (unknown.length > 0) {
    problems.add({ where: 'telco', code: 21626, message: `there are no events ${unknown.join(', ')}` })
  }
  const method = form.get('StatusCallbackMethod') ?? undefined
  return subscription(form.get('StatusCallback') ?? undefined, { events: events.join(' '), method })
}

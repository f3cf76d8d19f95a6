import type { Arrival, Authentication } from '../../deliveries/webhook-table.ts'
import type { SettingsSnapshot } from '../../platform/settings.ts'
import { type Form, parseForm, TooManyFieldsError } from './form.ts'
import { signedUrls, telcoSignatureMatches } from './signature.ts'

/** Header names under which the signature arrives: the contract's, and the provider's own. */
const HEADERS = ['x-telco-signature', 'x-twilio-signature'] as const

/** What the log says when the inner connection was not encrypted (contract 1, 7); others look for this line. */
export const HTTPS_REQUIRED = 'Telco requires HTTPS to be setup!'
const NO_TOKEN = 'no Auth Token is configured'
const NOT_VALID = 'the telephony request is not valid: its signature does not match'

/** The telephony signature check of the contract (5.3): over the POST form and the full address, https whatever it was. */
export function checkTelcoSignature(arrival: Arrival, settings: SettingsSnapshot | undefined): Authentication {
  if (settings === undefined) return { ok: false, reason: 'the settings cannot be read' }
  if (!settings.telcoVerifyRequests) return { ok: true }
  const { authToken } = settings
  if (authToken === undefined) {
    return { ok: false, reason: arrival.isHttps ? NO_TOKEN : `${HTTPS_REQUIRED} Also, ${NO_TOKEN}.` }
  }
  const form = readForm(arrival)
  if (form === undefined) return { ok: false, reason: 'the form has too many fields' }
  const urls = signedUrls({
    host: hostHeader(arrival),
    forwardedHost: arrival.host,
    rawTarget: arrival.target,
    apiUrl: settings.apiUrl,
  })
  const isRight = telcoSignatureMatches({
    authTokens: [authToken],
    signature: signatureOf(arrival.headers),
    urls,
    form,
  })
  if (isRight) return { ok: true }
  return { ok: false, reason: arrival.isHttps ? NOT_VALID : HTTPS_REQUIRED }
}

/** The signature as it was sent, under either name; a blank one is none. */
export function signatureOf(headers: Record<string, string | string[] | undefined>): string | undefined {
  const value = HEADERS.map((name) => headers[name]).find((each) => each)
  return typeof value === 'string' ? value : undefined
}

/** Forms that were read, for as long as their bytes are held: the signature and the work both need one. */
const forms = new WeakMap<Buffer, Readonly<Form>>()

/** The fields of the body; a body of another type is an empty form (design 6). Undefined when there are too many. */
export function readForm({ headers, body }: Pick<Arrival, 'headers' | 'body'>): Readonly<Form> | undefined {
  if (!isForm(headers['content-type'])) return Object.create(null) as Form
  try {
    const form = forms.get(body) ?? parseForm(body)
    forms.set(body, form)
    return form
  } catch (error) {
    if (error instanceof TooManyFieldsError) return undefined
    throw error
  }
}

function isForm(type: string | undefined): boolean {
  return type !== undefined && /^\s*application\/x-www-form-urlencoded\s*(;|$)/i.test(type)
}

function hostHeader({ headers }: Arrival): string | undefined {
  return headers.host
}

import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Authentication, HeaderVerdict, IncomingRequest } from '../../deliveries/webhooks/webhook-table.ts'
import type { VerificationSettings } from '../../platform/settings/settings.ts'
import {
  explainSignature,
  NO_SIGNATURE,
  NO_SIGNATURE_IN_IT,
  NO_TOKEN,
  type SignatureExplanation,
} from './explain-signature.ts'
import { type Form, hasTooManyFields, parseForm } from './form.ts'
import {
  isWellFormed,
  largeSignatureMatches,
  type SignedRequest,
  signedUrls,
  telcoSignatureMatches,
} from './signature.ts'

/** Header names under which the signature arrives: the contract's, and the provider's own. */
const HEADERS = ['x-telco-signature', 'x-twilio-signature'] as const

/**
 * Why plain http was rejected. It begins with the line of docs/reference/contract.md#errors, which others look for, and says
 * nothing of the signature: `connect deliveries explain` does.
 */
const HTTPS_REQUIRED =
  'Telco requires HTTPS to be setup! The request came over plain http, and no proxy reported https (X-Forwarded-Proto).'
const NOT_VALID = 'The telephony request is not valid. Its signature does not match.'

/** A form larger than this is compared in several turns of the event loop, each comparison in one of its own. */
const LARGE_BYTES = 64 * 1024
/** Forms of the provider are smaller; what takes longer to explain is explained when a person asks. */
const EXPLAINED_BYTES_MAX = 4 * 1024

/** What can be said of a sender before a byte of the body is read (docs/reference/contract.md#telephony-signature). */
export function checkTelcoHeaders(arrival: IncomingRequest, settings: VerificationSettings | undefined): HeaderVerdict {
  const signature = signatureOf(arrival.headers)
  const isSigned = isWellFormed(signature)
  if (settings === undefined) return { ok: false, reason: 'The settings could not be read.', isSigned }
  if (!settings.telcoVerifyRequests) return { ok: true }
  if (settings.authToken === undefined) {
    return { ok: false, reason: httpsBefore(arrival, NO_TOKEN), isSigned }
  }
  if (isSigned) return 'undecided'
  return { ok: false, reason: httpsBefore(arrival, signature ? NO_SIGNATURE_IN_IT : NO_SIGNATURE), isSigned }
}

/**
 * The telephony signature check (docs/reference/contract.md#telephony-signature): over the POST form and the full
 * address, with https whatever it was.
 */
export function checkTelcoSignature(
  arrival: IncomingRequest,
  settings: VerificationSettings | undefined,
): Authentication | Promise<Authentication> {
  if (arrival.body.length > LARGE_BYTES) return checkLarge(arrival, settings)
  const request = signedRequest(arrival, settings)
  return request === undefined ? HAS_TOO_MANY_FIELDS : verdict(arrival, telcoSignatureMatches(request))
}

/** The same for a large form: others are served after each step. */
async function checkLarge(
  arrival: IncomingRequest,
  settings: VerificationSettings | undefined,
): Promise<Authentication> {
  const request = signedRequest(arrival, settings)
  if (request === undefined) return HAS_TOO_MANY_FIELDS
  await nextTurn()
  const isRight = await largeSignatureMatches(request)
  await nextTurn()
  return verdict(arrival, isRight)
}

const HAS_TOO_MANY_FIELDS: Authentication = { ok: false, reason: 'The form has too many fields.', isSigned: true }

/** What the signature is checked against; undefined when the form has too many fields to be read. */
function signedRequest(
  arrival: IncomingRequest,
  settings: VerificationSettings | undefined,
): SignedRequest | undefined {
  const form = readForm(arrival)
  if (form === undefined) return undefined
  return {
    authTokens: settings?.authToken === undefined ? [] : [settings.authToken],
    signature: signatureOf(arrival.headers),
    urls: signedUrls({
      host: arrival.headers.host,
      forwardedHost: arrival.host,
      rawTarget: arrival.target,
      apiUrl: settings?.apiUrl,
    }),
    form,
  }
}

function verdict(arrival: IncomingRequest, isRight: boolean): Authentication {
  return isRight ? { ok: true } : { ok: false, reason: httpsBefore(arrival, NOT_VALID), isSigned: true }
}

/**
 * Why a signed request was rejected, in place of the bare reason in the log; undefined when that says it all, or when its
 * form is too large to try.
 */
export async function explainRejection(
  arrival: IncomingRequest,
  settings: VerificationSettings | undefined,
): Promise<string | undefined> {
  if (arrival.body.length > EXPLAINED_BYTES_MAX || isPlainHttp(arrival)) return undefined
  return (await explainArrival(arrival, settings))?.sentence
}

/** Whether the provider signed a request, for whichever address of ours: it holds the Auth Token, and nobody else does. */
export async function isSignedByProvider(
  arrival: IncomingRequest,
  settings: VerificationSettings | undefined,
): Promise<boolean> {
  const explanation = await explainArrival(arrival, settings)
  return explanation?.isSigned === true
}

/** Undefined where nothing can be computed: no Auth Token, or a form that is none. */
async function explainArrival(
  arrival: IncomingRequest,
  settings: VerificationSettings | undefined,
): Promise<SignatureExplanation | undefined> {
  const { headers, host, target: rawTarget } = arrival
  const form = readForm(arrival)
  if (form === undefined || settings?.authToken === undefined) return undefined
  const forwarded = headers['x-forwarded-host']
  return explainSignature({
    authTokens: [settings.authToken],
    signature: signatureOf(headers),
    form,
    host: headers.host,
    forwardedHost: typeof forwarded === 'string' ? forwarded : undefined,
    trustsProxy: host !== headers.host,
    rawTarget,
    apiUrl: settings.apiUrl,
  })
}

/** One thing at a time: what came over plain http needs https first. */
function httpsBefore(arrival: IncomingRequest, reason: string): string {
  return isPlainHttp(arrival) ? HTTPS_REQUIRED : reason
}

/**
 * Whether nobody on the way says that https was used; a proxy that is not trusted is believed for this sentence only.
 */
function isPlainHttp({ isHttps, headers }: IncomingRequest): boolean {
  const claimed = headers['x-forwarded-proto']
  return !isHttps && !(typeof claimed === 'string' && /^\s*https\b/i.test(claimed))
}

/** The signature as it was sent, under either name; a blank one is none. */
export function signatureOf(headers: Record<string, string | string[] | undefined>): string | undefined {
  const value = HEADERS.map((name) => headers[name]).find((each) => each)
  return typeof value === 'string' ? value : undefined
}

/** Forms that were read, for as long as their bytes are held: the signature and the work both need one. */
const forms = new WeakMap<Buffer, Readonly<Form>>()

/**
 * The fields of the body; a body of another type has none (docs/reference/domain.md#bodies-that-are-no-form).
 * Undefined when there are too many.
 */
export function readForm({ headers, body }: Pick<IncomingRequest, 'headers' | 'body'>): Readonly<Form> | undefined {
  if (!isForm(headers['content-type'])) return Object.create(null) as Form
  const known = forms.get(body)
  if (known !== undefined) return known
  if (hasTooManyFields(body)) return undefined
  const form = parseForm(body)
  forms.set(body, form)
  return form
}

function isForm(type: string | undefined): boolean {
  return type !== undefined && /^\s*application\/x-www-form-urlencoded\s*(;|$)/i.test(type)
}

import { setImmediate as nextTurn } from 'node:timers/promises'
import webhooks from 'twilio/lib/webhooks/webhooks.js'
import { type Form, one } from './form.ts'
import { isWellFormed, originForm, signedUrls, telcoSignatureMatches } from './signature.ts'
import { type Deviation, type ReceivedAddress, type SignedVariant, signedVariants } from './signature-variants.ts'

const { getExpectedTwilioSignature } = webhooks

export interface SignatureExplanation {
  /** The address that was signed, when one was found. */
  readonly url: string | undefined
  /** The address that we expect, likeliest of those that would be accepted. */
  readonly expected: string | undefined
  /** How it differs from the address we expect; empty when it does not. */
  readonly differs: readonly Deviation['part'][]
  /** Whether the provider signed it, for whichever address. */
  readonly isSigned: boolean
  /** What is wrong, and with which setting, in a sentence or two for an administrator. */
  readonly sentence: string
}

/** A rejected delivery and the settings of now. `forwardedHost` is what a proxy said, trusted or not. */
interface RejectedDelivery extends ReceivedAddress {
  readonly authTokens: readonly string[]
  readonly signature: string | undefined
  readonly form: Readonly<Form>
}

/** Why a telephony request without a signature is not believed, or none can be checked. */
export const NO_TOKEN = 'No Auth token is set. Enter the one of your phone account in the settings.'
export const NO_SIGNATURE = 'The request has no signature. It is not from Twilio, or a proxy removed the header.'

/** The same where the header holds something else. */
export const NO_SIGNATURE_IN_IT =
  'The signature header holds no signature. The request is not from Twilio, or a proxy changed the header.'

/** Signatures that are computed in one turn of the event loop: a large form takes a millisecond each. */
const VARIANTS_PER_TURN = 10

/**
 * Why a delivery was rejected: which variant of scheme, host, port, path, query or form its signature is right for, and
 * so which setting is wrong. Others are served in between.
 */
export async function explainSignature(delivery: RejectedDelivery): Promise<SignatureExplanation> {
  const explaining = explain(delivery)
  for (let step = 1; ; step += 1) {
    const { done, value } = explaining.next()
    if (done === true) return value
    if (step % VARIANTS_PER_TURN === 0) await nextTurn()
  }
}

/** The explanation, with a pause before each signature that is computed. */
function* explain(delivery: RejectedDelivery): Generator<undefined, SignatureExplanation> {
  const { signature, form, trustsProxy, forwardedHost } = delivery
  const authTokens = delivery.authTokens.filter((token) => token.trim() !== '')
  if (authTokens.length === 0) return unexplained(NO_TOKEN)
  if (!isWellFormed(signature)) return unexplained(signature ? NO_SIGNATURE_IN_IT : NO_SIGNATURE)
  const urls = signedUrls({ ...delivery, forwardedHost: trustsProxy ? forwardedHost : undefined })
  if (telcoSignatureMatches({ authTokens, signature, urls, form })) {
    return { ...unexplained('This webhook would be accepted now.'), isSigned: true }
  }
  const tokens = new Set(authTokens.flatMap((stored) => [stored, stored.trim()]))
  for (const variant of signedVariants(delivery, form)) {
    for (const token of tokens) {
      yield
      if (getExpectedTwilioSignature(token, variant.url, variant.form) !== signature) continue
      const differs = variant.deviations.map((deviation) => deviation.part)
      return {
        isSigned: true,
        url: variant.url,
        expected: urls[0],
        differs,
        sentence: sentenceFor(variant, !authTokens.includes(token)),
      }
    }
  }
  return { ...unexplained(noVariantSentence(delivery, urls[0])), expected: urls[0] }
}

function sentenceFor({ url, deviations }: SignedVariant, hasBlanks: boolean): string {
  const advice = deviations.map((deviation) => deviation.advice)
  if (hasBlanks) advice.unshift('The Auth token in the settings has spaces around it. Enter it again.')
  return advice.join(' ') || `Twilio calls ${url}. Set the public address to the start of it.`
}

function noVariantSentence({ rawTarget, form }: RejectedDelivery, expected: string | undefined): string {
  const sid = one(form, 'AccountSid')
  const account = /^\w{1,64}$/.test(sid) ? `account ${sid}` : 'your phone account'
  return (
    `The signature matches no address of ${originForm(rawTarget)}. The Auth token in the settings does not belong to ${account}, ` +
    `Twilio calls another address than ${expected ?? 'ours'}, or a proxy changed the form.`
  )
}

function unexplained(sentence: string): SignatureExplanation {
  return { isSigned: false, url: undefined, expected: undefined, differs: [], sentence }
}

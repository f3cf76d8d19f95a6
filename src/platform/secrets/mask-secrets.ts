import { MASK } from './secrets.ts'

/** Bytes that base64 encodes together: a secret may begin at each of them. */
const BASE64_GROUP = 3
/** Anything shorter is found in the middle of other words, and opens nothing worth the name. */
const CORE_CHARS_MIN = 8
const BASE64_RUN = '[A-Za-z0-9+/_=-]*'

/**
 * A text without our secrets, as they are, percent-encoded, or in base64, alone or with something before and after them as
 * in `Authorization: Basic`.
 */
export function maskSecrets(text: string, secrets: readonly string[]): string {
  return secrets.filter((secret) => secret !== '').reduce(withoutSecret, text)
}

function withoutSecret(text: string, secret: string): string {
  const plain = text.replaceAll(secret, MASK).replaceAll(encodeURIComponent(secret), MASK)
  return base64Cores(secret).reduce((rest, core) => {
    if (!rest.includes(core)) return rest
    return rest.replaceAll(new RegExp(BASE64_RUN + core.replaceAll(/[+/]/g, '\\$&') + BASE64_RUN, 'g'), MASK)
  }, plain)
}

/** What base64 of anything around the secret has in its middle, by the byte at which the secret begins. */
function base64Cores(secret: string): string[] {
  const bytes = Buffer.from(secret)
  const cores = Array.from({ length: BASE64_GROUP }, (_, before) => {
    // The first and last group may share bits with what stands around.
    const skipped = (BASE64_GROUP - before) % BASE64_GROUP
    const whole = bytes.length - skipped - ((bytes.length - skipped) % BASE64_GROUP)
    return bytes.subarray(skipped, skipped + Math.max(whole, 0))
  })
  return cores
    .flatMap((core) => [core.toString('base64'), core.toString('base64url')])
    .filter((core, at, all) => core.length >= CORE_CHARS_MIN && all.indexOf(core) === at)
}

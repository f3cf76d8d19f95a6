/** Stands for this service while an address is read; nobody has this name (RFC 6761, 6.4). */
const HERE = 'http://here.invalid'
/** `\` is `/` to a browser, and blanks and control characters are left out or end the header. */
const BARRED = /[\\\s\p{Cc}\p{Cf}]/u

/**
 * An address of this service as `Location` has it, percent-encoded; its start for whatever is none or could lead elsewhere,
 * such as `//host`, `/\host` or `https://host`.
 */
export function ownPath(address: unknown): string {
  if (typeof address !== 'string' || !address.startsWith('/') || BARRED.test(address)) return '/'
  if (!URL.canParse(address, HERE)) return '/'
  const { origin, pathname, search, hash } = new URL(address, HERE)
  return origin === HERE && !pathname.startsWith('//') ? pathname + search + hash : '/'
}

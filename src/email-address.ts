import { plainText } from './written-number.ts'

/** RFC 5321, section 4.5.3.1.3. */
const ADDRESS_CHARS_MAX = 256
/** A longer text is not searched for an address. */
const CHARS_MAX = 2_000
const NAMED = /^[^<>]*<\s*(?:mailto:)?([^<>\s]+@[^<>\s]+)\s*>[\s;,]*$/i
const SCHEME = /^mailto:/i
/** What a list of addresses leaves behind the last one. */
const BEHIND = /[\s;,]+$/

/** Whether a text has the form of an address; whether mail arrives there, nobody knows. */
export function isEmail(text: string): boolean {
  return text.length <= ADDRESS_CHARS_MAX && /^[^\s@<>,;]+@[^\s@<>,;.]+(?:\.[^\s@<>,;.]+)*$/.test(text)
}

/** The address in a text such as ` a@b.example `, `Anna <a@b.example>`, `a@b.example;` or `mailto:a@b.example`; a text with another form stays, trimmed. */
export function bareEmail(written: string): string {
  if (written.length > CHARS_MAX) return written
  const text = plainText(written).trim()
  const [, named] = NAMED.exec(text) ?? []
  return named ?? (text.includes('@') ? text.replace(SCHEME, '').replace(BEHIND, '') : written.trim())
}

/**
 * The address by which another service names somebody, in small letters. Only those of ASCII have two cases here: a sign that some
 * reading takes for a letter (the Kelvin sign, a dotless i, a wide letter) is in the address of somebody else.
 */
export function namedEmail(written: string): string {
  const text = /^[\x20-\x7e\s]*$/.test(written) ? bareEmail(written) : written.trim()
  return smallAscii(text)
}

/** A text with A to Z in small letters, and everything else as it is: what only looks alike stays something else. */
export function smallAscii(text: string): string {
  return text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase())
}

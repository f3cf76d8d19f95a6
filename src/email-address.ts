import { plainText } from './written-number.ts'

/** RFC 5321, section 4.5.3.1.3. */
const ADDRESS_CHARS_MAX = 256
/** A longer text is not searched for an address. */
const CHARS_MAX = 2_000
const NAMED = /^[^<>]*<\s*(?:mailto:)?([^<>\s]+@[^<>\s]+)\s*>[\s;,]*$/i
const SCHEME = /^mailto:/i
/** What stands between an address and the words around it. */
const BETWEEN = /[\s<>()[\]{},;:]+/
/** Of a link that opens a mail. */
const SUBJECT = /\?(?:subject|body|cc|bcc)=.*$/i
const MARKS = /^['"“”„‚‘’«»]+|['"“”„‚‘’«».!]+$/g
/** What a list of addresses leaves behind the last one. */
const BEHIND = /[\s;,]+$/

/** Whether a text has the form of an address; whether mail arrives there, nobody knows. */
export function isEmail(text: string): boolean {
  return text.length <= ADDRESS_CHARS_MAX && /^[^\s@<>,;]+@[^\s@<>,;.]+(?:\.[^\s@<>,;.]+)*$/.test(text)
}

/**
 * The address in a text such as ` a@b.example `, `Anna <a@b.example>`, `a@b.example;`, `mailto:a@b.example`, `E-mail: a@b.example` or
 * `a@b.example (home)`; a text with none, or with several, stays, trimmed.
 */
export function bareEmail(written: string): string {
  if (written.length > CHARS_MAX) return written
  const bare = plainlyNamed(written)
  return NAMED.test(plainText(written).trim()) ? bare : (onlyAddressIn(bare) ?? bare)
}

/** The address of a text that has nothing else but a name before it. */
function plainlyNamed(written: string): string {
  if (written.length > CHARS_MAX) return written
  const text = plainText(written).trim()
  const [, named] = NAMED.exec(text) ?? []
  return named ?? (text.includes('@') ? text.replace(SCHEME, '').replace(BEHIND, '') : written.trim())
}

/** The one address among other words and marks. */
function onlyAddressIn(text: string): string | undefined {
  const parts = text.split(BETWEEN).map((part) => part.replace(SUBJECT, '').replaceAll(MARKS, ''))
  const [address, ...others] = parts.filter((part) => part.includes('@'))
  const isAlone = address !== undefined && others.length === 0
  return isAlone && isEmail(address) && !address.includes('"') ? address : undefined
}

/**
 * The address by which another service names somebody, in small letters. Only those of ASCII have two cases here: a sign that some
 * reading takes for a letter (the Kelvin sign, a dotless i, a wide letter) is in the address of somebody else.
 */
export function namedEmail(written: string): string {
  const text = /^[\x20-\x7e\s]*$/.test(written) ? plainlyNamed(written) : written.trim()
  return smallAscii(text)
}

/** A text with A to Z in small letters, and everything else as it is: what only looks alike stays something else. */
export function smallAscii(text: string): string {
  return text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase())
}

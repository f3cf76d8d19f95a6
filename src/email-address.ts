import { plainText } from './written-number.ts'

/** Longer addresses are none (RFC 5321, section 4.5.3.1.3, and the brackets around them). */
const CHARS_MAX = 2_000
const NAMED = /^[^<>]*<\s*(?:mailto:)?([^<>\s]+@[^<>\s]+)\s*>[\s;,]*$/i
const SCHEME = /^mailto:/i

/** The address in a text such as ` a@b.example `, `Anna <a@b.example>` or `mailto:a@b.example`; a text with another form stays, trimmed. */
export function bareEmail(written: string): string {
  if (written.length > CHARS_MAX) return written
  const text = plainText(written).trim()
  const [, named] = NAMED.exec(text) ?? []
  return named ?? (text.includes('@') ? text.replace(SCHEME, '') : written.trim())
}

/** The fields of a form-encoded body. A repeated field is a list of its values in the order they came. */
export type Form = Record<string, string | string[]>

/**
 * The provider sends some fifty fields; its SDK is at home with as many as this
 * (docs/reference/providers.md#signed-forms).
 */
const FORM_FIELDS_MAX = 1000

const AMPERSAND = 0x26
const EQUALS = 0x3d
const PERCENT = 0x25
const PLUS = 0x2b
const SPACE = 0x20
const ASCII_MAX = 0x7f
/** Value of each byte as a hexadecimal digit; -1 for what is none. */
const HEX_DIGITS = Int8Array.from({ length: 256 }, (_none, byte) => '0123456789abcdef'.indexOf(hexLetter(byte)))

/** Whether a body has more fields than a form of the provider can have, counted before anything is read of them. */
export function hasTooManyFields(raw: Buffer): boolean {
  let count = 1
  for (let at = raw.indexOf(AMPERSAND); at !== -1; at = raw.indexOf(AMPERSAND, at + 1)) {
    count += 1
    if (count > FORM_FIELDS_MAX) return true
  }
  return false
}

/**
 * The exact fields of a form-encoded body, as the signature needs them: nothing trimmed, no empty value dropped, no
 * nesting, `+` a space. Wrong percent-encodings stay as they are; bytes that are no UTF-8 become U+FFFD. One pass over
 * the bytes whatever they are: the parser of Node takes a time that grows with the square of the number of fields.
 */
export function parseForm(raw: Buffer): Form {
  // No prototype, so that a field called `__proto__` is a field like any other.
  const form: Form = Object.create(null)
  const text = raw.toString('latin1')
  const read = (from: number, to: number): string =>
    isPlain(raw, from, to) ? text.slice(from, to) : decode(raw.subarray(from, to))
  let equals = raw.indexOf(EQUALS)
  for (let start = 0; start < raw.length; ) {
    const found = raw.indexOf(AMPERSAND, start)
    const end = found === -1 ? raw.length : found
    // Looked for again only behind the last one, so that fields without any do not make each search go to the end.
    if (equals !== -1 && equals < start) equals = raw.indexOf(EQUALS, start)
    const nameEnd = equals === -1 ? end : Math.min(equals, end)
    if (end > start) add(form, read(start, nameEnd), read(Math.min(nameEnd + 1, end), end))
    start = end + 1
  }
  return form
}

/** The first value of a field, an empty text when it was not sent. */
export function one(form: Readonly<Form>, name: string): string {
  const value = Object.hasOwn(form, name) ? form[name] : undefined
  return (Array.isArray(value) ? value[0] : value) ?? ''
}

/** The form with the first value of each field, for rules that know no repeated fields. */
export function firstValues(form: Readonly<Form>): Record<string, string> {
  const values: Record<string, string> = Object.create(null)
  for (const name of Object.keys(form)) values[name] = one(form, name)
  return values
}

function add(form: Form, name: string, value: string): void {
  const earlier = form[name]
  if (earlier === undefined) form[name] = value
  else if (Array.isArray(earlier)) earlier.push(value)
  else form[name] = [earlier, value]
}

/** Most names and values are plain ASCII and are cut out of the text, which has one character for each byte. */
function isPlain(raw: Buffer, from: number, to: number): boolean {
  for (let at = from; at < to; at += 1) {
    const byte = raw[at] ?? 0
    if (byte === PERCENT || byte === PLUS || byte > ASCII_MAX) return false
  }
  return true
}

function decode(raw: Buffer): string {
  const decoded = Buffer.allocUnsafe(raw.length)
  let length = 0
  for (let at = 0; at < raw.length; at += 1) {
    const byte = raw[at] ?? 0
    const encoded = byte === PERCENT ? readHex(raw, at + 1) : -1
    if (encoded >= 0) {
      decoded[length] = encoded
      at += 2
    } else decoded[length] = byte === PLUS ? SPACE : byte
    length += 1
  }
  return decoded.toString('utf8', 0, length)
}

/** The byte that two hexadecimal digits stand for; negative when they are none. */
function readHex(raw: Buffer, at: number): number {
  const high = HEX_DIGITS[raw[at] ?? 0] ?? -1
  const low = HEX_DIGITS[raw[at + 1] ?? 0] ?? -1
  return low < 0 ? low : high * 16 + low
}

function hexLetter(byte: number): string {
  return String.fromCharCode(byte).toLowerCase()
}

/** The fields of a form-encoded body. A repeated field is a list of its values in the order they came. */
export type Form = Record<string, string | string[]>

/**
 * The provider sends some fifty fields; its SDK is at home with as many as this
 * (docs/reference/providers.md#signed-forms).
 */
const FORM_FIELDS_MAX = 1000

const AMPERSAND = 0x26
const PERCENT = 0x25
const PLUS = 0x2b
const SPACE = 0x20
const BEYOND_ASCII = /[\x80-\xff]/
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
  const isPlain = plainParts(text)
  const read = (from: number, to: number): string =>
    isPlain(from, to) ? text.slice(from, to) : decode(raw.subarray(from, to))
  let equals = text.indexOf('=')
  for (let start = 0; start < raw.length; ) {
    const found = text.indexOf('&', start)
    const end = found === -1 ? raw.length : found
    // Looked for again only behind the last one, so that fields without any do not make each search go to the end.
    if (equals !== -1 && equals < start) equals = text.indexOf('=', start)
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

/** The form with the first value of each field, for rules that know no repeated fields: itself where none is repeated. */
export function firstValues(form: Readonly<Form>): Readonly<Record<string, string>> {
  if (hasNoneRepeated(form)) return form
  const values: Record<string, string> = Object.create(null)
  for (const name of Object.keys(form)) values[name] = one(form, name)
  return values
}

function hasNoneRepeated(form: Readonly<Form>): form is Readonly<Record<string, string>> {
  for (const name in form) if (typeof form[name] !== 'string') return false
  return true
}

function add(form: Form, name: string, value: string): void {
  const earlier = form[name]
  if (earlier === undefined) form[name] = value
  else if (Array.isArray(earlier)) earlier.push(value)
  else form[name] = [earlier, value]
}

/**
 * Tells of parts, asked for from the first to the last, whether they are plain ASCII, as most names and values are: then they are
 * cut out of the text, which has one character for each byte.
 */
function plainParts(text: string): (from: number, to: number) => boolean {
  const hasAsciiOnly = !BEYOND_ASCII.test(text)
  let percent = text.indexOf('%')
  let plus = text.indexOf('+')
  return (from, to) => {
    if (percent !== -1 && percent < from) percent = text.indexOf('%', from)
    if (plus !== -1 && plus < from) plus = text.indexOf('+', from)
    return hasAsciiOnly && (percent === -1 || percent >= to) && (plus === -1 || plus >= to)
  }
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

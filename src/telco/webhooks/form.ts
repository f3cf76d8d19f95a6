import { parse } from 'node:querystring'

/** The fields of a form-encoded body. A repeated field is a list of its values in the order they came. */
export type Form = Record<string, string | string[]>

/**
 * The provider sends some fifty fields; its SDK is at home with as many as this
 * (docs/reference/providers.md#signed-forms).
 */
const FORM_FIELDS_MAX = 1000

const AMPERSAND = 0x26
const PLUS = 0x2b
const SPACE = 0x20

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
 * nesting, `+` a space. It takes a time that grows with the square of the fields, so count them first.
 */
export function parseForm(raw: Buffer): Form {
  return parse(withSpaces(raw).toString(), '&', '=', { maxKeys: 0 }) as Form
}

/** Each `+` as the space that it stands for: a megabyte of them takes the parser itself 40 to 90 ms. */
function withSpaces(raw: Buffer): Buffer {
  if (!raw.includes(PLUS)) return raw
  const spaced = Buffer.from(raw)
  for (let at = 0; at < spaced.length; at += 1) if (spaced[at] === PLUS) spaced[at] = SPACE
  return spaced
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

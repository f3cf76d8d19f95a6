import { Refusal } from '../../errors.ts'

/** The fields of a form-encoded body. A repeated field is a list of its values in the order they came. */
export type Form = Record<string, string | string[]>

/** The provider sends some fifty fields; its SDK is at home with as many as this (providers.md B2). */
export const FORM_FIELDS_MAX = 1000

/** The body has more fields than a form of the provider can have. */
export class TooManyFieldsError extends Refusal {
  constructor() {
    super('too-large', `The form has more than ${FORM_FIELDS_MAX} fields`)
    this.name = 'TooManyFieldsError'
  }
}

/**
 * The exact fields of a form-encoded body, as the signature needs them: nothing trimmed, no empty value dropped, no
 * nesting, `+` a space. Wrong percent-encodings stay as they are. Throws `TooManyFieldsError`.
 */
export function parseForm(raw: Buffer): Form {
  // No prototype, so that a field called `__proto__` is a field like any other.
  const form: Form = Object.create(null)
  const text = raw.toString('utf8')
  let count = 0
  // URLSearchParams drops one leading question mark, which in a body is part of the first name.
  for (const [name, value] of new URLSearchParams(text.startsWith('?') ? `&${text}` : text)) {
    count += 1
    if (count > FORM_FIELDS_MAX) throw new TooManyFieldsError()
    const earlier = form[name]
    if (earlier === undefined) form[name] = value
    else if (Array.isArray(earlier)) earlier.push(value)
    else form[name] = [earlier, value]
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

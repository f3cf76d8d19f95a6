import { badRequest } from './rest-error.ts'

/** What a parameter of the classic API may be. */
export type FieldKind = 'text' | 'boolean' | 'address' | 'method'

/** Writable fields by their wire name; the parameter of `voice_url` is `VoiceUrl`. */
export type FieldKinds = Readonly<Record<string, FieldKind>>

export function parameterName(field: string): string {
  return field.replaceAll(/(?:^|_)([a-z0-9])/g, (_all, letter: string) => letter.toUpperCase())
}

/** The values that were sent, checked as the API checks them. */
export function readFields(form: URLSearchParams, kinds: FieldKinds): Record<string, unknown> {
  const known = new Map(Object.entries(kinds).map(([field, kind]) => [parameterName(field), { field, kind }]))
  const values: Record<string, unknown> = {}
  for (const [name, value] of form) {
    const rule = known.get(name)
    if (rule !== undefined) values[rule.field] = readValue(name, value, rule.kind)
  }
  return values
}

function readValue(name: string, value: string, kind: FieldKind): unknown {
  switch (kind) {
    case 'text':
      // An id is cleared with nothing, and is null from then on.
      return name.endsWith('Sid') && value === '' ? null : value
    case 'boolean':
      if (!['true', 'false', 'True', 'False'].includes(value)) throw badRequest(20001, `${name} is not a boolean`)
      return value.toLowerCase() === 'true'
    case 'address':
      if (value !== '' && !isAddress(value)) throw badRequest(21402, `${name} is not a valid URL: ${value}`)
      return value
    case 'method':
      if (!['GET', 'POST'].includes(value.toUpperCase())) throw badRequest(21403, `${name} is not a valid method`)
      return value.toUpperCase()
  }
}

/** An http address; the provider refuses host names with an underscore (docs/reference/providers.md#request-format). */
export function isAddress(value: string): boolean {
  if (!/^https?:\/\//i.test(value) || !URL.canParse(value)) return false
  const { hostname, href } = new URL(value)
  return !hostname.includes('_') && href.length <= ADDRESS_CHARS_MAX
}

const ADDRESS_CHARS_MAX = 4_000

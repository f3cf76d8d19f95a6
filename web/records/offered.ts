/** Which records a picker offers, as the service says it of a field; pure. */
import type { Domain } from '../data/client.ts'
import type { Offered } from '../data/queries.ts'

/** The conditions with the values of the record in them; what the record does not have is none. */
export function offered(
  conditions: readonly Offered[] | undefined,
  record: Readonly<Record<string, unknown>>,
): Domain | undefined {
  return conditions?.map((condition) => {
    if (typeof condition === 'string') return condition
    const [field, operator, value] = condition
    return [field, operator, isOf(value) ? idOf(record[value.of]) : value] as const
  })
}

/** Contacts to talk with: neither staff nor what is archived. */
export const TO_TALK_WITH: Domain = [
  ['active', '!=', false],
  ['is_staff', '=', false],
]

function isOf(value: unknown): value is { of: string } {
  return typeof value === 'object' && value !== null && 'of' in value && typeof value.of === 'string'
}

function idOf(value: unknown): unknown {
  const id: unknown = Array.isArray(value) ? value[0] : value
  return id ?? false
}

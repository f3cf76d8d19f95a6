import { formsOfSubscriber } from '../../number-plans.ts'

/**
 * For a look-up of our numbers: earlier versions kept a number without its + as it was written, and a number may be named in another form
 * than ours is stored in.
 */
export function withoutPlusToo(numbers: readonly string[]): string[] {
  return numbers.flatMap((number) =>
    number.startsWith('+') ? formsOfSubscriber(number).flatMap((form) => [form, form.slice(1)]) : [number],
  )
}

/** Rows of these numbers, by every form of the number with its +; of several rows of one number the one in that very form counts. */
export function byFormsOfNumber<Row extends { phone_number: unknown }, Value>(
  rows: readonly Row[],
  read: (row: Row) => Value,
): Map<string, Value> {
  const entries = rows.map((row) => [String(row.phone_number), read(row)] as const)
  const withPlus = entries
    .filter(([number]) => !number.startsWith('+'))
    .map(([number, value]) => [`+${number}`, value] as const)
  const otherForms = [...withPlus, ...entries].flatMap(([number, value]) =>
    formsOfSubscriber(number).map((form) => [form, value] as const),
  )
  return new Map([...otherForms, ...withPlus, ...entries])
}

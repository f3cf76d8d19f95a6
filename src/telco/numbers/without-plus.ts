/** For a look-up of our numbers: earlier versions kept a number without its + as it was written. */
export function withoutPlusToo(numbers: readonly string[]): string[] {
  return numbers.flatMap((number) => (number.startsWith('+') ? [number, number.slice(1)] : [number]))
}

/** Rows of these numbers, by the number with its +; of two rows of one number the one with the + counts. */
export function byNumber<Row extends { phone_number: unknown }, Value>(
  rows: readonly Row[],
  read: (row: Row) => Value,
): Map<string, Value> {
  const entries = rows.map((row) => [String(row.phone_number), read(row)] as const)
  const withPlus = entries
    .filter(([number]) => !number.startsWith('+'))
    .map(([number, value]) => [`+${number}`, value] as const)
  return new Map([...withPlus, ...entries])
}

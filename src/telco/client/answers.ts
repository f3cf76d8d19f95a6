/** A value of the provider's as text; undefined when it is empty. */
export function textOf(value: unknown): string | undefined {
  return value === null || value === undefined || value === '' ? undefined : String(value)
}

/** A moment of the provider's; undefined when it is none. */
export function momentOf(value: unknown): Date | undefined {
  return value instanceof Date && !Number.isNaN(value.getTime()) ? value : undefined
}

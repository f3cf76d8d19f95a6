import { ProviderRefused } from '../../ports/telco-client.ts'

/** Rows of one list that are read; an account with more is none that this service keeps in sync. */
const LIST_ROWS_MAX = 10_000
const PAGE_ROWS = 100

/**
 * A whole list of the provider. It is never cut off: what is missing in it would look removed. Throws ProviderRefused for
 * one that is too long.
 */
export async function listAll<Row>(
  what: string,
  read: (limits: { limit: number; pageSize: number }) => Promise<Row[]>,
): Promise<Row[]> {
  const rows = await read({ limit: LIST_ROWS_MAX + 1, pageSize: PAGE_ROWS })
  if (rows.length <= LIST_ROWS_MAX) return rows
  const message = `The phone provider has more than ${LIST_ROWS_MAX} ${what}: that is more than can be kept in sync.`
  throw new ProviderRefused('too-large', message)
}

/** A value of the provider's as text; undefined when it is empty. */
export function textOf(value: unknown): string | undefined {
  return value === null || value === undefined || value === '' ? undefined : String(value)
}

/** A moment of the provider's; undefined when it is none. */
export function momentOf(value: unknown): Date | undefined {
  return value instanceof Date && !Number.isNaN(value.getTime()) ? value : undefined
}

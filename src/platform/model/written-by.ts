import { type SQL, sql } from '../../database/drizzle.ts'

/** What knows who writes. */
export interface Writing {
  readonly identity: { readonly userId: number }
}

/** Who writes as this identity, for `create_uid` and `write_uid`: who is in the table of users; the service itself is nobody. */
export function writerOf({ identity: { userId } }: Writing): number | null {
  return userId > 0 ? userId : null
}

/**
 * What an `update` past the records sets beside its values, as the records do: when the row was changed, and by whom. What the
 * service changes by itself, without a person, a voice agent or a delivery that asked for it, is nobody's.
 */
export function writtenBy(writer: SQL | number | null): SQL {
  const by = writer === null ? sql`null` : sql`${writer}::bigint`
  return sql`write_date = now() at time zone 'utc', write_uid = ${by}`
}

/**
 * Says, as the code or the hint of an error, that something is there after all, or is elsewhere: the transaction begins again, and
 * finds what a look at the newest months of the ledger does not (docs/ledger-in-months.md).
 */
export const LOOK_EVERYWHERE = 'LD001'

/** The first id of what is looked for where a look at the newest months will do, in SQL: a number to the planner. */
export const RECENT_ID = 'connect_recent_id()'

/** The same statement, for whoever has to look through all months; servers keep it beside the other one. */
export function lookingEverywhere<Named extends { name: string; text: string }>(statement: Named): Named {
  const { name, text } = statement
  if (!text.includes(RECENT_ID)) return statement
  return { ...statement, name: `${name}_everywhere`, text: text.replaceAll(RECENT_ID, '0::bigint') }
}

/** Whether an error asks for that. A key that is there twice says it where only the newest months were looked at. */
export function asksToLookEverywhere(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false
  return ('code' in error && error.code === LOOK_EVERYWHERE) || ('hint' in error && error.hint === LOOK_EVERYWHERE)
}

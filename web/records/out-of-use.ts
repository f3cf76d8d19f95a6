/** Records that are kept and no longer in use: people who are let in no more, and what was archived. */

/** People, who are let in or not. */
const PEOPLE = ['res.users', 'connect.user']

/** What is to be said beside the name of a record; undefined while it is in use. */
export function outOfUse(
  model: string,
  row: Readonly<Record<string, unknown>>,
  say: (key: 'archived' | 'deactivated') => string,
): string | undefined {
  if (row.active !== false) return undefined
  return say(PEOPLE.includes(model) ? 'deactivated' : 'archived')
}

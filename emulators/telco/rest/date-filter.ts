/** Whether a date of a record passes the filters `Name`, `Name<` and `Name>` of a list. */
export function isInDateFilter(query: URLSearchParams, name: string, value: unknown): boolean {
  const on = query.get(name)
  const until = query.get(`${name}<`)
  const since = query.get(`${name}>`)
  if (on === null && until === null && since === null) return true
  if (typeof value !== 'string') return false
  const ms = Date.parse(value)
  if (on !== null && new Date(ms).toISOString().slice(0, on.length) !== on) return false
  if (until !== null && ms > Date.parse(until)) return false
  return since === null || ms >= Date.parse(since)
}

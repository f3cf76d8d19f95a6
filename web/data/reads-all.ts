/** Whether the service shows somebody every record of a model: a count of a part must not stand as if it were of all. */
import { GROUP, type Me } from './session.ts'

/** Of these, others than administrators read their own, and what is shared with them. */
const READ_IN_PART = ['connect.call', 'connect.message', 'calendar.event']

export function readsAll({ groups }: Pick<Me, 'groups'>, model: string): boolean {
  return !READ_IN_PART.includes(model) || groups.includes(GROUP.connectAdmin)
}

import type { Link } from '../data/models.gen.ts'
import { GROUP, isInOne, type Me, mayDo } from '../data/session.ts'

/** Who was in a call, of us. */
interface PeopleOfCall {
  caller_user: Link | null
  answered_user: Link | null
  called_users: readonly number[]
}

/** Whether somebody may change a call, post on it and act on it: one's own, or every call for administrators. */
export function mayChangeCall(
  me: Me,
  { caller_user: caller, answered_user: answered, called_users: rung }: PeopleOfCall,
) {
  if (!mayDo(me, 'connect.call', 'w')) return false
  return isInOne(me, [GROUP.connectAdmin]) || [caller?.[0], answered?.[0], ...rung].includes(me.id)
}

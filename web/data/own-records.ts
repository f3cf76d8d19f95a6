/**
 * Which records somebody changes of those that they read: the service reads by wider rules than it writes by. What they do with
 * records of a model at all is `mayDo`.
 */
import type { Domain } from './client.ts'
import type { Link } from './models.gen.ts'
import { GROUP, type Group, isInOne, type Me, mayDo } from './session.ts'

type Row = Readonly<Record<string, unknown>>

/** Who was in a call, of us. */
interface PeopleOfCall {
  caller_user: Link | null
  answered_user: Link | null
  called_users: readonly number[]
}

const ADMINS: readonly Group[] = [GROUP.connectAdmin]
const SHARING: readonly Group[] = [GROUP.connectAdmin, GROUP.manager]

/** Whether somebody may change a call, post on it and act on it: one's own, or every call for administrators. */
export function mayChangeCall(
  me: Me,
  { caller_user: caller, answered_user: answered, called_users: rung }: PeopleOfCall,
): boolean {
  if (!mayDo(me, 'connect.call', 'w')) return false
  return isInOne(me, ADMINS) || [caller?.[0], answered?.[0], ...rung].includes(me.id)
}

/** The calls among others that somebody may change, as a condition of a search. */
export function ownOf(me: Me, model: string): Domain {
  if (model !== 'connect.call' || isInOne(me, ADMINS)) return []
  return ['|', '|', ['caller_user', '=', me.id], ['answered_user', '=', me.id], ['called_users', 'in', [me.id]]]
}

/** Whether somebody may send a message again: their own, or one that nobody of us wrote. */
export function mayChangeMessage(me: Me, sender: Link | null): boolean {
  if (!mayDo(me, 'connect.message', 'w')) return false
  return isInOne(me, ADMINS) || sender === null || sender[0] === me.id
}

/** Whether somebody may change a record, or delete it, of which they read every field. */
export function mayChange(
  me: Me,
  { model, row, right = 'w' }: { model: string; row: Row; right?: 'w' | 'd' },
): boolean {
  if (!mayDo(me, model, right)) return false
  switch (model) {
    case 'connect.call':
      return mayChangeCall(me, row as unknown as PeopleOfCall)
    case 'connect.message':
      return mayChangeMessage(me, row.sender_user as Link | null)
    case 'connect.view':
      return idOf(row.user) === me.id || isInOne(me, SHARING)
    case 'res.users':
      return (row.is_manager !== true || isInOne(me, [GROUP.manager])) && (right === 'w' || !row.external_id)
    default:
      return true
  }
}

/** Whether it is a draft of one's own, of which nobody has asked for it to be sent. */
export function isOwnDraft(me: Me, { status, attempt, sender_user: sender }: Row): boolean {
  return status === 'draft' && Number(attempt ?? 0) === 0 && idOf(sender) === me.id
}

/** Keys are made and ended of oneself, or by managers. */
export function mayKeepKeys(me: Me, user: unknown): boolean {
  return user === me.id || isInOne(me, [GROUP.manager])
}

function idOf(link: unknown): unknown {
  return Array.isArray(link) ? link[0] : link
}

import type { Domain } from '../../platform/records/domain-syntax.ts'

/**
 * The calls that somebody made, answered or was rung in. `link` is the way there, such as `call.`, for what belongs to a
 * call and is read by whoever may read that.
 */
export function ownCalls(userId: number, link: 'call.' | '' = ''): Domain {
  return [
    '|',
    '|',
    [`${link}caller_user`, '=', userId],
    [`${link}answered_user`, '=', userId],
    [`${link}called_users`, 'in', [userId]],
  ]
}

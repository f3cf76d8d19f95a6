/** What is typed into a field and can hardly be meant: a number without digits, an e-mail address without an @; pure. */
import type { FieldInfo } from '../data/queries.ts'

/** Kinds whose numbers and addresses are stored as people type them. */
const AS_TYPED = ['res.partner', 'helpdesk.ticket']
/** Emergency numbers have three. */
const NUMBER_DIGITS_MIN = 3

/** The remark beside what is typed; it can be saved all the same. */
export function doubtAbout(
  model: string,
  { widget, name }: Pick<FieldInfo, 'widget' | 'name'>,
  edited: unknown,
): 'noNumber' | 'noEmail' | undefined {
  if (!AS_TYPED.includes(model) || typeof edited !== 'string' || edited.trim() === '') return undefined
  if (widget === 'email' || name.endsWith('email')) return /\S@\S/.test(edited) ? undefined : 'noEmail'
  if (widget !== 'phone') return undefined
  return (edited.match(/\p{Nd}/gu) ?? []).length < NUMBER_DIGITS_MIN ? 'noNumber' : undefined
}

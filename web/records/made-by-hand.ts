import { type Me, mayDo } from '../data/session.ts'

/** Kinds of records that come of calls: one that somebody makes up would stand among those that took place, and be counted. */
const OF_CALLS = ['connect.call', 'connect.channel', 'connect.recording']

/** Saved where the list is that they are views of. */
const VIEWS = 'connect.view'

/** Whether somebody makes a record of this kind on the page. */
export function mayMake(me: Me, model: string): boolean {
  return model !== VIEWS && !OF_CALLS.includes(model) && mayDo(me, model, 'c')
}

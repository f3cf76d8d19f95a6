import type { Env } from '../../platform/access/env.ts'
import type { Model } from '../../platform/model/model.ts'
import type { Search } from '../../platform/person/find-mentions.ts'
import { Mentions } from '../../platform/person/mentions.ts'
import type { Forgotten, Sought } from '../../platform/person/person.ts'

/** Models that say something of people beside those that are about them: what came in, and what was made of it. */
const ALSO_SEARCHED = ['connect.conversation', 'connect.notice', 'connect.delivery', 'connect.inbox']
/** Rows that hold what somebody said or wrote are emptied as a whole: the number is not all that is theirs in them. */
export const EMPTIED = ['connect.delivery', 'connect.inbox', 'connect.debug'] as const

/** What is looked for when a person is erased, and which rows are their own. */
export interface ErasureSearch {
  sought: Sought
  linked: Forgotten
}

/** Models that an erasure looks through: never what people set up here, nor the audit, nor its own receipts. */
function isSearched({ name, isAboutPeople, rows }: Model): boolean {
  // A model without a table shows what is stored elsewhere.
  return rows === undefined && (isAboutPeople === true || ALSO_SEARCHED.includes(name))
}

/** The one search of the preview and of the erasure. */
export function searchOf({ models }: Env['platform'], { sought, linked }: ErasureSearch): Search {
  return {
    sought,
    linked,
    mentions: new Mentions(sought),
    models: [...models].filter(isSearched),
    forgotten: new Set<string>(EMPTIED),
  }
}

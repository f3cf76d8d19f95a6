/** People who are let in no more keep what was theirs, and are marked wherever it says whose it is. */
import { useQuery } from '@tanstack/react-query'
import { listQuery } from '../data/queries.ts'
import { useWords } from '../words/words.ts'

const USERS = 'res.users'
/** Far more than have left a company that still has tickets of theirs. */
const GONE_MAX = 1_000
const GONE = listQuery(USERS, { domain: [['active', '=', false]], fields: ['name'], limit: GONE_MAX })

/** What is said behind the name of somebody who is let in no more; nothing behind other names. */
export function useGoneMark(model: string = USERS): (id: number) => string {
  const say = useWords('records')
  // Without the mark a name is still a name.
  const { data = [] } = useQuery({ ...GONE, enabled: model === USERS, throwOnError: false })
  return (id) => (model === USERS && data.some((each) => each.id === id) ? ` · ${say('deactivated')}` : '')
}

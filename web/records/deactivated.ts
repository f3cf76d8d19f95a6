/** People who are let in no more keep what was theirs, and are marked wherever it says whose it is. */
import { useQuery } from '@tanstack/react-query'
import { listQuery } from '../data/queries.ts'
import { useWords } from '../words/words.ts'

const USERS = 'res.users'
const PHONE_USERS = 'connect.user'
/** Far more than have left a company that still has tickets of theirs. */
const GONE_MAX = 1_000
const GONE_USERS = listQuery(USERS, { domain: [['active', '=', false]], fields: ['name'], limit: GONE_MAX })
/** A phone goes with the person, and may be out of use by itself. */
const GONE_PHONES = listQuery(PHONE_USERS, {
  domain: ['|', ['active', '=', false], ['user.active', '=', false]],
  fields: ['name'],
  limit: GONE_MAX,
})

/** What is said behind the name of somebody who is let in no more; nothing behind other names. */
export function useGoneMark(model: string = USERS): (id: number) => string {
  const say = useWords('records')
  // Without the mark a name is still a name.
  const users = useQuery({ ...GONE_USERS, enabled: model === USERS, throwOnError: false })
  const phones = useQuery({ ...GONE_PHONES, enabled: model === PHONE_USERS, throwOnError: false })
  const gone = { [USERS]: users.data, [PHONE_USERS]: phones.data }[model] ?? []
  return (id) => (gone.some((each) => each.id === id) ? ` · ${say('deactivated')}` : '')
}

/** A name with its mark; a choice that is not saved yet has it already. */
export function marked(name: string, mark: string): string {
  return name.endsWith(mark) ? name : `${name}${mark}`
}

import { useQuery } from '@tanstack/react-query'
import { countQuery } from '../data/queries.ts'
import { GROUP, useIsInOne } from '../data/session.ts'
import { useWords } from '../words/words.ts'
import { SetUpList } from './set-up-list.tsx'
import { isWhole, useSetUp } from './set-up-state.ts'

/** The check list of the set-up, for administrators, until the first call has come in. */
export function SetUpNotice() {
  const say = useWords('records')
  const isAdmin = useIsInOne(GROUP.connectAdmin)
  const { data: calls } = useQuery(countQuery('connect.call', { limit: 1 }))
  const { data: state } = useSetUp({ isEnabled: isAdmin && calls === 0 })
  if (calls !== 0 || state === undefined || isWhole(state)) return null
  return (
    <section aria-label={say('setUpTitle')}>
      <h2>{say('setUpTitle')}</h2>
      <SetUpList state={state} />
    </section>
  )
}

import { EmptyState } from '../design/empty-state.tsx'
import { PageHead } from '../design/page-head.tsx'
import { Button } from '../design/press.tsx'
import { useWords } from '../words/words.ts'
import { ToStart } from './not-found.tsx'
import { openSearch } from './search.tsx'

/** An address that leads nowhere, for somebody who has the rail and the search beside it. */
export function NoSuchPage() {
  const say = useWords('shell')
  return (
    <>
      <PageHead title={say('noSuchPage')} />
      <EmptyState title={say('noSuchPageSays')}>
        <Button onClick={openSearch}>{say('search')}</Button>
        <ToStart />
      </EmptyState>
    </>
  )
}

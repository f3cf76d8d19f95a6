import { EmptyState } from '../design/empty-state.tsx'
import { PageHead } from '../design/page-head.tsx'
import { Button } from '../design/press.tsx'
import { useWords } from '../words/words.ts'
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

/** The same for whoever is not signed in. */
export function NotFound() {
  const say = useWords('shell')
  return (
    <main>
      <EmptyState title={say('noSuchPage')} detail={say('noSuchPageSays')}>
        <ToStart />
      </EmptyState>
    </main>
  )
}

function ToStart() {
  const say = useWords('shell')
  return (
    <Button component="a" href="/" variant="default">
      {say('toStart')}
    </Button>
  )
}

import { EmptyState } from '../design/empty-state.tsx'
import { Button } from '../design/press.tsx'
import { useWords } from '../words/words.ts'

/** An address that leads nowhere, where there is no rail. */
export function NotFound() {
  const say = useWords('shell')
  return (
    <main>
      <EmptyState isPage title={say('noSuchPage')} detail={say('noSuchPageSays')}>
        <ToStart />
      </EmptyState>
    </main>
  )
}

/** The way to the page that one begins with. */
export function ToStart() {
  const say = useWords('shell')
  return (
    <Button component="a" href="/" variant="default">
      {say('toStart')}
    </Button>
  )
}

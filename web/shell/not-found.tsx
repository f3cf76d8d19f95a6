import { Button } from '@mantine/core'
import { EmptyState } from '../design/empty-state.tsx'
import { useWords } from '../words/words.ts'

export function NotFound() {
  const say = useWords('shell')
  return (
    <main>
      <EmptyState title={say('noSuchPage')}>
        <Button component="a" href="/now" variant="default">
          {say('now')}
        </Button>
      </EmptyState>
    </main>
  )
}

import { type ErrorComponentProps, useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { onBack } from '../data/back.ts'
import { isCodeMissing } from '../data/code.ts'
import { ApiError, GoneError, isPassing, sentenceOf } from '../data/errors.ts'
import { startFacts } from '../data/start.ts'
import { Copyable } from '../design/copyable.tsx'
import { EmptyState } from '../design/empty-state.tsx'
import { Button } from '../design/press.tsx'
import { useWords } from '../words/words.ts'
import { openSearch } from './search.tsx'

const ID_CHARS = 8
/** What a page is replaced by that could not be shown. */
export function ErrorPage({ error }: Pick<ErrorComponentProps, 'error'>) {
  const router = useRouter()
  return <Broken error={error} onAgain={() => void router.invalidate()} />
}

function loadPage(): void {
  location.reload()
}

/** The service's sentence, and the two things one can do. It is asked for again once the service is back. */
export function Broken({ error, onAgain = loadPage }: { error: unknown; onAgain?: () => void }) {
  const say = useWords('shell')
  const isAway = isPassing(error)
  useEffect(() => (isAway ? onBack(onAgain) : undefined))
  const isGone = error instanceof ApiError && error.kind === 'gone'
  const { status = '', requestId = '' } = error instanceof ApiError ? error : {}
  // A page says of which kind the record is that is gone; what it needs besides may be gone as well.
  const goneTitle = error instanceof GoneError ? error.message : say('gone')
  // Browsers say this in words of their own, and only a new document asks for the code once more.
  const isCode = isCodeMissing(error)
  const detail = isCode ? say('partMissing') : sentenceOf(error)
  const again = isCode ? loadPage : onAgain
  const report = `${location.pathname}\n${startFacts().build}\n${status}\n${requestId}`
  return (
    <EmptyState isPage title={isGone ? goneTitle : say('couldNotLoad')} detail={isGone ? undefined : detail}>
      {isGone ? (
        <>
          <Button variant="default" component="a" href={`/${location.pathname.split('/').slice(1, -1).join('/')}`}>
            {say('toList')}
          </Button>
          <Button variant="subtle" onClick={openSearch}>
            {say('search')}
          </Button>
        </>
      ) : (
        <Button variant="default" onClick={again}>
          {say('tryAgain')}
        </Button>
      )}
      {requestId === '' || isGone ? null : (
        <span className="dim">
          {say('request')} <Copyable text={requestId} label={say('copyRequest')} shown={requestId.slice(0, ID_CHARS)} />
        </span>
      )}
      <Button variant="subtle" onClick={() => navigator.clipboard.writeText(report)}>
        {say('copyReport')}
      </Button>
    </EmptyState>
  )
}

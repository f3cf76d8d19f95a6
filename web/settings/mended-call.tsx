import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect } from 'react'
import { whyWords } from '../lines/story-words.ts'
import { whyQuery } from '../lines/why-query.ts'
import { isUnderWay, useNewestRun } from '../records/runs.ts'
import { plain } from '../words/formats.ts'
import { useToolWords } from '../words/tool-words.ts'
import { useWords } from '../words/words.ts'
import classes from './settings.module.css'

/** Why somebody came here from a call, and once it is mended, the way back. */
export function MendedCall({ id }: { id: number }) {
  const say = useWords('settings')
  const tell = useWords('story')
  const tools = useToolWords()
  const { data: run } = useNewestRun('voiceai')
  const { data: why, refetch } = useQuery(whyQuery(id))
  const isOver = !isUnderWay(run)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a run that ends may have been what the call waited for
  useEffect(() => {
    if (isOver) void refetch()
  }, [run?.id, isOver, refetch])
  if (why === undefined) return null
  const isMended = why.fixes.some(({ code }) => code === 'fix_call_again')
  return (
    <section className={classes.card} aria-label={say('fromCall')}>
      <p>{plain(whyWords(tell, why, tools))}</p>
      <p role="status">
        <strong>{say(isMended ? 'callIsMended' : 'mendsCall')}</strong>
      </p>
      <Link to="/calls/$id" params={{ id: String(id) }}>
        {say('backToCall')}
      </Link>
    </section>
  )
}

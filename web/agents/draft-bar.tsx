import { useState } from 'react'
import { ApiError } from '../data/errors.ts'
import { tellDone, tellRefusal } from '../design/notices.tsx'
import { Button } from '../design/press.tsx'
import type { Values } from '../records/record-values.ts'
import { plain } from '../words/formats.ts'
import { formats, useWords } from '../words/words.ts'
import classes from './agents.module.css'
import { Review } from './review.tsx'
import type { AgentView } from './use-agent.ts'

/** What is drafted or typed, and the way to have it published after seeing the difference. */
export function DraftBar({ agent }: { agent: AgentView }) {
  const say = useWords('agents')
  const [isReviewing, setReviewing] = useState(false)
  // Somebody else was faster: what is typed is shown against what is there now.
  const [isOvertaken, setOvertaken] = useState(false)
  const { draft, isTyped, mayWrite } = agent
  if (draft === undefined && !isTyped) return null
  const shown = shownOf(agent, { isReviewing, isOvertaken })
  const by = draft?.by ? plain(draft.by[1]) : say('somebody')
  const review = async (): Promise<void> => {
    setReviewing(false)
    setOvertaken(false)
    await agent.save().then(
      () => setReviewing(true),
      (error: unknown) => {
        setOvertaken(error instanceof ApiError && error.kind === 'taken')
        tellRefusal(error)
      },
    )
  }
  const publish = () =>
    agent.publish().then(() => {
      setReviewing(false)
      tellDone(say('published'))
    }, tellRefusal)
  const discard = () => agent.discard().then(() => setReviewing(false), tellRefusal)
  return (
    <section className={classes.draft} aria-label={say('draft')}>
      <p role="status">
        {isTyped ? say('typed') : say('draftOf', { name: by, at: formats.time(draft?.at ?? null) })}{' '}
        <span className="dim">{say('draftSays')}</span>
      </p>
      {mayWrite ? (
        <div className={classes.actions}>
          {isReviewing && !isTyped ? (
            <Button onClick={publish}>{say('publish')}</Button>
          ) : (
            <Button onClick={review}>{say('review')}</Button>
          )}
          <Button variant="subtle" onClick={discard}>
            {say('discard')}
          </Button>
        </div>
      ) : null}
      {shown === undefined ? null : <Review agent={agent} vals={shown} />}
    </section>
  )
}

/** The changes whose difference is shown; undefined before somebody asks for it. */
function shownOf(
  { draft, isTyped, pending, mayWrite }: AgentView,
  { isReviewing, isOvertaken }: { isReviewing: boolean; isOvertaken: boolean },
): Values | undefined {
  if (isTyped) return isOvertaken ? pending : undefined
  return isReviewing || !mayWrite ? draft?.vals : undefined
}

import { useState } from 'react'
import { tellDone, tellRefusal } from '../design/notices.tsx'
import { Button } from '../design/press.tsx'
import { plain } from '../words/formats.ts'
import { formats, useWords } from '../words/words.ts'
import classes from './agents.module.css'
import { Review } from './review.tsx'
import type { AgentView } from './use-agent.ts'

/** What is drafted or typed, and the way to have it published after seeing the difference. */
export function DraftBar({ agent }: { agent: AgentView }) {
  const say = useWords('agents')
  const [isReviewing, setReviewing] = useState(false)
  const { draft, isTyped, mayWrite } = agent
  if (draft === undefined && !isTyped) return null
  const by = draft?.by ? plain(draft.by[1]) : say('somebody')
  const review = async (): Promise<void> => {
    setReviewing(false)
    await agent.save().then(() => setReviewing(true), tellRefusal)
  }
  const publish = () =>
    agent.publish().then(() => {
      setReviewing(false)
      tellDone(say('published'))
    }, tellRefusal)
  const discard = () =>
    agent.discard().then(() => {
      setReviewing(false)
      tellDone(say('discarded'))
    }, tellRefusal)
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
      {draft !== undefined && !isTyped && (isReviewing || !mayWrite) ? (
        <Review agent={agent} vals={draft.vals} />
      ) : null}
    </section>
  )
}

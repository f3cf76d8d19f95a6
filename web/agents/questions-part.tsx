import { Textarea } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { call, type Row } from '../data/client.ts'
import { useDraft } from '../data/drafts.ts'
import { sentenceOf } from '../data/errors.ts'
import { keysOf } from '../data/keys.ts'
import { listQuery } from '../data/queries.ts'
import { useFocusAlong } from '../design/focus-along.ts'
import { tellDone, tellRefusal } from '../design/notices.tsx'
import { Button, Form } from '../design/press.tsx'
import { useProblem } from '../design/use-problem.ts'
import { plain } from '../words/formats.ts'
import { formats, useWords } from '../words/words.ts'
import classes from './knowledge.module.css'
import { KNOWLEDGE } from './knowledge-rows.ts'

const QUESTION = 'connect.voiceai_question'
const FIELDS = ['question', 'reply', 'why', 'times', 'asked_at', 'call', 'state'] as const
const SHOWN_MAX = 50

type Question = Row<typeof QUESTION, (typeof FIELDS)[number]>

/** Questions that the agent could not answer, each with its call; an answer is known from the next call on. */
export function QuestionsPart({ agent, mayAnswer }: { agent: number; mayAnswer: boolean }) {
  const say = useWords('knowledge')
  const [answering, setAnswering] = useState<number>()
  const { data: questions } = useQuery(
    listQuery(QUESTION, {
      domain: [
        ['agent', '=', agent],
        ['state', '=', 'open'],
      ],
      fields: FIELDS,
      order: 'asked_at desc',
      limit: SHOWN_MAX,
    }),
  )
  if (questions === undefined || questions.length === 0) return null
  return (
    <section aria-label={say('questions')}>
      <h3>{say('questions')}</h3>
      <ul className={classes.rows}>
        {questions.map((question) => (
          <Asked
            key={question.id}
            question={question}
            mayAnswer={mayAnswer}
            isOpen={answering === question.id}
            onOpen={() => setAnswering(question.id)}
            onClose={() => setAnswering(undefined)}
          />
        ))}
      </ul>
    </section>
  )
}

function Asked({
  question,
  mayAnswer,
  isOpen,
  onOpen,
  onClose,
}: {
  question: Question
  mayAnswer: boolean
  isOpen: boolean
  onOpen: () => void
  onClose: () => void
}) {
  const say = useWords('knowledge')
  const queries = useQueryClient()
  const { id, question: words, reply, why, times, asked_at: at, call: asked } = question
  const place = useFocusAlong<HTMLLIElement>(isOpen)
  const shown = plain(words ?? '') || say('wordsGone')
  const dismiss = async (): Promise<void> => {
    await call(QUESTION, 'dismiss', { ids: [id] }).catch(tellRefusal)
    await queries.invalidateQueries({ queryKey: keysOf(QUESTION) })
  }
  return (
    <li ref={place} className={classes.row}>
      <div className={classes.grow}>
        <strong>{shown}</strong>
        <div className="dim">
          {say('asked', { count: times ?? 1, at: formats.time(at) })} ·{' '}
          {say(why === 'reported' ? 'foundNothing' : 'saidSo')}
          {asked === null ? null : (
            <>
              {' '}
              ·{' '}
              <Link to="/calls/$id" params={{ id: String(asked[0]) }}>
                {say('call')}
              </Link>
            </>
          )}
        </div>
        {reply === null ? null : <p className={classes.reply}>{plain(reply)}</p>}
        {isOpen ? <AnswerForm id={id} question={plain(words ?? '')} onClose={onClose} /> : null}
      </div>
      {mayAnswer && !isOpen ? (
        <div className={classes.actions}>
          <Button
            variant="default"
            size="compact-sm"
            aria-label={say('answerOf', { question: shown })}
            onClick={onOpen}
            data-along
          >
            {say('answer')}
          </Button>
          <Button
            variant="subtle"
            size="compact-sm"
            aria-label={say('dismissOf', { question: shown })}
            onClick={dismiss}
          >
            {say('dismiss')}
          </Button>
        </div>
      ) : null}
    </li>
  )
}

function AnswerForm({ id, question, onClose }: { id: number; question: string; onClose: () => void }) {
  const say = useWords('knowledge')
  const queries = useQueryClient()
  const [answer = '', setAnswer] = useDraft<string>({ model: QUESTION, id, field: 'answer' })
  const [problem, setProblem] = useProblem('')
  const save = async (): Promise<void> => {
    try {
      await call(QUESTION, 'give_answer', { ids: [id], answer })
      setAnswer(() => undefined)
      tellDone(say('answered'))
      await Promise.all([KNOWLEDGE, QUESTION].map((model) => queries.invalidateQueries({ queryKey: keysOf(model) })))
    } catch (error) {
      setProblem(sentenceOf(error))
    }
  }
  return (
    <Form onSubmit={save} className={classes.form}>
      <Textarea
        aria-label={say('answerTo', { question })}
        placeholder={say('answerHint')}
        autosize
        minRows={2}
        data-along
        value={answer}
        error={problem || undefined}
        onChange={({ currentTarget: { value } }) => setAnswer(() => value)}
      />
      <div className={classes.actions}>
        <Button type="submit" size="compact-sm" disabled={answer.trim() === ''}>
          {say('saveAnswer')}
        </Button>
        <Button variant="subtle" size="compact-sm" onClick={onClose}>
          {say('cancel')}
        </Button>
      </div>
    </Form>
  )
}

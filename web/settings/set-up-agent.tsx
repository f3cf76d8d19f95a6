import { Checkbox, Select, Textarea } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { call, searchRead } from '../data/client.ts'
import { keysOf } from '../data/keys.ts'
import { listQuery } from '../data/queries.ts'
import { tellDone, tellRefusal } from '../design/notices.tsx'
import { Button, Form } from '../design/press.tsx'
import { answerOf } from '../records/reach.ts'
import { only } from '../records/record-values.ts'
import { useTakeBack } from '../records/take-back.ts'
import { phone, plain } from '../words/formats.ts'
import { useWords } from '../words/words.ts'
import { ABILITIES, type AgentAnswers, asSent } from './agent-answers.ts'
import { OpenHours, Speaks, TakesOver, Texts } from './agent-questions.tsx'
import { Lost } from './set-up-number.tsx'
import classes from './settings.module.css'
import { SETTINGS } from './settings-row.ts'
import { type Answering, useAnswers } from './use-agent-answers.ts'

const AGENT = 'connect.voiceai_agent'
const NUMBERS = 'connect.telco.number'
/** What the set-up of an agent changes of its number. */
const ANSWERED_BY = ['destination', 'voiceai_agent', 'business_hours', 'closed_exten'] as const

/** The agents that there are, or the questions that make one. */
export function AgentQuestions() {
  const say = useWords('settings')
  const { data: agents } = useQuery(listQuery(AGENT, { fields: ['name'], order: 'id desc', limit: 3 }))
  const { data: voices } = useQuery(listQuery('connect.voiceai_voice', { fields: ['name'], limit: 1 }))
  const [isAsking, setAsking] = useState(false)
  // Who goes without voice agents has no voices, and nothing to answer.
  if (agents === undefined || voices === undefined || voices.length === 0) return null
  const isAsked = isAsking || agents.length === 0
  return (
    <section className={classes.card} aria-label={say('agentTitle')}>
      <h2>{say('agentTitle')}</h2>
      {agents.map(({ id, name }) => (
        <p key={id}>
          {say('agentThere', { name: plain(name ?? '') })}{' '}
          <Link to="/agents/$id" params={{ id: String(id) }}>
            {say('agentOpenIt')}
            <span className="sr-only"> {plain(name ?? '')}</span>
          </Link>
        </p>
      ))}
      {agents.length === 0 ? null : <p className="dim">{say('agentKnows')}</p>}
      {isAsked ? (
        <Questions onMade={() => setAsking(false)} />
      ) : (
        <div className={classes.actions}>
          <Button variant="default" onClick={() => setAsking(true)}>
            {say('agentAnother')}
          </Button>
        </div>
      )}
    </section>
  )
}

function Questions({ onMade }: { onMade: () => void }) {
  const say = useWords('settings')
  const queries = useQueryClient()
  const answering = useAnswers()
  const { answers, set, clear, numbers } = answering
  const giveBack = useGiveBack()
  const taken = numbers.find(({ id }) => id === answers.number)
  const make = async (): Promise<void> => {
    try {
      const made = await call(AGENT, 'set_up', asSent(answers))
      clear()
      onMade()
      for (const model of [AGENT, 'connect.telco.number', 'connect.telco.exten', 'connect.user']) {
        await queries.invalidateQueries({ queryKey: keysOf(model) })
      }
      await queries.invalidateQueries({ queryKey: keysOf(SETTINGS, 'set-up') })
      const [agent] = await queries.fetchQuery(
        listQuery(AGENT, { domain: [['id', '=', made.agent]], fields: ['name'], limit: 1 }),
      )
      const name = plain(agent?.name ?? '')
      if (taken === undefined) tellDone(say('agentMade', { name }))
      else tellDone(say('agentMadeAnswers', { name, number: phone(taken.phone_number ?? '') }), await giveBack(taken))
    } catch (error) {
      tellRefusal(error)
    }
  }
  return (
    <>
      <p className="dim">{say('agentSays')}</p>
      <Form className={classes.form} onSubmit={make} noValidate>
        <Textarea
          className={classes.wide}
          label={say('agentDoes')}
          description={say('agentDoesHint')}
          autosize
          minRows={3}
          maxRows={12}
          value={answers.does}
          onChange={({ currentTarget }) => set({ does: currentTarget.value })}
        />
        <OpenHours {...answering} />
        <Checkbox.Group
          className={classes.wide}
          label={say('agentMay')}
          value={[...answers.may]}
          onChange={(may) => set({ may: may as AgentAnswers['may'] })}
        >
          <div className={classes.choices}>
            {ABILITIES.map(([ability, words]) => (
              <Checkbox key={ability} value={ability} label={say(words)} />
            ))}
          </div>
        </Checkbox.Group>
        <TakesOver {...answering} />
        <Speaks {...answering} />
        <Select
          label={say('agentNumber')}
          placeholder={say('agentNoNumber')}
          clearable
          data={numbers.map((each) => ({ value: String(each.id), label: phone(each.phone_number ?? '') }))}
          value={answers.number === undefined ? null : String(answers.number)}
          onChange={(number) => set({ number: number === null ? undefined : Number(number) })}
        />
        <Texts {...answering} />
        <p role="status" className={classes.impact}>
          {taken === undefined ? null : <Taken number={taken} hasHours={answers.days.length > 0} />}
        </p>
        <div className={classes.actions}>
          <Button type="submit">{say('agentMake')}</Button>
        </div>
      </Form>
    </>
  )
}

type TakenNumber = Answering['numbers'][number]

/** What callers of the number no longer reach, and by which hours it goes. */
function Taken({ number, hasHours }: { number: TakenNumber; hasHours: boolean }) {
  const say = useWords('settings')
  const shown = phone(number.phone_number ?? '')
  return (
    <>
      <Lost number={shown} answer={answerOf(number)} />{' '}
      {hasHours && number.business_hours !== null ? <strong>{say('agentHoursToo', { number: shown })}</strong> : null}
    </>
  )
}

/** The way back of a number that something else answered; the agent stays. */
function useGiveBack() {
  const say = useWords('settings')
  const takeBack = useTakeBack()
  return async (before: TakenNumber) => {
    if (answerOf(before) === undefined) return undefined
    const { id } = before
    const [saved] = await searchRead(NUMBERS, { domain: [['id', '=', id]], fields: ANSWERED_BY, limit: 1 })
    const back = await takeBack({ model: NUMBERS, id, before: { ...before }, sent: only({ ...saved }, ANSWERED_BY) })
    return back === undefined ? undefined : { ...back, label: say('agentGivesBack') }
  }
}

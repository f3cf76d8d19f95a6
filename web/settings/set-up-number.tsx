import { Select, Textarea } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { create, nameSearch, write } from '../data/client.ts'
import { sentenceOf } from '../data/errors.ts'
import { asks, keyOf, keysOf } from '../data/keys.ts'
import { listQuery } from '../data/queries.ts'
import { Button, Form } from '../design/press.tsx'
import { useWords } from '../words/words.ts'
import { Proof } from './proof.tsx'
import classes from './settings.module.css'
import { SETTINGS } from './settings-row.ts'

const NUMBERS = 'connect.telco.number'
const SENTENCE = 'sentence'
const TARGETS = [
  { kind: 'voiceai_agent', model: 'connect.voiceai_agent', words: 'anAgent' },
  { kind: 'user', model: 'connect.user', words: 'aPerson' },
  { kind: 'callflow', model: 'connect.telco.callflow', words: 'aFlow' },
] as const
const SHOWN_MAX = 50

/** One number, and what answers it: something that is there, or a sentence of one's own. */
export function NumberStep() {
  const say = useWords('settings')
  const queries = useQueryClient()
  const { data: numbers = [] } = useNumbers()
  const { data: targets = [] } = useTargets()
  const [number, setNumber] = useState<string | null>(null)
  const [target, setTarget] = useState<string>(SENTENCE)
  const [problem, setProblem] = useState<string>()
  const answered = numbers.find(({ destination }) => destination !== null)
  const chosen = number ?? (numbers[0] === undefined ? null : String(numbers[0].id))
  const submit = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    const sentence = String(new FormData(event.currentTarget).get('sentence') ?? '')
    try {
      const [kind = '', id = ''] = target === SENTENCE ? ['callflow', await newFlow(sentence)] : target.split(' ')
      await write(NUMBERS, [Number(chosen)], { destination: kind, [kind]: Number(id) })
      setProblem(undefined)
    } catch (error) {
      setProblem(sentenceOf(error))
    }
    await queries.invalidateQueries({ queryKey: keysOf(NUMBERS) })
    await queries.invalidateQueries({ queryKey: keysOf(SETTINGS, 'set-up') })
  }
  const groups = TARGETS.map(({ kind, words }) => ({
    group: say(words),
    items: targets
      .filter((each) => each.kind === kind)
      .map(({ id, name }) => ({ value: `${kind} ${id}`, label: name })),
  })).filter(({ items }) => items.length > 0)
  return (
    <section className={classes.card}>
      <h2>{say('whatAnswers')}</h2>
      <p className="dim">{say(numbers.length === 0 ? 'noNumbers' : 'whatAnswersSays')}</p>
      <Form className={classes.form} onSubmit={submit}>
        <Select
          label={say('number')}
          allowDeselect={false}
          data={numbers.map(({ id, phone_number: text }) => ({ value: String(id), label: text ?? '' }))}
          value={chosen}
          onChange={setNumber}
        />
        <Select
          label={say('answeredBy')}
          allowDeselect={false}
          data={[{ group: say('here'), items: [{ value: SENTENCE, label: say('aSentence') }] }, ...groups]}
          value={target}
          onChange={(value) => setTarget(value ?? SENTENCE)}
        />
        {target === SENTENCE ? (
          <Textarea className={classes.wide} name="sentence" label={say('sentence')} defaultValue={say('sentenceIs')} />
        ) : null}
        <p role="alert" className={classes.problem}>
          {problem}
        </p>
        <div className={classes.actions}>
          <Button type="submit" disabled={chosen === null}>
            {say('save')}
          </Button>
        </div>
      </Form>
      {answered === undefined ? null : (
        <Proof isRight>{say('isAnswered', { number: answered.phone_number ?? '' })}</Proof>
      )}
    </section>
  )

  async function newFlow(sentence: string): Promise<string> {
    const values = { name: say('flowName'), prompt_message: sentence, gather_input: false }
    return String(await create('connect.telco.callflow', values))
  }
}

export function useNumbers() {
  return useQuery(listQuery(NUMBERS, { fields: ['phone_number', 'destination'], order: 'id', limit: SHOWN_MAX }))
}

function useTargets() {
  return useQuery(
    asks({
      queryKey: keyOf(NUMBERS, 'targets'),
      queryFn: async () => {
        const found = await Promise.all(TARGETS.map(({ model }) => nameSearch(model, '', SHOWN_MAX)))
        return TARGETS.flatMap(({ kind }, at) => (found[at] ?? []).map(([id, name]) => ({ kind, id, name })))
      },
    }),
  )
}

import { Select, Textarea } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { create, nameSearch, searchRead, write } from '../data/client.ts'
import { sentenceOf } from '../data/errors.ts'
import { asks, keyOf, keysOf } from '../data/keys.ts'
import { listQuery } from '../data/queries.ts'
import { tellDone } from '../design/notices.tsx'
import { Button, Form } from '../design/press.tsx'
import { useProblem } from '../design/use-problem.ts'
import { wordedFieldsQuery } from '../records/fields.ts'
import { answerOf } from '../records/reach.ts'
import { SilentFlowNote } from '../records/silent-flow.tsx'
import { SilentPersonNote } from '../records/silent-person.tsx'
import { useTakeBack } from '../records/take-back.ts'
import { phone, plain } from '../words/formats.ts'
import { useWords } from '../words/words.ts'
import { BuyNumber } from './buy-number.tsx'
import { Proof } from './proof.tsx'
import classes from './settings.module.css'
import { SETTINGS } from './settings-row.ts'

const NUMBERS = 'connect.telco.number'
const FLOWS = 'connect.telco.callflow'
const SENTENCE = 'sentence'
const TARGETS = [
  { kind: 'voiceai_agent', model: 'connect.voiceai_agent', words: 'anAgent' },
  { kind: 'user', model: 'connect.user', words: 'aPerson' },
  { kind: 'callflow', model: 'connect.telco.callflow', words: 'aFlow' },
  { kind: 'markup', model: 'connect.telco.markup', words: 'anApplication' },
] as const
const SHOWN_MAX = 50

interface Target {
  kind: string
  id: number
  name: string
}

interface SpokenProps {
  isOff: boolean
  language: string | null
  onChange: (language: string) => void
}

/** One number and what answers it now, which is exchanged for something that is there, or for a sentence of one's own. */
export function NumberStep() {
  const say = useWords('settings')
  const queries = useQueryClient()
  const takeBack = useTakeBack()
  const { data: numbers = [], isPending } = useNumbers()
  const [id, setId] = useState<number>()
  const [chosen, setChosen] = useState<string>()
  const [language, setLanguage] = useState<string>()
  const [problem, setProblem] = useProblem<string | undefined>(undefined)
  const number = numbers.find((each) => each.id === id) ?? numbers[0]
  const { answer, target, spoken, led, isSpoken } = editedOf(number, { chosen, language })
  const { data: targets = [] } = useTargets(answer)
  const isChanged = led !== undefined || isSpoken
  const shown = phone(String(number?.phone_number))
  const submit = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    if (number === undefined || !isChanged) return
    const sentence = String(new FormData(event.currentTarget).get('sentence') ?? '')
    try {
      const link = led === undefined ? {} : await linkTo(led, sentence)
      const sent = { ...link, ...(isSpoken ? { language: spoken } : {}) }
      await write(NUMBERS, [number.id], sent)
      setProblem(undefined)
      const back = await takeBack({ model: NUMBERS, id: number.id, before: number, sent })
      setChosen(undefined)
      setLanguage(undefined)
      tellDone(led === undefined ? say('numberSaved') : say('nowAnswers', { name: nameOf(led), number: shown }), back)
    } catch (error) {
      setProblem(sentenceOf(error))
    }
    await queries.invalidateQueries({ queryKey: keysOf(NUMBERS) })
    await queries.invalidateQueries({ queryKey: keysOf(SETTINGS, 'set-up') })
  }
  return (
    <section className={classes.card}>
      <h2>{say('whatAnswers')}</h2>
      <p className="dim">{say(numbers.length === 0 && !isPending ? 'noNumbers' : 'whatAnswersSays')}</p>
      <BuyNumber onBought={setId} />
      <Form className={classes.form} onSubmit={submit}>
        <Select
          label={say('number')}
          data={numbers.map((each) => ({ value: String(each.id), label: phone(each.phone_number ?? '') }))}
          value={number === undefined ? null : String(number.id)}
          onChange={(next) => {
            setId(Number(next))
            setChosen(undefined)
            setLanguage(undefined)
          }}
        />
        <Select
          label={say('answeredBy')}
          placeholder={say('nothingAnswers')}
          disabled={number === undefined}
          data={groupsOf(targets, say)}
          value={target ?? null}
          onChange={(value) => setChosen(value ?? undefined)}
        />
        <Spoken isOff={number === undefined} language={spoken} onChange={setLanguage} />
        {target === SENTENCE ? (
          <Textarea className={classes.wide} name="sentence" label={say('sentence')} defaultValue={say('sentenceIs')} />
        ) : null}
        <SilentPersonNote id={linkOf(target, 'user')} />
        <SilentFlowNote id={linkOf(target, 'callflow')} />
        <p role="status" className={classes.impact}>
          {led !== undefined ? <Lost number={shown} answer={answer} /> : null}
        </p>
        <p role="alert" className={classes.problem}>
          {problem}
        </p>
        <div className={classes.actions}>
          <Button type="submit" disabled={!isChanged}>
            {say('save')}
          </Button>
        </div>
      </Form>
      {answer === undefined ? null : <Answered id={number?.id} number={shown} />}
    </section>
  )

  function nameOf(option: string): string {
    if (option === SENTENCE) return say('flowName')
    return plain(targets.find((each) => optionOf(each) === option)?.name ?? '')
  }

  async function linkTo(option: string, sentence: string) {
    const [kind = '', link = ''] = option === SENTENCE ? ['callflow', await newFlow(sentence)] : option.split(' ')
    return { destination: kind, [kind]: Number(link) }
  }

  /** It speaks the language of its number. */
  async function newFlow(sentence: string): Promise<string> {
    const values = { name: say('flowName'), prompt_message: sentence, gather_input: false }
    return String(await create(FLOWS, spoken === null ? values : { ...values, language: spoken }))
  }
}

/** What callers hear of the number itself is said in it. */
function Spoken({ isOff, language, onChange }: SpokenProps) {
  const say = useWords('settings')
  const { data: fields } = useQuery(wordedFieldsQuery(NUMBERS))
  return (
    <Select
      label={say('numberSpeaks')}
      description={say('numberSpeaksSays')}
      searchable
      allowDeselect={false}
      disabled={isOff}
      data={(fields?.language?.selection ?? []).map(([value, label]) => ({ value, label }))}
      value={language}
      onChange={(value) => value !== null && onChange(value)}
    />
  )
}

interface Chosen {
  chosen: string | undefined
  language: string | undefined
}

type Numbered = NonNullable<ReturnType<typeof useNumbers>['data']>[number]

/** What answers the number and what it speaks, as it is and as it was chosen. */
function editedOf(number: Numbered | undefined, { chosen, language }: Chosen) {
  const answer = number === undefined ? undefined : answerOf(number)
  const now = answer === undefined ? undefined : optionOf(answer)
  const target = chosen ?? now
  const was = number?.language ?? null
  const spoken = language ?? was
  return { answer, target, spoken, led: target === now ? undefined : target, isSpoken: spoken !== was }
}

/** The record of the kind that an option stands for. */
function linkOf(option: string | undefined, wanted: 'user' | 'callflow'): number | undefined {
  const [kind, id] = (option ?? '').split(' ')
  return kind === wanted ? Number(id) : undefined
}

/** That callers of the number are answered, or that they reach no one. */
function Answered({ id, number }: { id: number | undefined; number: string }) {
  const say = useWords('settings')
  const isVain = useIsVain(id)
  return <Proof isRight={!isVain}>{say(isVain ? 'isAnsweredByNoOne' : 'isAnswered', { number })}</Proof>
}

/** Whether callers are led to a person of whom no phone rings and who takes no messages, or to a group of such people. */
function useIsVain(id: number | undefined): boolean {
  const { data = false } = useQuery(
    asks({
      queryKey: keyOf(NUMBERS, 'reaches-no-one', id),
      enabled: id !== undefined,
      queryFn: async () => {
        const [number] = await searchRead(NUMBERS, { domain: [['id', '=', id]], fields: ['reaches_no_one'], limit: 1 })
        return number?.reaches_no_one === true
      },
    }),
  )
  return data
}

/** Who is no longer reached once it is saved. */
export function Lost({ number, answer }: { number: string; answer: Target | undefined }) {
  const say = useWords('settings')
  if (answer === undefined) return null
  return <strong>{say('reachesNoMore', { number, name: plain(answer.name) })}</strong>
}

/** What can answer, by its kind. */
function groupsOf(targets: readonly Target[], say: ReturnType<typeof useWords<'settings'>>) {
  const own = { group: say('here'), items: [{ value: SENTENCE, label: say('aSentence') }] }
  const groups = TARGETS.map(({ kind, words }) => ({
    group: say(words),
    items: targets
      .filter((each) => each.kind === kind)
      .map((each) => ({ value: optionOf(each), label: plain(each.name) || `#${each.id}` })),
  }))
  return [own, ...groups.filter(({ items }) => items.length > 0)]
}

function optionOf({ kind, id }: Pick<Target, 'kind' | 'id'>): string {
  return `${kind} ${id}`
}

export function useNumbers() {
  const fields = [
    ...(['phone_number', 'destination', 'user', 'callflow', 'markup', 'voiceai_agent', 'language'] as const),
    ...(['business_hours', 'closed_exten'] as const),
  ] as const
  return useQuery(listQuery(NUMBERS, { fields, order: 'id', limit: SHOWN_MAX }))
}

/** What can answer, and what does now, also when it is not among the first. */
function useTargets(answer: Target | undefined) {
  const { data: found = [] } = useQuery(
    asks({
      queryKey: keyOf(NUMBERS, 'targets'),
      queryFn: async (): Promise<Target[]> => {
        const named = await Promise.all(TARGETS.map(({ model }) => nameSearch(model, '', { limit: SHOWN_MAX })))
        return TARGETS.flatMap(({ kind }, at) => (named[at] ?? []).map(([id, name]) => ({ kind, id, name })))
      },
    }),
  )
  const isListed = answer === undefined || found.some((each) => optionOf(each) === optionOf(answer))
  return { data: isListed ? found : [answer, ...found] }
}

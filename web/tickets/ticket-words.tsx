import { Group, Textarea, TextInput } from '@mantine/core'
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { callByName } from '../data/client.ts'
import { useDraft } from '../data/drafts.ts'
import { sentenceOf } from '../data/errors.ts'
import { useFocusAlong } from '../design/focus-along.ts'
import { tellDone } from '../design/notices.tsx'
import { Button, Form } from '../design/press.tsx'
import { useProblem } from '../design/use-problem.ts'
import { type Conflict, ConflictNotice, conflictOf, useSavedWords } from '../records/conflict.tsx'
import { wordedFieldsQuery } from '../records/fields.ts'
import { changesOf, only, type Values } from '../records/record-values.ts'
import { useTakeBack } from '../records/take-back.ts'
import { useTellDiscarded } from '../records/tell-discarded.ts'
import { useWords } from '../words/words.ts'
import { refreshTickets } from './board-data.ts'
import classes from './ticket.module.css'

const MODEL = 'helpdesk.ticket'

interface Words {
  name: string | null
  description: string | null
}

interface Props {
  ticket: Words & { id: number; write_stamp: string | null }
}

/** What is typed, what stood there when it was begun, and the version that it was typed on. */
interface Draft extends Words {
  before: Words
  stamp: string | null
}

const FIELDS = ['name', 'description'] as const

/** The draft on the ticket as it is now: a field that was not typed over shows the words that somebody else wrote since. */
function savedKey(vals: Values): 'subjectSaved' | 'descriptionSaved' | 'wordsSaved' {
  if ('name' in vals && 'description' in vals) return 'wordsSaved'
  return 'name' in vals ? 'subjectSaved' : 'descriptionSaved'
}

function onTicket(draft: Draft, now: Words): Draft {
  const untouched = FIELDS.filter((field) => draft[field] === draft.before[field])
  const there = only({ ...now }, untouched)
  return { ...draft, ...there, before: { ...draft.before, ...there } }
}

/** What a ticket is about: read, and written in place. */
export function TicketWords({ ticket }: Props) {
  const say = useWords('tickets')
  const [draft, setDraft] = useDraft<Draft>({ model: MODEL, id: ticket.id, field: 'words' })
  const before = { name: ticket.name, description: ticket.description }
  const place = useFocusAlong<HTMLDivElement>(draft !== undefined)
  return (
    <div ref={place}>
      {draft === undefined ? (
        <>
          {ticket.description === null ? null : <p className={classes.description}>{ticket.description}</p>}
          <Button
            data-along
            variant="subtle"
            size="compact-sm"
            onClick={() => setDraft({ ...before, before, stamp: ticket.write_stamp })}
          >
            {say('editWords')}
          </Button>
        </>
      ) : (
        <WordsForm id={ticket.id} draft={onTicket(draft, before)} onType={setDraft} />
      )}
    </div>
  )
}

interface FormProps {
  id: number
  draft: Draft
  onType: (draft: Draft | undefined | ((now: Draft | undefined) => Draft | undefined)) => void
}

function WordsForm({ id, draft, onType }: FormProps) {
  const say = useWords('tickets')
  const queries = useQueryClient()
  const { data: fields } = useSuspenseQuery(wordedFieldsQuery(MODEL))
  const [problem, setProblem] = useProblem('')
  const [conflict, setConflict] = useState<Conflict>()
  const savedWords = useSavedWords()
  const takeBack = useTakeBack()
  const tellDiscarded = useTellDiscarded()
  const put = async (vals: Values, { before, stamp }: Draft, others: Conflict | undefined): Promise<void> => {
    if (Object.keys(vals).length === 0) return
    await callByName(MODEL, 'write', { ids: [id], vals, context: stamp === null ? {} : { unchanged_since: stamp } })
    const back = await takeBack({ model: MODEL, id, before: { ...before }, sent: vals })
    tellDone(savedWords(say(savedKey(vals)), others), back)
  }
  const save = async (typed: Draft, others?: Conflict): Promise<void> => {
    const { name, description, before } = typed
    setProblem('')
    setConflict(undefined)
    const vals = changesOf({ ...before }, { name, description })
    try {
      await put(vals, typed, others)
      onType(undefined)
    } catch (error) {
      const met = await conflictOf(error, { model: MODEL, id, fields, before: { ...before }, mine: vals })
      if (met === undefined) setProblem(sentenceOf(error))
      // What somebody else changed elsewhere in the ticket stays.
      else if (met.changes.length === 0) await save({ ...typed, stamp: met.stamp }, met)
      else setConflict(met)
    }
    await refreshTickets(queries)
  }
  const choose = async (taken: readonly string[]): Promise<void> => {
    if (conflict === undefined) return
    const theirs = Object.fromEntries(conflict.changes.map(({ name, value }) => [name, value]))
    const chosen = { ...draft, ...only(theirs, taken), before: { ...draft.before, ...theirs }, stamp: conflict.stamp }
    onType(chosen)
    await save(chosen)
  }
  const cancel = (): void => {
    onType(undefined)
    const isTyped = FIELDS.some((field) => draft[field] !== draft.before[field])
    if (isTyped) tellDiscarded(() => onType((now) => now ?? draft))
  }
  return (
    <Form onSubmit={() => save(draft)}>
      {conflict === undefined ? null : <ConflictNotice conflict={conflict} onChoose={choose} />}
      <TextInput
        data-along
        label={say('subject')}
        value={draft.name ?? ''}
        onChange={({ currentTarget }) => onType({ ...draft, name: currentTarget.value })}
      />
      <Textarea
        label={say('wordsOf')}
        autosize
        minRows={3}
        maxRows={16}
        mt={8}
        value={draft.description ?? ''}
        onChange={({ currentTarget }) => onType({ ...draft, description: currentTarget.value || null })}
      />
      <p role="alert">{problem}</p>
      <Group gap={8} mt={8}>
        <Button type="submit" disabled={(draft.name ?? '').trim() === ''}>
          {say('save')}
        </Button>
        <Button variant="subtle" onClick={cancel}>
          {say('cancel')}
        </Button>
      </Group>
    </Form>
  )
}

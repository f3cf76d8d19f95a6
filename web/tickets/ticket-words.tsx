import { Group, Textarea, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { callByName } from '../data/client.ts'
import { useDraft } from '../data/drafts.ts'
import { sentenceOf } from '../data/errors.ts'
import { tellDone } from '../design/notices.tsx'
import { Button, Form } from '../design/press.tsx'
import { useTakeBack } from '../records/take-back.ts'
import { plain } from '../words/formats.ts'
import { useWords } from '../words/words.ts'
import { refreshTickets } from './board-data.ts'
import classes from './ticket.module.css'

interface Words {
  name: string | null
  description: string | null
}

interface Props {
  ticket: Words & { id: number; write_stamp: string | null }
}

/** What is typed, and what stood there when it was begun. */
interface Draft extends Words {
  before: Words
}

/** What a ticket is about: read, and written in place. */
export function TicketWords({ ticket }: Props) {
  const say = useWords('tickets')
  const [draft, setDraft] = useDraft<Draft>({ model: 'helpdesk.ticket', id: ticket.id, field: 'words' })
  const before = { name: ticket.name, description: ticket.description }
  if (draft !== undefined) return <WordsForm ticket={ticket} draft={draft} onType={setDraft} />
  return (
    <div>
      {ticket.description === null ? null : <p className={classes.description}>{ticket.description}</p>}
      <Button variant="subtle" size="compact-sm" onClick={() => setDraft({ ...before, before })}>
        {say('editWords')}
      </Button>
    </div>
  )
}

function WordsForm({ ticket, draft, onType }: Props & { draft: Draft; onType: (draft: Draft | undefined) => void }) {
  const say = useWords('tickets')
  const queries = useQueryClient()
  const [problem, setProblem] = useState('')
  const { id, write_stamp: stamp } = ticket
  const { name, description, before } = draft
  const takeBack = useTakeBack()
  const put = (vals: Words, context: object) => callByName('helpdesk.ticket', 'write', { ids: [id], vals, context })
  const save = async (): Promise<void> => {
    if (ticket.name !== before.name || ticket.description !== before.description) {
      const there = [ticket.name, ticket.description].filter(Boolean).map((each) => plain(each ?? ''))
      setProblem(say('wordsChanged', { there: there.join(' – ') }))
      onType({ ...draft, before: { name: ticket.name, description: ticket.description } })
      return
    }
    try {
      await put({ name, description }, stamp === null ? {} : { unchanged_since: stamp })
      tellDone(
        say('wordsSaved'),
        await takeBack({ model: 'helpdesk.ticket', id, before: { ...before }, sent: { name, description } }),
      )
      onType(undefined)
    } catch (error) {
      setProblem(sentenceOf(error))
    }
    await refreshTickets(queries)
  }
  return (
    <Form onSubmit={save}>
      <TextInput
        label={say('subject')}
        value={name ?? ''}
        onChange={({ currentTarget }) => onType({ ...draft, name: currentTarget.value })}
      />
      <Textarea
        label={say('wordsOf')}
        autosize
        minRows={3}
        maxRows={16}
        mt={8}
        value={description ?? ''}
        onChange={({ currentTarget }) => onType({ ...draft, description: currentTarget.value || null })}
      />
      <p role="alert">{problem}</p>
      <Group gap={8}>
        <Button type="submit" disabled={(name ?? '').trim() === ''}>
          {say('save')}
        </Button>
        <Button variant="subtle" onClick={() => onType(undefined)}>
          {say('cancel')}
        </Button>
      </Group>
    </Form>
  )
}

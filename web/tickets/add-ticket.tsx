import { TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { create } from '../data/client.ts'
import { useDraft } from '../data/drafts.ts'
import { tellRefusal } from '../design/notices.tsx'
import { Button, Form } from '../design/press.tsx'
import { useWords } from '../words/words.ts'
import classes from './board.module.css'
import { refreshTickets } from './board-data.ts'

/** A new ticket where it belongs: its subject is enough. */
export function AddTicket({ stage, team }: { stage: number; team: number | undefined }) {
  const say = useWords('tickets')
  const queries = useQueryClient()
  const [subject, setSubject] = useDraft<string>({ model: 'helpdesk.stage', id: stage, field: `ticket ${team ?? ''}` })
  if (subject === undefined) {
    return (
      <button type="button" className={classes.add} onClick={() => setSubject('')}>
        + {say('add')}
      </button>
    )
  }
  const save = async (): Promise<void> => {
    if (subject.trim() === '') {
      setSubject(undefined)
      return
    }
    try {
      await create('helpdesk.ticket', {
        name: subject,
        stage_id: stage,
        ...(team === undefined ? {} : { team_id: team }),
      })
      setSubject((now) => (now === subject ? '' : now))
      await refreshTickets(queries)
    } catch (error) {
      tellRefusal(error)
    }
  }
  return (
    <Form className={classes.adding} onSubmit={save}>
      <TextInput
        ref={(input) => input?.focus()}
        aria-label={say('subject')}
        placeholder={say('subject')}
        value={subject}
        onChange={({ currentTarget }) => setSubject(currentTarget.value)}
        onKeyDown={({ key }) => key === 'Escape' && setSubject(undefined)}
      />
      <Button type="submit" variant="default">
        {say('addIt')}
      </Button>
    </Form>
  )
}

import { Button, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { create } from '../data/client.ts'
import { tellRefusal } from '../design/notices.tsx'
import { useWords } from '../words/words.ts'
import classes from './board.module.css'
import { refreshTickets } from './board-data.ts'

/** A new ticket where it belongs: its subject is enough. */
export function AddTicket({ stage, team }: { stage: number; team: number | undefined }) {
  const say = useWords('tickets')
  const queries = useQueryClient()
  const [subject, setSubject] = useState<string>()
  if (subject === undefined) {
    return (
      <button type="button" className={classes.add} onClick={() => setSubject('')}>
        + {say('add')}
      </button>
    )
  }
  const save = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    if (subject.trim() === '') return setSubject(undefined)
    try {
      await create('helpdesk.ticket', {
        name: subject,
        stage_id: stage,
        ...(team === undefined ? {} : { team_id: team }),
      })
      setSubject('')
      await refreshTickets(queries)
    } catch (error) {
      tellRefusal(error)
    }
  }
  return (
    <form className={classes.adding} onSubmit={(event) => void save(event)}>
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
    </form>
  )
}

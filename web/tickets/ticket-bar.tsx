import { Select } from '@mantine/core'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useMemo, useRef } from 'react'
import type { Link as RecordLink } from '../data/models.gen.ts'
import { listQuery } from '../data/queries.ts'
import { useMe } from '../data/session.ts'
import { useKeys } from '../design/keys.ts'
import { Button } from '../design/press.tsx'
import { wordedFieldsQuery } from '../records/fields.ts'
import { LinkPicker } from '../records/link-picker.tsx'
import { plain } from '../words/formats.ts'
import { useWords } from '../words/words.ts'
import classes from './ticket.module.css'
import type { TicketRow } from './ticket-rows.ts'

const STAGES_MAX = 100

interface Props {
  ticket: Pick<TicketRow, 'stage_id' | 'priority' | 'user_id' | 'team_id'>
  onChange: (field: string, value: unknown, before: unknown) => void
}

/** Where a ticket stands, how urgent it is, and whose it is. */
export function TicketBar({ ticket, onChange }: Props) {
  const say = useWords('tickets')
  const me = useMe()
  const { stage_id: stage, priority, user_id: user, team_id: team } = ticket
  const { data: stages = [] } = useQuery(
    listQuery('helpdesk.stage', { fields: ['name'], order: 'sequence, id', limit: STAGES_MAX }),
  )
  const { data: fields } = useSuspenseQuery(wordedFieldsQuery('helpdesk.ticket'))
  const stageBox = useRef<HTMLInputElement>(null)
  const idOf = (value: unknown) => (Array.isArray(value) ? (value as RecordLink)[0] : null)
  const keys = useMemo(() => ({ m: () => stageBox.current?.click() }), [])
  useKeys(keys)
  return (
    <div className={classes.bar}>
      <Select
        ref={stageBox}
        label={say('stage')}
        allowDeselect={false}
        data={stages.map(({ id, name }) => ({ value: String(id), label: plain(name ?? `#${id}`) }))}
        value={stage === null ? null : String(stage[0])}
        onChange={(value) => onChange('stage_id', Number(value), stage?.[0] ?? null)}
      />
      <Select
        label={say('priority')}
        allowDeselect={false}
        data={(fields.priority?.selection ?? []).map(([value, label]) => ({ value, label }))}
        value={priority}
        onChange={(value) => onChange('priority', value, priority)}
      />
      <LinkPicker
        label={say('assigned')}
        model="res.users"
        value={user}
        onChange={(value) => onChange('user_id', idOf(value), user?.[0] ?? null)}
      />
      {user?.[0] === me.id ? null : (
        <Button
          variant="default"
          className={classes.toMe}
          onClick={() => onChange('user_id', me.id, user?.[0] ?? null)}
        >
          {say('toMe')}
        </Button>
      )}
      <LinkPicker
        label={say('team')}
        model="helpdesk.team"
        value={team}
        onChange={(value) => onChange('team_id', idOf(value), team?.[0] ?? null)}
      />
    </div>
  )
}

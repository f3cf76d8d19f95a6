import { Select } from '@mantine/core'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useMemo, useRef } from 'react'
import type { Domain } from '../data/client.ts'
import type { Link as RecordLink } from '../data/models.gen.ts'
import { listQuery } from '../data/queries.ts'
import { useMe } from '../data/session.ts'
import { useKeys } from '../design/keys.ts'
import { Button } from '../design/press.tsx'
import { wordedFieldsQuery } from '../records/fields.ts'
import { LinkPicker } from '../records/link-picker.tsx'
import { offered } from '../records/offered.ts'
import { plain } from '../words/formats.ts'
import { useWords } from '../words/words.ts'
import classes from './ticket.module.css'
import type { TicketRow } from './ticket-rows.ts'

const STAGES_MAX = 100

/** Why a change was refused, and of what it was one. */
export interface BarProblem {
  ticket: number
  field: string
  sentence: string
}

interface Props {
  ticket: Pick<TicketRow, 'id' | 'stage_id' | 'priority' | 'user_id' | 'team_id'>
  problem: BarProblem | undefined
  onChange: (field: string, value: unknown, before: unknown) => Promise<void>
}

/** Where a ticket stands, how urgent it is, and whose it is. */
export function TicketBar({ ticket, problem, onChange }: Props) {
  const say = useWords('tickets')
  const me = useMe()
  const { stage_id: stage, priority, user_id: user, team_id: team } = ticket
  const { data: fields } = useSuspenseQuery(wordedFieldsQuery('helpdesk.ticket'))
  const fitting = (field: string): Domain => offered(fields[field]?.domain, ticket) ?? []
  const { data: found = [] } = useQuery(
    listQuery('helpdesk.stage', {
      domain: fitting('stage_id'),
      fields: ['name'],
      order: 'sequence, id',
      limit: STAGES_MAX,
    }),
  )
  // Where it stands is said also where that is a stage of another team.
  const isOffered = stage === null || found.some(({ id }) => id === stage[0])
  const stages = isOffered ? found : [{ id: stage[0], name: stage[1] }, ...found]
  const problemOf = (field: string) =>
    problem?.ticket === ticket.id && problem.field === field ? problem.sentence : undefined
  const stageBox = useRef<HTMLInputElement>(null)
  const idOf = (value: unknown) => (Array.isArray(value) ? (value as RecordLink)[0] : null)
  const keys = useMemo(() => ({ m: () => stageBox.current?.click() }), [])
  useKeys(keys)
  return (
    <div className={classes.bar}>
      <Select
        ref={stageBox}
        label={say('stage')}
        error={problemOf('stage_id')}
        allowDeselect={false}
        data={stages.map(({ id, name }) => ({ value: String(id), label: plain(name ?? `#${id}`) }))}
        value={stage === null ? null : String(stage[0])}
        onChange={(value) => onChange('stage_id', Number(value), stage?.[0] ?? null)}
      />
      <Select
        label={say('priority')}
        error={problemOf('priority')}
        allowDeselect={false}
        data={(fields.priority?.selection ?? []).map(([value, label]) => ({ value, label }))}
        value={priority}
        onChange={(value) => onChange('priority', value, priority)}
      />
      <LinkPicker
        label={say('assigned')}
        error={problemOf('user_id')}
        model="res.users"
        domain={fitting('user_id')}
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
        error={problemOf('team_id')}
        model="helpdesk.team"
        value={team}
        onChange={(value) => onChange('team_id', idOf(value), team?.[0] ?? null)}
      />
    </div>
  )
}

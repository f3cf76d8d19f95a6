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
import { stageName } from '../words/labels.ts'
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

export interface BarChange {
  field: string
  value: unknown
  before: unknown
  done: string
}

interface Props {
  ticket: Pick<TicketRow, 'id' | 'stage_id' | 'priority' | 'user_id' | 'team_id'>
  problem: BarProblem | undefined
  /** What it is changed to, and what to say once it is. */
  onChange: (change: BarChange) => Promise<void>
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
  const nameOf = (field: string) => fields[field]?.string ?? field
  const assign = (to: RecordLink | null): Promise<void> => {
    const none = say('unassigned', { name: plain(user?.[1] ?? '') })
    const done = to === null ? none : say('assignedTo', { name: plain(to[1]) })
    return onChange({ field: 'user_id', value: to?.[0] ?? null, before: user?.[0] ?? null, done })
  }
  const moveTo = (id: number): Promise<void> => {
    const done = say('movedTo', { stage: plain(stageName(stages.find((each) => each.id === id)?.name ?? '')) })
    return onChange({ field: 'stage_id', value: id, before: stage?.[0] ?? null, done })
  }
  const change = (field: string, value: unknown, before: unknown) =>
    onChange({ field, value, before, done: say('saved', { field: nameOf(field) }) })
  const keys = useMemo(() => ({ m: () => stageBox.current?.click() }), [])
  useKeys(keys)
  return (
    <div className={classes.bar}>
      <Select
        ref={stageBox}
        label={say('stage')}
        error={problemOf('stage_id')}
        allowDeselect={false}
        data={stages.map(({ id, name }) => ({ value: String(id), label: plain(stageName(name ?? `#${id}`)) }))}
        value={stage === null ? null : String(stage[0])}
        onChange={(value) => moveTo(Number(value))}
      />
      <Select
        label={say('priority')}
        error={problemOf('priority')}
        allowDeselect={false}
        data={(fields.priority?.selection ?? []).map(([value, label]) => ({ value, label }))}
        value={priority}
        onChange={(value) => change('priority', value, priority)}
      />
      <LinkPicker
        label={say('assigned')}
        error={problemOf('user_id')}
        model="res.users"
        domain={fitting('user_id')}
        value={user}
        onChange={(value) => assign(linkOf(value))}
      />
      {user?.[0] === me.id ? null : (
        <Button variant="default" className={classes.toMe} onClick={() => assign([me.id, me.name])}>
          {say('toMe')}
        </Button>
      )}
      <LinkPicker
        label={say('team')}
        error={problemOf('team_id')}
        model="helpdesk.team"
        value={team}
        onChange={(value) => change('team_id', linkOf(value)?.[0] ?? null, team?.[0] ?? null)}
      />
    </div>
  )
}

function linkOf(value: unknown): RecordLink | null {
  return Array.isArray(value) ? (value as RecordLink) : null
}

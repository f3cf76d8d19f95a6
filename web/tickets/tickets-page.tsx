import { SegmentedControl, Select, Switch } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { create } from '../data/client.ts'
import { keysOf } from '../data/keys.ts'
import { listQuery } from '../data/queries.ts'
import { GROUP, useIsInOne, useMe } from '../data/session.ts'
import { PageHead } from '../design/page-head.tsx'
import { Button } from '../design/press.tsx'
import type { Columns } from '../records/list-row.tsx'
import { PagesList } from '../records/pages-list.tsx'
import { ViewPicker } from '../records/view-picker.tsx'
import { plain } from '../words/formats.ts'
import { formats, useWords } from '../words/words.ts'
import { Board } from './board.tsx'
import { rememberOrder } from './list-order.ts'
import { NameDialog } from './name-dialog.tsx'
import { domainOf, TICKET_FIELDS, type TicketRow } from './ticket-rows.ts'
import type { TicketsSearch } from './tickets-search.ts'

const TEAMS_MAX = 200

/** The tickets as a board of stages, or as a list. */
export function TicketsPage() {
  const say = useWords('tickets')
  const search = useSearch({ strict: false }) as TicketsSearch
  const navigate = useNavigate()
  const me = useMe()
  const { data: teams = [] } = useQuery(listQuery('helpdesk.team', { fields: ['name'], limit: TEAMS_MAX }))
  const change = (part: Partial<TicketsSearch>) => void navigate({ to: '.', search: { ...search, ...part } as never })
  const domain = domainOf(search, me.id)
  const queries = useQueryClient()
  const isManager = useIsInOne(GROUP.helpdeskManager)
  const [naming, setNaming] = useState<'team' | 'ticket'>()
  const saveTeam = async (name: string): Promise<void> => {
    const team = await create('helpdesk.team', { name })
    await queries.invalidateQueries({ queryKey: keysOf('helpdesk.team') })
    change({ team })
  }
  const saveTicket = async (name: string): Promise<void> => {
    const ofTeam = search.team === undefined ? {} : { team_id: search.team }
    open(await create('helpdesk.ticket', { name, ...ofTeam }))
  }
  const open = (id: number) => void navigate({ to: '/tickets/$id', params: { id: String(id) } })
  return (
    <>
      <PageHead title={say('title')}>
        <ViewPicker model="helpdesk.ticket" all={say('allTickets')} />
        <Select
          aria-label={say('team')}
          placeholder={say('allTeams')}
          clearable
          w={170}
          data={teams.map(({ id, name }) => ({ value: String(id), label: plain(name ?? `#${id}`) }))}
          value={search.team === undefined ? null : String(search.team)}
          onChange={(team) => change({ team: team === null ? undefined : Number(team) })}
        />
        <Switch
          label={say('mine')}
          checked={search.mine === true}
          onChange={({ currentTarget }) => change({ mine: currentTarget.checked || undefined })}
        />
        <SegmentedControl
          aria-label={say('as')}
          data={[
            { value: 'board', label: say('board') },
            { value: 'list', label: say('list') },
          ]}
          value={search.as ?? 'board'}
          onChange={(as) => change({ as: as === 'list' ? as : undefined })}
        />
        {isManager ? (
          <Button variant="subtle" onClick={() => setNaming('team')}>
            {say('newTeam')}
          </Button>
        ) : null}
        <Button onClick={() => setNaming('ticket')}>{say('new')}</Button>
        {naming === undefined ? null : (
          <NameDialog
            title={naming === 'team' ? say('newTeam') : say('newTicket')}
            onClose={() => setNaming(undefined)}
            onSave={naming === 'team' ? saveTeam : saveTicket}
          />
        )}
      </PageHead>
      {search.as === 'list' ? (
        <PagesList
          model="helpdesk.ticket"
          label={say('title')}
          fields={TICKET_FIELDS}
          domain={domain}
          empty={say('empty')}
          onShowAll={() => void navigate({ to: '.', search: { as: 'list' } as never })}
          onOpen={({ id }) => open(id)}
          columns={(rows) => {
            rememberOrder(rows.map(({ id }) => id))
            return listed(say)
          }}
        />
      ) : (
        <Board domain={domain} team={search.team} onOpen={open} />
      )}
    </>
  )
}

/** What the list shows of a ticket. */
function listed(say: ReturnType<typeof useWords<'tickets'>>): Columns<TicketRow> {
  return [
    {
      id: 'name',
      label: say('subject'),
      width: 'minmax(180px, 2fr)',
      cell: ({ id, name }) => `#${id} ${plain(name ?? '')}`,
    },
    {
      id: 'stage',
      label: say('stage'),
      width: 'minmax(100px, 1fr)',
      cell: ({ stage_id: stage }) => plain(stage?.[1] ?? ''),
    },
    {
      id: 'contact',
      label: say('contact'),
      width: 'minmax(120px, 1fr)',
      cell: ({ partner_name: name }) => plain(name ?? ''),
    },
    {
      id: 'user',
      label: say('assigned'),
      width: 'minmax(100px, 1fr)',
      cell: ({ user_id: user }) => plain(user?.[1] ?? ''),
    },
    {
      id: 'created',
      label: say('created'),
      width: '120px',
      isHiddenNarrow: true,
      cell: ({ create_date: at }) => (at === null ? '' : formats.time(at)),
    },
  ]
}

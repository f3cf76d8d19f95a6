import { SegmentedControl, Select, Switch } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { create, type Domain } from '../data/client.ts'
import { keysOf } from '../data/keys.ts'
import type { Link as RecordLink } from '../data/models.gen.ts'
import { listQuery, throwsInstead } from '../data/queries.ts'
import { GROUP, useIsInOne, useMe } from '../data/session.ts'
import { PageHead } from '../design/page-head.tsx'
import { Button } from '../design/press.tsx'
import { useGoneMark } from '../records/deactivated.ts'
import { ExportButton } from '../records/export-button.tsx'
import type { Columns } from '../records/list-row.tsx'
import { NewTicket } from '../records/new-ticket.tsx'
import { PagesList } from '../records/pages-list.tsx'
import { SearchInput } from '../records/search-input.tsx'
import { useSelection } from '../records/selection.ts'
import { SelectionBar } from '../records/selection-bar.tsx'
import { ViewPicker } from '../records/view-picker.tsx'
import { plain } from '../words/formats.ts'
import { stageName } from '../words/labels.ts'
import { formats, useWords } from '../words/words.ts'
import classes from './board.module.css'
import { Board } from './board.tsx'
import { foundQuery } from './board-data.ts'
import { rememberOrder } from './list-order.ts'
import { NameDialog } from './name-dialog.tsx'
import { contactOf, domainOf, TICKET_FIELDS, type TicketRow } from './ticket-rows.ts'
import type { TicketsSearch } from './tickets-search.ts'

const TEAMS_MAX = 200
/** What a file of tickets says of each. */
const FILE_FIELDS = [
  ...['id', 'name', 'stage_id', 'priority', 'partner_id', 'partner_name', 'partner_phone', 'partner_email'],
  ...['user_id', 'team_id', 'create_date', 'closed_at'],
]

/** The tickets as a board of stages, or as a list. */
export function TicketsPage() {
  const say = useWords('tickets')
  const search = useSearch({ strict: false }) as TicketsSearch
  const navigate = useNavigate()
  const me = useMe()
  const { teams, team } = useTeams(search.team)
  const { found, isPart } = useFound(search.text)
  const change = (part: Partial<TicketsSearch>) => void navigate({ to: '.', search: { ...search, ...part } as never })
  const domain = domainOf({ ...search, team: team?.[0] }, me.id, found)
  const open = (id: number) => void navigate({ to: '/tickets/$id', params: { id: String(id) } })
  const isFiltered = team !== undefined || search.mine === true || search.text !== undefined
  return (
    <>
      <PageHead title={say('title')}>
        <ViewPicker model="helpdesk.ticket" all={say('allTickets')} />
        <SearchInput
          label={say('search')}
          text={search.text}
          className={classes.search}
          onSearch={(text) => change({ text })}
        />
        <Select
          aria-label={say('team')}
          placeholder={say('allTeams')}
          clearable
          className={classes.team}
          data={teams.map(([id, name]) => ({ value: String(id), label: plain(name) }))}
          value={team === undefined ? null : String(team[0])}
          onChange={(chosen) => change({ team: chosen === null ? undefined : Number(chosen) })}
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
          onChange={(as) => {
            change({ as: as === 'list' ? as : undefined })
            leaveClicked()
          }}
        />
        <NewTeamAndTicket team={team} onTeam={(made) => change({ team: made })} onTicket={open} />
      </PageHead>
      {isPart ? (
        <p role="status" className={classes.part}>
          {say('searchPart')}
        </p>
      ) : null}
      {search.text !== undefined && found === undefined ? null : (
        <Tickets
          {...{ domain, team, isFiltered }}
          isList={search.as === 'list'}
          isSearched={search.text !== undefined}
          onOpen={open}
        />
      )}
    </>
  )
}

interface Shown {
  domain: Domain
  team: RecordLink | undefined
  isList: boolean
  isFiltered: boolean
  isSearched: boolean
  onOpen: (id: number) => void
}

/** After a click on the switch, arrows walk through the tickets; one who came to it by keys goes on by keys. */
function leaveClicked(): void {
  const focused = document.activeElement
  if (focused instanceof HTMLElement && !focused.matches(':focus-visible')) focused.blur()
}

function Tickets({ domain, team, isList, isFiltered, isSearched, onOpen }: Shown) {
  const say = useWords('tickets')
  const navigate = useNavigate()
  const markOf = useGoneMark()
  const selection = useSelection(JSON.stringify(domain))
  const file = { model: 'helpdesk.ticket', fields: FILE_FIELDS, nameLabel: say('title') }
  if (!isList) {
    return (
      <>
        <Board domain={domain} team={team} isSearched={isSearched} onOpen={onOpen} />
        <footer className={classes.foot}>
          <ExportButton {...file} domain={domain} count={0} />
        </footer>
      </>
    )
  }
  return (
    <PagesList
      model="helpdesk.ticket"
      label={say('title')}
      fields={TICKET_FIELDS}
      domain={domain}
      isFiltered={isFiltered}
      empty={say('empty')}
      onShowAll={() => void navigate({ to: '.', search: { as: 'list' } as never })}
      onOpen={({ id }) => onOpen(id)}
      selection={selection}
      actions={(total) => <SelectionBar {...file} {...{ domain, selection, total }} />}
      columns={(rows) => {
        rememberOrder(rows.map(({ id }) => id))
        return listed(say, markOf)
      }}
    />
  )
}

/** All teams, and the one that is looked at; one that is not there filters nothing, and so is not shown. */
function useTeams(id: number | undefined): { teams: readonly RecordLink[]; team: RecordLink | undefined } {
  const { data } = useQuery(listQuery('helpdesk.team', { fields: ['name'], limit: TEAMS_MAX }))
  const teams = (data ?? []).map(({ id: team, name }): RecordLink => [team, name ?? `#${team}`])
  const known = teams.find(([team]) => team === id)
  return { teams, team: known ?? (data === undefined && id !== undefined ? [id, `#${id}`] : undefined) }
}

/** Where the words were found; undefined without words, and until it is known. */
function useFound(text: string | undefined): { found: readonly number[] | undefined; isPart: boolean } {
  const { data } = useQuery({ ...foundQuery(text ?? ''), enabled: text !== undefined, throwOnError: throwsInstead })
  return text === undefined
    ? { found: undefined, isPart: false }
    : { found: data?.ids, isPart: data?.is_whole === false }
}

interface Making {
  team: RecordLink | undefined
  onTeam: (id: number) => void
  onTicket: (id: number) => void
}

function NewTeamAndTicket({ team, onTeam, onTicket }: Making) {
  const say = useWords('tickets')
  const queries = useQueryClient()
  const isManager = useIsInOne(GROUP.helpdeskManager)
  const [making, setMaking] = useState<'team' | 'ticket'>()
  const saveTeam = async (name: string): Promise<void> => {
    const made = await create('helpdesk.team', { name })
    await queries.invalidateQueries({ queryKey: keysOf('helpdesk.team') })
    onTeam(made)
  }
  const close = () => setMaking(undefined)
  return (
    <>
      {isManager ? (
        <Button variant="subtle" onClick={() => setMaking('team')}>
          {say('newTeam')}
        </Button>
      ) : null}
      <Button onClick={() => setMaking('ticket')}>{say('new')}</Button>
      {making === 'team' ? <NameDialog title={say('newTeam')} onClose={close} onSave={saveTeam} /> : null}
      {making === 'ticket' ? (
        <NewTicket place={`team ${team?.[0] ?? ''}`} team={team} onClose={close} onMade={onTicket} />
      ) : null}
    </>
  )
}

/** What the list shows of a ticket. */
function listed(
  say: ReturnType<typeof useWords<'tickets'>>,
  markOf: ReturnType<typeof useGoneMark>,
): Columns<TicketRow> {
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
      cell: ({ stage_id: stage }) => plain(stageName(stage?.[1] ?? '')),
    },
    {
      id: 'contact',
      label: say('contact'),
      width: 'minmax(120px, 1fr)',
      cell: (ticket) => plain(contactOf(ticket)),
    },
    {
      id: 'user',
      label: say('assigned'),
      width: 'minmax(100px, 1fr)',
      cell: ({ user_id: user }) => (user === null ? '' : `${plain(user[1])}${markOf(user[0])}`),
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

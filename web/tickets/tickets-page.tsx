import { Button, SegmentedControl, Select, Switch } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { listQuery } from '../data/queries.ts'
import { useMe } from '../data/session.ts'
import { PageHead } from '../design/page-head.tsx'
import { PagesList } from '../records/pages-list.tsx'
import { plain } from '../words/formats.ts'
import { formats, useWords } from '../words/words.ts'
import { Board } from './board.tsx'
import { domainOf, TICKET_FIELDS } from './ticket-rows.ts'
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
  const open = (id: number) => void navigate({ to: '/tickets/$id', params: { id: String(id) } })
  return (
    <>
      <PageHead title={say('title')}>
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
        <Button component={Link} to="/records/helpdesk.ticket/new" variant="default">
          {say('new')}
        </Button>
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
          columns={() => [
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
              isHiddenNarrow: true,
              cell: ({ partner_name: name }) => plain(name ?? ''),
            },
            {
              id: 'user',
              label: say('assigned'),
              width: 'minmax(100px, 1fr)',
              isHiddenNarrow: true,
              cell: ({ user_id: user }) => plain(user?.[1] ?? ''),
            },
            {
              id: 'created',
              label: say('created'),
              width: '120px',
              isHiddenNarrow: true,
              cell: ({ create_date: at }) => (at === null ? '' : formats.time(at)),
            },
          ]}
        />
      ) : (
        <Board domain={domain} team={search.team} onOpen={open} />
      )}
    </>
  )
}

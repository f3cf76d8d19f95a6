import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import type { Domain, Row } from '../data/client.ts'
import { PageHead } from '../design/page-head.tsx'
import { REPLAYED_MAX, useReplay } from '../lines/use-replay.ts'
import { verdictKey } from '../lines/verdict-words.ts'
import { WebhookName } from '../lines/webhook-name.tsx'
import type { Columns } from '../records/list-row.tsx'
import { PagesList } from '../records/pages-list.tsx'
import { plain } from '../words/formats.ts'
import type { Keys } from '../words/keys.ts'
import { reasonOf } from '../words/server-words.ts'
import { formats, useWords } from '../words/words.ts'
import classes from './deliveries.module.css'
import { type DeliveriesSearch, domainOf, replayableOf, type Verdict } from './deliveries-search.ts'
import { DeliveryPanel } from './delivery-panel.tsx'
import { Filters } from './filters.tsx'
import { ReplayAll } from './replay-all.tsx'
import { TookCell } from './took-cell.tsx'

const FIELDS = [
  'received_at',
  'route',
  'tool',
  'verdict',
  'status',
  'ms',
  'budget_ms',
  'reason',
  'call_ref',
  'replayed_at',
] as const
const SIGNS: Readonly<Record<string, string>> = { handled: '✓', refused: '□', rejected: '✕', failed: '✕' }

/** What the providers handed us, and what became of it; the one that is looked at stands beside. */
export function DeliveriesPage() {
  const say = useWords('deliveries')
  const search = useSearch({ strict: false }) as DeliveriesSearch
  const navigate = useNavigate()
  const { verdict, since } = search
  const isBeside = search.open !== undefined
  const domain = useMemo(() => domainOf({ verdict, since }, new Date()), [verdict, since])
  const change = (part: Partial<DeliveriesSearch>) =>
    void navigate({ to: '.', search: { ...search, ...part } as never })
  return (
    <>
      <PageHead title={say('title')}>
        <Link to="/deliveries/inbox">{say('inbox')}</Link>
        <Link to="/deliveries/jobs">{say('jobs')}</Link>
        {verdict === 'rejected' || verdict === 'failed' ? <ReplayMatching domain={domain} verdict={verdict} /> : null}
      </PageHead>
      <Filters search={search} onChange={change} />
      <div className={classes.page} data-open={isBeside || undefined}>
        <PagesList
          model="connect.delivery"
          label={say('title')}
          fields={FIELDS}
          domain={domain}
          empty={say('empty')}
          onShowAll={() => void navigate({ to: '.', search: {} })}
          onOpen={({ id }) => change({ open: id })}
          columns={() => columnsOf(say, isBeside)}
        />
        {search.open === undefined ? null : (
          <DeliveryPanel key={search.open} id={search.open} onClose={() => change({ open: undefined })} />
        )}
      </div>
    </>
  )
}

type Listed = Row<'connect.delivery', (typeof FIELDS)[number]> & { id: number }

/** Beside a delivery that is looked at, only what tells the others apart. */
function columnsOf(say: (key: Keys['deliveries']) => string, isBeside: boolean): Columns<Listed> {
  const always: Columns<Listed> = [
    {
      id: 'route',
      label: say('route'),
      width: 'minmax(220px, 2fr)',
      cell: ({ route, tool }) => <WebhookName route={route} tool={tool} />,
    },
    {
      id: 'at',
      label: say('received'),
      width: '118px',
      cell: ({ received_at: at }) => (at === null ? '' : formats.time(at)),
    },
    {
      id: 'verdict',
      label: say('verdict'),
      width: 'minmax(100px, 1fr)',
      cell: (row) => <Judged row={row} />,
    },
    {
      id: 'ms',
      label: say('took'),
      width: isBeside ? '80px' : '200px',
      cell: (row) => <TookCell row={row} hasBar={!isBeside} />,
    },
  ]
  if (isBeside) return always
  return [
    ...always,
    {
      id: 'call',
      label: say('call'),
      width: '72px',
      isHiddenNarrow: true,
      cell: ({ call_ref: call }) => (call === null ? '' : String(call)),
    },
    {
      id: 'reason',
      label: say('reason'),
      width: 'minmax(120px, 2fr)',
      isHiddenNarrow: true,
      cell: ({ reason }) => plain(reasonOf(reason ?? '')),
    },
  ]
}

/** What became of it, and that it was made up for since. */
function Judged({ row }: { row: Listed }) {
  const say = useWords('deliveries')
  const { verdict, status, replayed_at: replayed } = row
  const key = verdictKey(row)
  const now = replayed === null ? verdict : 'handled'
  return (
    <span className={classes.verdict} data-verdict={now}>
      {SIGNS[now ?? ''] ?? ''} {key === undefined ? '' : say(key)} {replayed === null ? status : say('wasReplayed')}
    </span>
  )
}

/** Those that fit and can be processed again, as many as one call takes. */
function ReplayMatching({ domain: all, verdict }: { domain: Domain; verdict: Verdict }) {
  const domain = replayableOf(all, verdict)
  const { isAsking, replayMatching } = useReplay()
  return (
    <ReplayAll
      model="connect.delivery"
      domain={domain}
      most={REPLAYED_MAX}
      isBusy={isAsking}
      areChecked={verdict === 'rejected'}
      onReplay={() => replayMatching(domain)}
    />
  )
}

import { Select } from '@mantine/core'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { PageHead } from '../design/page-head.tsx'
import { PagesList } from '../records/pages-list.tsx'
import { plain } from '../words/formats.ts'
import { formats, useWords } from '../words/words.ts'
import classes from './deliveries.module.css'
import { type DeliveriesSearch, domainOf, VERDICTS } from './deliveries-search.ts'
import { DeliveryPanel } from './delivery-panel.tsx'

const FIELDS = ['received_at', 'route', 'verdict', 'status', 'ms', 'reason', 'call_ref'] as const
const SIGNS: Readonly<Record<string, string>> = { handled: '✓', refused: '□', rejected: '✕', failed: '✕' }

/** What the providers handed us, and what became of it; the one that is looked at stands beside. */
export function DeliveriesPage() {
  const say = useWords('deliveries')
  const search = useSearch({ strict: false }) as DeliveriesSearch
  const navigate = useNavigate()
  const change = (part: Partial<DeliveriesSearch>) =>
    void navigate({ to: '.', search: { ...search, ...part } as never })
  return (
    <>
      <PageHead title={say('title')}>
        <Link to="/records/connect.inbox">{say('inbox')}</Link>
        <Select
          aria-label={say('verdict')}
          placeholder={say('all')}
          clearable
          w={150}
          data={VERDICTS.map((value) => ({ value, label: say(value) }))}
          value={search.verdict ?? null}
          onChange={(verdict) => change({ verdict: (verdict as DeliveriesSearch['verdict']) ?? undefined })}
        />
      </PageHead>
      <div className={classes.page} data-open={search.open !== undefined || undefined}>
        <PagesList
          model="connect.delivery"
          label={say('title')}
          fields={FIELDS}
          domain={domainOf(search)}
          empty={say('empty')}
          onShowAll={() => void navigate({ to: '.', search: {} })}
          onOpen={({ id }) => change({ open: id })}
          columns={() => [
            {
              id: 'route',
              label: say('route'),
              width: 'minmax(220px, 2fr)',
              cell: ({ route }) => <span className="mono">{plain(route ?? '')}</span>,
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
              cell: ({ verdict, status }) => (
                <span className={classes.verdict} data-verdict={verdict}>
                  {SIGNS[verdict ?? ''] ?? ''} {verdict} {status}
                </span>
              ),
            },
            {
              id: 'ms',
              label: say('took'),
              width: '72px',
              isHiddenNarrow: true,
              cell: ({ ms }) => (ms === null ? '' : `${ms} ms`),
            },
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
              cell: ({ reason }) => plain(reason ?? ''),
            },
          ]}
        />
        {search.open === undefined ? null : (
          <DeliveryPanel id={search.open} onClose={() => change({ open: undefined })} />
        )}
      </div>
    </>
  )
}

import { useMediaQuery } from '@mantine/hooks'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { ownOf } from '../data/own-records.ts'
import { mayDo, useMe } from '../data/session.ts'
import { useKeys } from '../design/keys.ts'
import { PageHead } from '../design/page-head.tsx'
import { CALL_FIELDS } from '../lines/call-rows.ts'
import { PagesList } from '../records/pages-list.tsx'
import { chosenDomain, useSelection } from '../records/selection.ts'
import { SelectionBar } from '../records/selection-bar.tsx'
import { ViewPicker } from '../records/view-picker.tsx'
import { reader, useWords } from '../words/words.ts'
import { useCallColumns } from './call-columns.tsx'
import { useFileColumns } from './call-file.ts'
import { CallFilters } from './call-filters.tsx'
import { CallPeek } from './call-peek.tsx'
import { CalledBack } from './called-back.tsx'
import classes from './calls.module.css'
import { type CallsSearch, domainOf } from './calls-search.ts'
import { NoCalls } from './no-calls.tsx'

const NARROW = '(max-width: 47.99em)'
const MIDDLE = '(max-width: 63.99em)'

/** Every call one may see, newest first; the filter is in the address. */
export function CallsPage() {
  const say = useWords('calls')
  const search = useSearch({ strict: false }) as CallsSearch
  const navigate = useNavigate()
  const me = useMe()
  const maySettle = mayDo(me, 'connect.call', 'w')
  const isNarrow = useMediaQuery(NARROW, undefined, { getInitialValueInEffect: false }) ?? false
  const isMiddle = useMediaQuery(MIDDLE, undefined, { getInitialValueInEffect: false }) ?? false
  const fileColumns = useFileColumns()
  const [isFiltering, setFiltering] = useState(false)
  const { peek, ...filter } = search
  const inTable = isMiddle || peek !== undefined ? 'middle' : 'wide'
  const columns = useCallColumns(isNarrow ? 'narrow' : inTable)
  const asked = JSON.stringify(filter)
  const domain = useMemo(() => domainOf(JSON.parse(asked) as CallsSearch, new Date(), reader().zone), [asked])
  const selection = useSelection(asked)
  const change = (part: CallsSearch) => void navigate({ to: '.', search: { ...search, ...part } as never })
  const look = (id: number | undefined) =>
    void navigate({ to: '.', search: { ...search, peek: id } as never, replace: true })
  useKeys(useMemo(() => ({ f: () => setFiltering(true) }), []))
  return (
    <>
      <PageHead title={say('title')}>
        <ViewPicker model="connect.call" all={say('allCalls')} />
        <CallFilters search={search} onChange={change} isOpen={isFiltering} onOpen={setFiltering} />
      </PageHead>
      <div className={classes.listAndPeek}>
        <PagesList
          model="connect.call"
          label={say('title')}
          fields={CALL_FIELDS}
          domain={domain}
          columns={columns}
          selection={selection}
          actions={(total) => (
            <SelectionBar
              model="connect.call"
              fields={CALL_FIELDS}
              columns={fileColumns}
              nameLabel={say('title')}
              domain={domain}
              selection={selection}
              total={total}
            >
              {maySettle ? (
                <CalledBack
                  domain={[...ownOf(me, 'connect.call'), ...chosenDomain(selection, domain)]}
                  onDone={selection.clear}
                />
              ) : null}
            </SelectionBar>
          )}
          empty={<NoCalls search={filter} onChange={change} />}
          onOpen={({ id }) => void navigate({ to: '/calls/$id', params: { id: String(id) } })}
          onPeek={({ id }) => look(id === peek ? undefined : id)}
        />
        {peek === undefined ? null : <CallPeek id={peek} onClose={() => look(undefined)} />}
      </div>
    </>
  )
}

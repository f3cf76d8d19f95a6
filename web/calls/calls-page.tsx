import { Select, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import { PageHead } from '../design/page-head.tsx'
import { CALL_FIELDS } from '../lines/call-rows.ts'
import { PagesList } from '../records/pages-list.tsx'
import { reader, useWords } from '../words/words.ts'
import { useCallColumns } from './call-columns.tsx'
import { type CallsSearch, DIRECTIONS, domainOf, SHOWS } from './calls-search.ts'

const TYPING_MS = 250

/** Every call one may see, newest first; the filter is in the address. */
export function CallsPage() {
  const say = useWords('calls')
  const search = useSearch({ strict: false }) as CallsSearch
  const navigate = useNavigate()
  const columns = useCallColumns()
  const domain = useMemo(() => domainOf(search, new Date(), reader().zone), [search])
  const change = (part: Partial<CallsSearch>) => void navigate({ to: '.', search: { ...search, ...part } as never })
  const byNumber = useDebouncedCallback((number: string) => change({ number: number || undefined }), TYPING_MS)
  return (
    <>
      <PageHead title={say('title')}>
        <Select
          aria-label={say('show')}
          placeholder={say('allCalls')}
          clearable
          w={160}
          data={SHOWS.map((value) => ({ value, label: say(value) }))}
          value={search.show ?? null}
          onChange={(show) => change({ show: (show as CallsSearch['show']) ?? undefined })}
        />
        <Select
          aria-label={say('direction')}
          placeholder={say('allDirections')}
          clearable
          w={140}
          data={DIRECTIONS.map((value) => ({ value, label: say(value) }))}
          value={search.direction ?? null}
          onChange={(direction) => change({ direction: (direction as CallsSearch['direction']) ?? undefined })}
        />
        <Select
          aria-label={say('day')}
          placeholder={say('allDays')}
          clearable
          w={120}
          data={[{ value: 'today', label: say('today') }]}
          value={search.day ?? null}
          onChange={(day) => change({ day: day === 'today' ? day : undefined })}
        />
        <TextInput
          key={search.number === undefined ? 'all' : 'some'}
          aria-label={say('number')}
          placeholder={say('number')}
          w={150}
          defaultValue={search.number ?? ''}
          onChange={({ currentTarget }) => byNumber(currentTarget.value)}
        />
      </PageHead>
      <PagesList
        model="connect.call"
        label={say('title')}
        fields={CALL_FIELDS}
        domain={domain}
        columns={columns}
        empty={say('empty')}
        onShowAll={() => void navigate({ to: '.', search: {} })}
        onOpen={({ id }) => void navigate({ to: '/calls/$id', params: { id: String(id) } })}
      />
    </>
  )
}

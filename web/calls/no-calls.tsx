import { useQueries } from '@tanstack/react-query'
import { countQuery } from '../data/queries.ts'
import { readsAll } from '../data/reads-all.ts'
import { useMe } from '../data/session.ts'
import { EmptyState } from '../design/empty-state.tsx'
import { Button } from '../design/press.tsx'
import { formats, reader, useWords } from '../words/words.ts'
import { type CallsSearch, domainOf, FILTERS } from './calls-search.ts'

interface Props {
  search: CallsSearch
  onChange: (part: CallsSearch) => void
}

/** No call fits: says without which filter there are most, and offers to drop that one. */
export function NoCalls({ search, onChange }: Props) {
  const say = useWords('calls')
  const me = useMe()
  const set = FILTERS.filter((name) => search[name] !== undefined)
  const counts = useQueries({
    queries: set.map((name) =>
      countQuery('connect.call', { domain: domainOf({ ...search, [name]: undefined }, new Date(), reader().zone) }),
    ),
  })
  const without = set.map((name, at) => ({ name, count: counts[at]?.data ?? 0 }))
  const best = without.reduce((one, other) => (other.count > one.count ? other : one), { name: set[0], count: 0 })
  const { name, count } = best
  if (set.length === 0 || name === undefined)
    return <EmptyState title={say(readsAll(me, 'connect.call') ? 'empty' : 'emptyOfYours')} />
  const words = say(name === 'line' ? 'ourLine' : name)
  return (
    <EmptyState
      title={
        count === 0 ? say('noneFits') : say('noneFitsWithout', { name: words, count, shown: formats.count(count) })
      }
    >
      <Button
        variant="default"
        onClick={() =>
          onChange(count === 0 ? Object.fromEntries(set.map((each) => [each, undefined])) : { [name]: undefined })
        }
      >
        {count === 0 ? say('dropAll') : say('dropNamed', { name: words })}
      </Button>
    </EmptyState>
  )
}

import { useQueries } from '@tanstack/react-query'
import { useMemo } from 'react'
import { countQuery } from '../data/queries.ts'
import { formats, useWords } from '../words/words.ts'
import classes from './deliveries.module.css'
import { type DeliveriesSearch, domainOf, VERDICTS } from './deliveries-search.ts'

interface Props {
  search: DeliveriesSearch
  onChange: (part: Partial<DeliveriesSearch>) => void
}

/** The verdicts with how many there were in the last hour; each is the filter of the same name. */
export function Filters({ search, onChange }: Props) {
  const say = useWords('deliveries')
  const domains = useMemo(() => VERDICTS.map((verdict) => domainOf({ verdict, since: 'hour' }, new Date())), [])
  const counts = useQueries({ queries: domains.map((domain) => countQuery('connect.delivery', { domain })) })
  return (
    <fieldset className={classes.filters} aria-label={say('filters')}>
      {VERDICTS.map((verdict, at) => {
        const count = counts[at]?.data
        const isOn = search.verdict === verdict
        return (
          <button
            key={verdict}
            type="button"
            className={classes.filter}
            aria-pressed={isOn}
            onClick={() => onChange({ verdict: isOn ? undefined : verdict, open: undefined })}
          >
            {say(verdict)}
            {count === undefined ? null : (
              <span className="dim" title={say('inHour', { count })}>
                {' '}
                {formats.count(count)}
              </span>
            )}
          </button>
        )
      })}
      <button
        type="button"
        className={classes.filter}
        aria-pressed={search.since === 'hour'}
        onClick={() => onChange({ since: search.since === 'hour' ? undefined : 'hour', open: undefined })}
      >
        {say('lastHour')}
      </button>
    </fieldset>
  )
}

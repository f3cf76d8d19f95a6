import { useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { callByName } from '../data/client.ts'
import { ApiError } from '../data/errors.ts'
import { fieldsQuery } from '../data/queries.ts'
import { GROUP, useIsInOne } from '../data/session.ts'
import { PageHead } from '../design/page-head.tsx'
import type { Values } from '../records/record-values.ts'
import { useWords } from '../words/words.ts'
import { LastRuns } from './last-runs.tsx'
import classes from './settings.module.css'
import { SettingsCard } from './settings-card.tsx'
import { CARD_NAMES, fieldsOf } from './settings-cards.ts'

const MODEL = 'connect.settings'

/** What administrators decide while the service runs, one question for each card. */
export function SettingsPage() {
  const say = useWords('settings')
  const isAdmin = useIsInOne(GROUP.connectAdmin)
  const { data: fields } = useSuspenseQuery(fieldsQuery(MODEL))
  const names = CARD_NAMES.flatMap((card) => fieldsOf(card, fields).map(({ name }) => name))
  const { data: row } = useSuspenseQuery({
    queryKey: [MODEL, 'one', names],
    queryFn: async () => {
      const rows = (await callByName(MODEL, 'search_read', { fields: names, limit: 1 })) as (Values & { id: number })[]
      const [found] = rows
      if (found === undefined) throw new ApiError(404, say('none'))
      return found
    },
  })
  return (
    <>
      <PageHead title={say('title')}>
        <Link to="/records/res.users">{say('people')}</Link>
        <Link to={`/records/${MODEL}/${row.id}`}>{say('everything')}</Link>
      </PageHead>
      <div className={classes.page}>
        {CARD_NAMES.map((card) => (
          <SettingsCard key={card} card={card} fields={fields} row={row} />
        ))}
        {isAdmin ? <LastRuns /> : null}
      </div>
    </>
  )
}

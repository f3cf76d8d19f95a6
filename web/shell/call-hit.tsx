import { useQuery } from '@tanstack/react-query'
import { listQuery } from '../data/queries.ts'
import { beganAt, CALL_FIELDS, type CallRow } from '../lines/call-rows.ts'
import { Outcome } from '../lines/outcome.tsx'
import { Party } from '../lines/party.tsx'
import { formats } from '../words/words.ts'
import classes from './call-hit.module.css'

/** The calls among what was found, as far as they are read already. */
export function useCallHits(ids: readonly number[]): ReadonlyMap<number, CallRow> {
  const { data = [] } = useQuery({
    ...listQuery('connect.call', { fields: CALL_FIELDS, domain: [['id', 'in', ids]], limit: ids.length }),
    enabled: ids.length > 0,
    throwOnError: false,
  })
  return new Map(data.map((call) => [call.id, call]))
}

/** A call that was found: who it was, how it ended, and when it began. */
export function CallHit({ call }: { call: CallRow }) {
  const began = beganAt(call)
  return (
    <div className={classes.hit}>
      <div>
        <Party call={call} />
      </div>
      <div>
        <Outcome call={call} />
        {began === null ? null : <span className="dim"> · {formats.time(began)}</span>}
      </div>
    </div>
  )
}

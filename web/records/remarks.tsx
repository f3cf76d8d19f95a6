import { findingOf } from '../words/server-words.ts'
import { useWords } from '../words/words.ts'
import classes from './records.module.css'

/** What the service says of a record that is saved and does not work as somebody may expect. */
export function Remarks({ remarks }: { remarks: unknown }) {
  const say = useWords('records')
  if (!Array.isArray(remarks) || remarks.length === 0) return null
  return (
    <div role="status" aria-label={say('remarks')}>
      <ul className={classes.remarks}>
        {remarks.map((remark) => (
          <li key={String(remark)}>{findingOf(String(remark))}</li>
        ))}
      </ul>
    </div>
  )
}

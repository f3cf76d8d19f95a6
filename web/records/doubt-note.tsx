import { useDebouncedValue } from '@mantine/hooks'
import type { FieldInfo } from '../data/queries.ts'
import { useWords } from '../words/words.ts'
import { doubtAbout } from './doubtful.ts'
import classes from './records.module.css'

/** Whoever types on is not interrupted. */
const PAUSE_MS = 700

/** Below what is typed, and what was saved so, that it can hardly be meant. */
export function DoubtNote({ model, field, value }: { model: string; field: FieldInfo; value: unknown }) {
  const say = useWords('records')
  const [settled] = useDebouncedValue(value, PAUSE_MS)
  const doubt = settled === value ? doubtAbout(model, field, value) : undefined
  if (doubt === undefined) return null
  return (
    <p role="status" className={classes.draft}>
      {say(doubt)}
    </p>
  )
}

import { useDebouncedValue } from '@mantine/hooks'
import type { FieldInfo } from '../data/queries.ts'
import { useWords } from '../words/words.ts'
import { doubtAbout } from './doubtful.ts'
import classes from './records.module.css'

/** Whoever types on is not interrupted. */
const PAUSE_MS = 700

/** Below what is typed, that it can hardly be meant. */
export function DoubtNote({ model, field, edited }: { model: string; field: FieldInfo; edited: unknown }) {
  const say = useWords('records')
  const [settled] = useDebouncedValue(edited, PAUSE_MS)
  const doubt = settled === edited ? doubtAbout(model, field, edited) : undefined
  if (doubt === undefined) return null
  return (
    <p role="status" className={classes.draft}>
      {say(doubt)}
    </p>
  )
}

import { useWords } from '../words/words.ts'

const SIGNS = { incoming: '↙', outgoing: '↗', internal: '⇄' } as const
type Direction = keyof typeof SIGNS

/** Which way a call went. */
export function DirectionSign({ direction }: { direction: string | null }) {
  const say = useWords('lines')
  if (!isDirection(direction)) return null
  return (
    <span role="img" aria-label={say(direction)} title={say(direction)}>
      {SIGNS[direction]}
    </span>
  )
}

function isDirection(value: string | null): value is Direction {
  return value !== null && Object.hasOwn(SIGNS, value)
}

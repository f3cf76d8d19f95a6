import { ArrowDown, ArrowUp, X } from 'lucide-react'
import { ActionIcon } from '../design/press.tsx'
import { useWords } from '../words/words.ts'

const ICON = { size: 16, strokeWidth: 1.75, 'aria-hidden': true } as const

interface Props<Moved> {
  /** Of the row. */
  name: string
  /** What comes of a move; undefined where there is none. */
  up: Moved | undefined
  down: Moved | undefined
  onMove: (moved: Moved) => void
  onRemove: () => void
}

/** Moves a row up and down, and removes it. */
export function RowActions<Moved>({ name, up, down, onMove, onRemove }: Props<Moved>) {
  const say = useWords('records')
  return (
    <>
      {up === undefined ? null : (
        <ActionIcon variant="subtle" aria-label={`${say('moveUp')}: ${name}`} onClick={() => onMove(up)}>
          <ArrowUp {...ICON} />
        </ActionIcon>
      )}
      {down === undefined ? null : (
        <ActionIcon variant="subtle" aria-label={`${say('moveDown')}: ${name}`} onClick={() => onMove(down)}>
          <ArrowDown {...ICON} />
        </ActionIcon>
      )}
      <ActionIcon variant="subtle" aria-label={`${say('removePart')}: ${name}`} onClick={onRemove}>
        <X {...ICON} />
      </ActionIcon>
    </>
  )
}

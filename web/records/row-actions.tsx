import { ArrowDown, ArrowUp, Plus, X } from 'lucide-react'
import { ActionIcon, Button } from '../design/press.tsx'
import { useWords } from '../words/words.ts'

const ICON = { size: 16, strokeWidth: 1.75, 'aria-hidden': true } as const

interface Props<Moved> {
  /** Of the row. */
  name: string
  /** What comes of a move; undefined where there is none. */
  up?: Moved | undefined
  down?: Moved | undefined
  onMove?: (moved: Moved) => void
  /** Undefined where the row stays. */
  onRemove: (() => void) | undefined
}

/** Moves a row up and down, and removes it. */
export function RowActions<Moved>({ name, up, down, onMove, onRemove }: Props<Moved>) {
  const say = useWords('records')
  return (
    <>
      {up === undefined ? null : (
        <ActionIcon variant="subtle" aria-label={`${say('moveUp')}: ${name}`} onClick={() => onMove?.(up)}>
          <ArrowUp {...ICON} />
        </ActionIcon>
      )}
      {down === undefined ? null : (
        <ActionIcon variant="subtle" aria-label={`${say('moveDown')}: ${name}`} onClick={() => onMove?.(down)}>
          <ArrowDown {...ICON} />
        </ActionIcon>
      )}
      {onRemove === undefined ? null : (
        <ActionIcon variant="subtle" aria-label={`${say('removePart')}: ${name}`} onClick={onRemove}>
          <X {...ICON} />
        </ActionIcon>
      )}
    </>
  )
}

interface AddProps {
  /** Of the list. */
  label: string
  /** A part is a record of its own, which somebody may be allowed to make or not. */
  adds: 'part' | 'text'
  onAdd: () => void
}

/** Adds a row to a list. */
export function AddRow({ label, adds, onAdd }: AddProps) {
  const say = useWords('records')
  return (
    <div>
      <Button
        data-add={adds}
        variant="default"
        size="compact-sm"
        leftSection={<Plus {...ICON} />}
        aria-label={`${say('addPart')}: ${label}`}
        onClick={onAdd}
      >
        {say('addPart')}
      </Button>
    </div>
  )
}

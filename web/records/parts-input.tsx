import { ArrowDown, ArrowUp, Plus, X } from 'lucide-react'
import { mayDo, useMe } from '../data/session.ts'
import { ActionIcon, Button } from '../design/press.tsx'
import { useWords } from '../words/words.ts'
import { FieldInput } from './field-input.tsx'
import {
  copiedToWorkdays,
  hasHours,
  keyOfRow,
  lastInOrder,
  movedRows,
  nextPart,
  type PartsField,
  partLine,
  problemAt,
} from './parts.ts'
import { PartsTable } from './parts-table.tsx'
import type { Values } from './record-values.ts'
import { useFocusOfRows } from './use-focus-of-rows.ts'

const ICON = { size: 16, strokeWidth: 1.75, 'aria-hidden': true } as const

interface Props {
  field: PartsField
  rows: readonly Values[]
  /** The record that they are parts of, with what is typed; without an id where it is to be made. */
  whole: Values
  isWritable: boolean
  problems: Readonly<Record<string, string>>
  onChange: (rows: Values[]) => void
}

/** The parts of a record where they are: added, changed and removed with it, as far as somebody may. */
export function PartsInput({ field, rows, whole, isWritable, problems, onChange }: Props) {
  const say = useWords('records')
  const me = useMe()
  const may = (right: 'w' | 'c' | 'd') => isWritable && mayDo(me, field.relation ?? '', right)
  const { ref, focus } = useFocusOfRows()
  const { columns } = field
  const add = (): void => {
    onChange([...rows, lastInOrder(field.orderedBy, rows, nextPart(columns, rows))])
    focus('added')
  }
  const remove = (at: number): void => {
    onChange(rows.filter((_row, nth) => nth !== at))
    focus('removed')
  }
  const copy = (at: number): void => {
    onChange(copiedToWorkdays(columns, rows, at))
  }
  const lines = rows.map((row, at) => {
    const key = keyOfRow(row)
    const name = partLine(columns, row) || say('partOf', { label: field.string, number: at + 1 })
    const mayChange = may(row.id === undefined ? 'c' : 'w')
    const cells = columns.map((column) => (
      <FieldInput
        key={column.name}
        isCell
        field={column}
        value={row[column.name]}
        isWritable={mayChange}
        problem={problems[problemAt(field.name, key, column.name)]}
        record={{ language: whole.language, ...row, [field.relation_field ?? '']: whole.id }}
        onChange={(value) => onChange(rows.map((each, nth) => (nth === at ? { ...each, [column.name]: value } : each)))}
      />
    ))
    const actions = (
      <>
        {may('c') && hasHours(columns, row) ? (
          <Button
            variant="subtle"
            size="compact-sm"
            aria-label={`${say('copyToWorkdays')}: ${name}`}
            onClick={() => copy(at)}
          >
            {say('copyToWorkdays')}
          </Button>
        ) : null}
        <Moves {...{ field, rows, at, name, onChange }} isWritable={may('w')} />
        {(row.id === undefined ? isWritable : may('d')) ? (
          <ActionIcon variant="subtle" aria-label={`${say('removePart')}: ${name}`} onClick={() => remove(at)}>
            <X {...ICON} />
          </ActionIcon>
        ) : null}
      </>
    )
    return { key, name, cells, actions, problem: problems[problemAt(field.name, key)] }
  })
  return (
    <PartsTable
      ref={ref}
      label={field.string}
      help={field.help}
      heads={columns.map(({ string: label, required }) => ({ label, isRequired: isWritable && required }))}
      lines={lines}
      problem={problems[field.name]}
    >
      {may('c') ? (
        <div>
          <Button
            data-add
            variant="default"
            size="compact-sm"
            leftSection={<Plus {...ICON} />}
            aria-label={`${say('addPart')}: ${field.string}`}
            onClick={add}
          >
            {say('addPart')}
          </Button>
        </div>
      ) : null}
    </PartsTable>
  )
}

interface MovesProps {
  field: PartsField
  rows: readonly Values[]
  at: number
  name: string
  isWritable: boolean
  onChange: (rows: Values[]) => void
}

/** Up and down, where the parts stand in an order that people choose. */
function Moves({ field: { orderedBy }, rows, at, name, isWritable, onChange }: MovesProps) {
  const say = useWords('records')
  if (orderedBy === undefined || !isWritable) return null
  const [up, down] = [movedRows(orderedBy, rows, at, -1), movedRows(orderedBy, rows, at, 1)]
  return (
    <>
      {up === undefined ? null : (
        <ActionIcon variant="subtle" aria-label={`${say('moveUp')}: ${name}`} onClick={() => onChange(up)}>
          <ArrowUp {...ICON} />
        </ActionIcon>
      )}
      {down === undefined ? null : (
        <ActionIcon variant="subtle" aria-label={`${say('moveDown')}: ${name}`} onClick={() => onChange(down)}>
          <ArrowDown {...ICON} />
        </ActionIcon>
      )}
    </>
  )
}

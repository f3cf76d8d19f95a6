import { mayDo, useMe } from '../data/session.ts'
import { Button } from '../design/press.tsx'
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
import { AddRow, RowActions } from './row-actions.tsx'
import { useFocusOfRows } from './use-focus-of-rows.ts'

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
  const moved = (at: number, by: -1 | 1): Values[] | undefined =>
    field.orderedBy === undefined || !may('w') ? undefined : movedRows(field.orderedBy, rows, at, by)
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
        <RowActions
          name={name}
          up={moved(at, -1)}
          down={moved(at, 1)}
          onMove={onChange}
          onRemove={(row.id === undefined ? isWritable : may('d')) ? () => remove(at) : undefined}
        />
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
      {may('c') ? <AddRow label={field.string} adds="part" onAdd={add} /> : null}
    </PartsTable>
  )
}

import { NumberInput, Select, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { useWords } from '../words/words.ts'
import { JsonText } from './json-text.tsx'
import { PartsTable } from './parts-table.tsx'
import type { Values } from './record-values.ts'
import classes from './records.module.css'
import { AddRow, RowActions } from './row-actions.tsx'
import {
  type ButtonKind,
  type Cell,
  type Content,
  contentOf,
  contentOfRows,
  movedContent,
  rowsOfContent,
  shownContent,
  targetName,
  withKind,
  withPart,
} from './template-content.ts'
import { useTypedRows } from './use-typed-rows.ts'

const KIND_WORDS = {
  URL: 'buttonUrl',
  PHONE_NUMBER: 'buttonPhone',
  QUICK_REPLY: 'buttonReply',
  COPY_CODE: 'buttonCode',
  VOICE_CALL: 'buttonCall',
  VOICE_CALL_REQUEST: 'buttonCallRequest',
  REQUEST_CONTACT_INFO: 'buttonContact',
} as const satisfies Record<ButtonKind, string>

interface Props {
  /** The kind of the template's content. */
  kind: unknown
  value: unknown
  isWritable: boolean
  problem: string | undefined
  onChange: (value: unknown) => void
}

/** Buttons, entries, media, a place or cards of a template, in rows; what has no rows here is read. */
export function TemplateContentInput({ kind, value, ...props }: Props) {
  const say = useWords('records')
  const content = contentOf(kind)
  if (content !== undefined && rowsOfContent(content, value) !== undefined)
    // Another kind has other rows.
    return <ContentRows key={String(kind)} content={content} value={value} {...props} />
  return (
    <>
      <div className={classes.label}>{say('templateContent')}</div>
      <div className={classes.value}>
        {value === null || value === undefined ? say('templateElsewhere') : <JsonText value={value} />}
      </div>
    </>
  )
}

function ContentRows({ content, value, isWritable, problem, onChange }: Omit<Props, 'kind'> & { content: Content }) {
  const say = useWords('records')
  const { rows, ref, change, set, add, remove } = useTypedRows<Values>({
    begin: () => rowsOfContent(content, value) ?? [],
    shown: (typed) => shownContent(content, typed, value) ?? [],
    onChange: (changed) => onChange(contentOfRows(content, changed)),
  })
  const label = say(content.label)
  const lines = rows.map((row, at) => {
    const place = String(at + 1)
    return {
      key: place,
      name: `${label} ${place}`,
      cells: content.cells.map((cell) => (
        <ContentCell key={cell.name} {...{ cell, row, place, isWritable }} onChange={(changed) => set(at, changed)} />
      )),
      actions: isWritable ? (
        <RowActions
          name={`${label} ${place}`}
          up={movedContent(rows, at, -1)}
          down={movedContent(rows, at, 1)}
          onMove={change}
          onRemove={() => remove(at)}
        />
      ) : null,
    }
  })
  return (
    <PartsTable
      ref={ref}
      label={label}
      heads={content.cells.map((cell) => ({ label: headOf(cell, say) }))}
      lines={lines}
      problem={problem}
    >
      {isWritable && rows.length < content.rowsMax ? (
        <AddRow label={label} adds="text" onAdd={() => add(content.fresh?.(rows) ?? {})} />
      ) : null}
    </PartsTable>
  )
}

type Say = ReturnType<typeof useWords<'records'>>

function headOf(cell: Cell, say: Say): string {
  if (cell.enters === 'kind') return say('buttonKind')
  if (cell.enters === 'target') return say('buttonTarget')
  return say(cell.enters === 'buttons' ? cell.content.label : cell.label)
}

interface CellProps {
  cell: Cell
  row: Values
  place: string
  isWritable: boolean
  onChange: (row: Values) => void
}

function ContentCell({ cell, row, place, isWritable, onChange }: CellProps): ReactNode {
  const say = useWords('records')
  const label = `${headOf(cell, say)}: ${place}`
  switch (cell.enters) {
    case 'kind':
      return <KindCell {...{ cell, row, label, isWritable, onChange }} />
    case 'target': {
      const name = targetName(row)
      return name === undefined ? null : <TextCell {...{ name, row, label, isWritable, onChange }} />
    }
    case 'buttons':
      return (
        <ContentRows
          content={cell.content}
          value={row[cell.name] ?? null}
          isWritable={isWritable}
          problem={undefined}
          onChange={(value) => onChange(withPart(row, cell.name, value))}
        />
      )
    case 'number':
      return isWritable ? (
        <NumberInput
          aria-label={label}
          value={typeof row[cell.name] === 'number' ? Number(row[cell.name]) : ''}
          onChange={(value) => onChange(withPart(row, cell.name, value))}
        />
      ) : (
        String(row[cell.name] ?? '')
      )
    default:
      return (
        <TextCell
          {...{ row, label, isWritable, onChange }}
          name={cell.name}
          {...(cell.charsMax === undefined ? {} : { charsMax: cell.charsMax })}
        />
      )
  }
}

interface TextCellProps extends Omit<CellProps, 'cell' | 'place'> {
  name: string
  label: string
  charsMax?: number
}

function TextCell({ name, row, label, charsMax, isWritable, onChange }: TextCellProps) {
  const value = String(row[name] ?? '')
  if (!isWritable) return value
  return (
    <TextInput
      aria-label={label}
      {...(charsMax === undefined ? {} : { maxLength: charsMax })}
      value={value}
      onChange={({ currentTarget }) => onChange(withPart(row, name, currentTarget.value))}
    />
  )
}

function KindCell({
  cell,
  row,
  label,
  isWritable,
  onChange,
}: Omit<TextCellProps, 'name'> & { cell: Extract<Cell, { enters: 'kind' }> }) {
  const say = useWords('records')
  const nameOf = (kind: string) => (kind in KIND_WORDS ? say(KIND_WORDS[kind as ButtonKind]) : kind)
  const type = String(row.type ?? '')
  if (!isWritable) return nameOf(type)
  const kinds = (cell.kinds as readonly string[]).includes(type) || type === '' ? cell.kinds : [...cell.kinds, type]
  return (
    <Select
      aria-label={label}
      allowDeselect={false}
      data={kinds.map((kind) => ({ value: kind, label: nameOf(kind) }))}
      value={type}
      onChange={(kind) => onChange(withKind(row, kind ?? type))}
    />
  )
}

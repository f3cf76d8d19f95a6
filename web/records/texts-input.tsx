import { Select, Textarea, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { FieldInfo } from '../data/queries.ts'
import { useWords } from '../words/words.ts'
import { wordedFieldsQuery } from './fields.ts'
import { PartsTable } from './parts-table.tsx'
import { AddRow, RowActions } from './row-actions.tsx'
import { rowsOfTexts, shownRows, type TextRow, type TextsWidget, textsOfRows } from './texts.ts'
import { useTypedRows } from './use-typed-rows.ts'

/** It speaks every language that a text may be in. */
const AGENT = 'connect.voiceai_agent'

interface Props {
  field: FieldInfo
  widget: TextsWidget
  value: unknown
  problem: string | undefined
  onChange: (value: unknown) => void
}

/** Texts by a language, by a name or in a list: a row for each, added and removed one by one. */
export function TextsInput({ field, widget, value, problem, onChange }: Props) {
  const say = useWords('records')
  const { rows, ref, set, add, remove } = useTypedRows<TextRow>({
    begin: () => rowsOfTexts(value),
    shown: (typed) => shownRows(widget, typed, value),
    onChange: (changed) => onChange(textsOfRows(widget, changed)),
  })
  const taken = rows.map(({ name }) => name)
  const lines = rows.map((row, at) => {
    const place = String(at + 1)
    const isUnnamed = widget !== 'texts' && row.name === '' && row.text !== ''
    return {
      key: place,
      name: place,
      cells: cellsOf({ widget, row, place, taken, onChange: (part) => set(at, { ...row, ...part }) }),
      problem: isUnnamed ? say(widget === 'texts_by_language' ? 'rowWithoutLanguage' : 'rowWithoutName') : undefined,
      actions: <RowActions name={place} onRemove={() => remove(at)} />,
    }
  })
  const heads = [
    ...(widget === 'texts' ? [] : [{ label: say(widget === 'texts_by_language' ? 'languageOfRow' : 'nameOfRow') }]),
    { label: say('textOfRow') },
  ]
  return (
    <PartsTable ref={ref} label={field.string} help={field.help} heads={heads} lines={lines} problem={problem}>
      <AddRow label={field.string} adds="text" onAdd={() => add({ name: '', text: '' })} />
    </PartsTable>
  )
}

interface RowProps {
  widget: TextsWidget
  row: TextRow
  /** Tells the row from the others. */
  place: string
  /** What the rows are called. */
  taken: readonly string[]
  onChange: (part: Partial<TextRow>) => void
}

function cellsOf(props: RowProps): ReactNode[] {
  const text = <RowText key="text" {...props} />
  return props.widget === 'texts' ? [text] : [<RowName key="name" {...props} />, text]
}

function RowText({ row, place, onChange }: RowProps) {
  const say = useWords('records')
  return (
    <Textarea
      aria-label={`${say('textOfRow')}: ${place}`}
      autosize
      minRows={1}
      maxRows={16}
      value={row.text}
      onChange={({ currentTarget }) => onChange({ text: currentTarget.value })}
    />
  )
}

/** A language by its name, or a name as it is typed. */
function RowName({ widget, row: { name }, place, taken, onChange }: RowProps) {
  const say = useWords('records')
  const isLanguage = widget === 'texts_by_language'
  const { data } = useQuery({ ...wordedFieldsQuery(AGENT), enabled: isLanguage })
  if (!isLanguage) {
    return (
      <TextInput
        aria-label={`${say('nameOfRow')}: ${place}`}
        value={name}
        onChange={({ currentTarget }) => onChange({ name: currentTarget.value })}
      />
    )
  }
  const languages = data?.language?.selection ?? []
  return (
    <Select
      aria-label={`${say('languageOfRow')}: ${place}`}
      placeholder={say('choose')}
      searchable
      selectFirstOptionOnChange
      allowDeselect={false}
      data={languages
        .filter(([code]) => code === name || !taken.includes(code))
        .map(([code, label]) => ({ value: code, label }))}
      value={name === '' ? null : name}
      onChange={(code) => onChange({ name: code ?? '' })}
    />
  )
}

import { Select } from '@mantine/core'
import { useQueries, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { FieldInfo } from '../data/queries.ts'
import { nameOrId } from '../words/formats.ts'
import { named, useWords } from '../words/words.ts'
import { marked, useGoneMark } from './deactivated.ts'
import { holdEnter } from './link-picker.tsx'
import { namesQuery } from './names-query.ts'
import type { Values } from './record-values.ts'
import classes from './records.module.css'
import { SilentFlowNote } from './silent-flow.tsx'
import { SilentPersonNote } from './silent-person.tsx'
import { TARGETED, type Target, type TargetKind } from './targets.ts'

const PHONE_USER = 'connect.user'
const FLOW = 'connect.telco.callflow'

interface Props {
  model: string
  fields: Readonly<Record<string, FieldInfo>>
  /** The record with what is typed, and as it is stored. */
  values: Values
  stored: Values
  isWritable: boolean
  problems: Readonly<Record<string, string>>
  onChange: (values: Values) => void
}

/** Who or what calls lead to: a person, a call flow, a voice agent or an application, chosen in one field by its name. */
export function TargetInput({ model, fields, values, stored, isWritable, problems, onChange }: Props) {
  const targeted = TARGETED[model]
  const field = fields[targeted?.at ?? '']
  const [chosen, setChosen] = useState<Target>()
  if (targeted === undefined || field === undefined) return null
  const kinds = targeted.kinds(fields, values)
  const target = targeted.targetOf(values, stored)
  const isChosen = target !== undefined && target.kind === chosen?.kind && target.id === chosen.id
  const of = kinds.find(({ kind }) => kind === target?.kind)?.model
  const problem = [field.name, ...targeted.others].map((name) => problems[name]).find((each) => each !== undefined)
  return (
    <div data-field={field.name}>
      <Picker
        field={field}
        kinds={kinds}
        target={isChosen ? chosen : target}
        isWritable={isWritable}
        problem={problem}
        onChange={(next) => {
          setChosen(next)
          onChange(targeted.valuesOf(next))
        }}
      />
      <SilentPersonNote id={of === PHONE_USER ? target?.id : undefined} />
      <SilentFlowNote id={of === FLOW ? target?.id : undefined} />
    </div>
  )
}

interface PickerProps {
  field: FieldInfo
  kinds: readonly TargetKind[]
  target: Target | undefined
  isWritable: boolean
  problem: string | undefined
  onChange: (target: Target | undefined) => void
}

function Picker({ field, kinds, target, isWritable, problem, onChange }: PickerProps) {
  const say = useWords('records')
  const [text, setText] = useState('')
  const [wasOpened, setOpened] = useState(false)
  const [isOpen, setOpen] = useState(false)
  const mark = useGoneMark(PHONE_USER)
  const shown = ({ kind, id }: Target, name: string) =>
    kinds.some((each) => each.kind === kind && each.model === PHONE_USER) ? marked(name, mark(id)) : name
  const name = useNameOf(target, kinds)
  const label = target === undefined ? name : shown(target, name)
  // In a closed list the words are those of what was chosen, perhaps before somebody else chose another.
  const isSearching = isOpen && text !== '' && text !== label
  const found = useQueries({
    queries: kinds.map(({ model, domain }) => ({
      ...namesQuery(model, isSearching ? text : '', domain),
      enabled: wasOpened,
    })),
  })
  const isLooking = found.some(({ isPending, isPlaceholderData }) => isPending || isPlaceholderData)
  if (!isWritable) {
    return (
      <>
        <div className={classes.label}>{field.string}</div>
        <div className={classes.value}>{target === undefined ? <span className="dim">–</span> : label}</div>
      </>
    )
  }
  const names = kinds.map((_kind, at) => found[at]?.data ?? [])
  const groups = kinds.map(({ kind, label: group }, at) => ({
    group,
    items: itemsOf(kind, names[at] ?? [], isSearching ? undefined : target, label).map(({ value, label: each }) => ({
      value,
      label: shown(targetOf(value, each), each),
    })),
  }))
  return (
    <Select
      label={field.string}
      description={field.help ?? undefined}
      error={problem}
      searchable
      clearable
      placeholder={say('choose')}
      selectFirstOptionOnChange={isSearching && !isLooking}
      onKeyDownCapture={holdEnter({ isOpen, isLooking, isSearching })}
      nothingFoundMessage={say('nobody')}
      filter={({ options }) => options}
      data={groups.filter(({ items }) => items.length > 0)}
      value={target === undefined ? null : optionOf(target)}
      onSearchChange={setText}
      onDropdownOpen={() => {
        setOpened(true)
        setOpen(true)
      }}
      onDropdownClose={() => setOpen(false)}
      onChange={(value, option) => onChange(value === null ? undefined : targetOf(value, option.label))}
    />
  )
}

/** What is offered of a kind, with what is chosen now. */
function itemsOf(
  kind: string,
  found: readonly (readonly [number, string])[],
  target: Target | undefined,
  label: string,
) {
  const items = found.map(([id, name]) => ({ value: `${kind} ${id}`, label: named(name) || `#${id}` }))
  const isMissing = target?.kind === kind && !items.some(({ value }) => value === optionOf(target))
  return target !== undefined && isMissing ? [{ value: optionOf(target), label }, ...items] : items
}

function optionOf({ kind, id }: Target): string {
  return `${kind} ${id}`
}

function targetOf(value: string, name: string): Target {
  const [kind = '', id] = value.split(' ')
  return { kind, id: Number(id), name }
}

/** The name of the target, which is asked for where only its id is known, as in a draft of another day. */
function useNameOf(target: Target | undefined, kinds: readonly TargetKind[]): string {
  const model = kinds.find(({ kind }) => kind === target?.kind)?.model ?? ''
  const { data, isFetching } = useQuery({
    ...namesQuery(model, '', [['id', '=', target?.id ?? 0]]),
    enabled: target !== undefined && target.name === undefined && model !== '',
  })
  if (target === undefined) return ''
  return nameOrId(named(target.name ?? data?.[0]?.[1] ?? ''), target.id, isFetching)
}

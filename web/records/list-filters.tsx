import { Menu, Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Plus, X } from 'lucide-react'
import { useState } from 'react'
import { callByName } from '../data/client.ts'
import { asks, keyOf } from '../data/keys.ts'
import type { FieldInfo } from '../data/queries.ts'
import { MenuItem } from '../design/menu-item.tsx'
import { ActionIcon, Button } from '../design/press.tsx'
import { nameOrId, plain } from '../words/formats.ts'
import { useWords } from '../words/words.ts'
import type { Fields } from './fields.ts'
import { LinkPicker } from './link-picker.tsx'
import classes from './records.module.css'
import type { Wanted } from './records-search.ts'

const KINDS = ['selection', 'boolean', 'many2one']
const ICON = { size: 16, strokeWidth: 1.75, 'aria-hidden': true } as const

/** Whether a list is filtered by the field, and says so. */
export function canFilter(field: FieldInfo | undefined): boolean {
  return field?.searchable === true && KINDS.includes(field.type)
}

interface Props {
  fields: Fields
  where: Readonly<Record<string, Wanted>>
  onChange: (where: Record<string, Wanted> | undefined) => void
}

/** Which of its fields a list is filtered by, one control each. */
export function ListFilters({ fields, where, onChange }: Props) {
  const say = useWords('records')
  const [added, setAdded] = useState<readonly string[]>([])
  const able = Object.values(fields).filter(canFilter)
  const shown = able.filter(({ name }) => name in where || added.includes(name))
  const others = able.filter((field) => !shown.includes(field))
  const change = (name: string, value: Wanted | null): void => {
    const { [name]: _before, ...rest } = where
    const next = value === null ? rest : { ...rest, [name]: value }
    onChange(Object.keys(next).length === 0 ? undefined : next)
  }
  if (able.length === 0) return null
  return (
    <>
      {shown.map((field) => (
        <div key={field.name} className={classes.filter}>
          <FilterInput field={field} value={where[field.name]} onChange={(value) => change(field.name, value)} />
          <ActionIcon
            variant="subtle"
            aria-label={say('dropOne', { label: field.string })}
            onClick={() => {
              setAdded(added.filter((name) => name !== field.name))
              change(field.name, null)
            }}
          >
            <X {...ICON} />
          </ActionIcon>
        </div>
      ))}
      {others.length === 0 ? null : (
        <Menu position="bottom-start">
          <Menu.Target>
            <Button variant="subtle" leftSection={<Plus {...ICON} />}>
              {say('addFilter')}
            </Button>
          </Menu.Target>
          <Menu.Dropdown mah={360} style={{ overflowY: 'auto' }}>
            {others.map(({ name, string: label }) => (
              <MenuItem key={name} onClick={() => setAdded([...added, name])}>
                {label}
              </MenuItem>
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
    </>
  )
}

interface InputProps {
  field: FieldInfo
  value: Wanted | undefined
  onChange: (value: Wanted | null) => void
}

function FilterInput({ field, value, onChange }: InputProps) {
  const say = useWords('records')
  const { string: label, type, relation = '', selection = [] } = field
  if (type === 'many2one') return <LinkFilter label={label} model={relation} value={value} onChange={onChange} />
  const choices = type === 'boolean' ? [['true', say('yes')] as const, ['false', say('no')] as const] : selection
  return (
    <Select
      aria-label={label}
      placeholder={label}
      w={170}
      data={withAsked(choices, value).map(([choice, words]) => ({ value: choice, label: words }))}
      value={value === undefined ? null : String(value)}
      onChange={(chosen) => onChange(type === 'boolean' && chosen !== null ? chosen === 'true' : chosen)}
    />
  )
}

/** What is filtered by is shown, also where nothing is called so. */
function withAsked(choices: readonly (readonly [string, string])[], value: Wanted | undefined) {
  const asked = value === undefined ? undefined : String(value)
  const isKnown = asked === undefined || choices.some(([choice]) => choice === asked)
  return isKnown ? choices : [...choices, [asked, plain(asked)] as const]
}

function LinkFilter({ label, model, value, onChange }: Omit<InputProps, 'field'> & { label: string; model: string }) {
  const id = typeof value === 'number' ? value : undefined
  const { data: name = '', isFetching } = useQuery(
    asks({
      queryKey: keyOf(model, 'name-of', id),
      enabled: id !== undefined,
      queryFn: async () => {
        const [row] = (await callByName(model, 'read', { ids: [id], fields: ['display_name'] })) as {
          display_name: string
        }[]
        return row?.display_name ?? ''
      },
    }),
  )
  return (
    <LinkPicker
      aria-label={label}
      placeholder={label}
      model={model}
      value={id === undefined ? null : [id, nameOrId(plain(name), id, isFetching)]}
      onChange={(chosen) => onChange(Array.isArray(chosen) ? Number(chosen[0]) : null)}
    />
  )
}

import { MultiSelect } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { callByName, type Domain, nameSearch } from '../data/client.ts'
import { asks, keyOf } from '../data/keys.ts'
import { nameOrId } from '../words/formats.ts'
import { TOOL, useToolWords } from '../words/tool-words.ts'
import { useWords } from '../words/words.ts'
import { useGoneMark } from './deactivated.ts'
import { holdEnter } from './link-picker.tsx'
import { toolsFound } from './names.ts'
import { namesQuery } from './names-query.ts'
import { titleOf } from './record-title.ts'
import classes from './records.module.css'
import { SilentInGroupNote } from './silent-person.tsx'

const PHONE_USERS = 'connect.user'
/** Links that are named one by one. */
const SHOWN_MAX = 100
/** Far more tools than a company has. */
const TOOLS_MAX = 1000

interface Props {
  label: string
  description?: string | undefined
  error?: string | undefined
  withAsterisk?: boolean
  model: string
  /** The records that belong there. */
  domain?: Domain | undefined
  value: unknown
  /** Without it the linked records are only shown: they are edited where they are. */
  onChange: ((value: number[]) => void) | undefined
}

/** What the first of linked records are called. */
export function linkedQuery(model: string, ids: readonly number[]) {
  return asks({
    queryKey: keyOf(model, 'names-of', ids.slice(0, SHOWN_MAX)),
    enabled: ids.length > 0,
    queryFn: async () =>
      (await callByName(model, 'read', { ids: ids.slice(0, SHOWN_MAX), fields: ['display_name'] })) as {
        id: number
        display_name: string
      }[],
  })
}

/** Every tool: the page shows them in words, which the service does not look in. */
function toolsQuery(domain: Domain = []) {
  return asks({
    queryKey: keyOf(TOOL, 'all-names', domain),
    queryFn: () => nameSearch(TOOL, '', { limit: TOOLS_MAX, domain }),
  })
}

/** Records that are called as the text says: tools by the words of the page, all others as the service finds them. */
function useFound({ model, domain, text, isChosenFrom }: Pick<Props, 'model' | 'domain'> & Looked) {
  const tools = useToolWords()
  const isOfTools = model === TOOL
  const all = useQuery({ ...toolsQuery(domain), enabled: isChosenFrom && isOfTools })
  const those = useQuery({ ...namesQuery(model, text, domain), enabled: isChosenFrom && !isOfTools })
  const { isPending, isPlaceholderData } = isOfTools ? all : those
  const found = isOfTools ? toolsFound(all.data ?? [], text, tools) : (those.data ?? [])
  return { found, isLooking: isPending || isPlaceholderData }
}

interface Looked {
  text: string
  isChosenFrom: boolean
}

/** Many records by their names. */
export function LinksPicker({ model, domain, value, onChange, label, ...props }: Props) {
  const say = useWords('records')
  const tools = useToolWords()
  const shown = (name: string, id: number) => (model === TOOL ? tools(name) : titleOf(model, name, id))
  const [text, setText] = useState('')
  const ids = Array.isArray(value) ? value.filter((id) => typeof id === 'number') : []
  const { data: linked = [], isFetching } = useQuery({
    ...linkedQuery(model, ids),
    placeholderData: keepPreviousData,
  })
  const [isOpen, setOpen] = useState(false)
  const isChosenFrom = onChange !== undefined
  const { found, isLooking } = useFound({ model, domain, text, isChosenFrom })
  const isSearching = text !== ''
  const hits = new Set(found.map(([id]) => String(id)))
  const names = new Map([...found, ...linked.map(({ id, display_name: name }) => [id, name] as const)])
  const mark = useGoneMark(model)
  const nameOf = (id: number) => {
    const name = shown(names.get(id) ?? '', id)
    return name === '' ? nameOrId(name, id, isFetching) : `${name}${mark(id)}`
  }
  if (onChange === undefined) {
    return (
      <>
        <div className={classes.label}>{label}</div>
        <div className={classes.links}>
          {ids.length === 0 ? <span className="dim">–</span> : null}
          {ids.slice(0, SHOWN_MAX).map((id) => (
            <Link key={id} to="/records/$model/$id" params={{ model, id: String(id) }}>
              {nameOf(id)}
            </Link>
          ))}
          {ids.length > SHOWN_MAX ? say('linked', { count: ids.length }) : null}
        </div>
      </>
    )
  }
  return (
    <>
      <MultiSelect
        {...props}
        label={label}
        searchable
        clearable
        placeholder={ids.length === 0 ? say('choose') : undefined}
        selectFirstOptionOnChange={isSearching && !isLooking}
        onKeyDownCapture={holdEnter({ isOpen, isLooking, isSearching })}
        onDropdownOpen={() => setOpen(true)}
        onDropdownClose={() => setOpen(false)}
        nothingFoundMessage={say('nobody')}
        // The service finds in any accent; the ones that are linked already stand among its hits only while nothing is typed.
        filter={({ options }) =>
          isSearching ? options.filter((each) => 'value' in each && hits.has(each.value)) : options
        }
        data={[...new Set([...names.keys(), ...ids])].map((id) => ({ value: String(id), label: nameOf(id) }))}
        value={ids.map(String)}
        onSearchChange={setText}
        onChange={(chosen) => onChange(chosen.map(Number))}
      />
      {model === PHONE_USERS ? <SilentInGroupNote ids={ids} /> : null}
    </>
  )
}

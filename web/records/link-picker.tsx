import { Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useEffect, useState } from 'react'
import type { Domain } from '../data/client.ts'
import { phone } from '../words/formats.ts'
import { useWords } from '../words/words.ts'
import { marked, useGoneMark } from './deactivated.ts'
import { EXTENSIONS } from './names.ts'
import { namesQuery } from './names-query.ts'
import { NoneYet } from './none-yet.tsx'
import { titleOf } from './record-title.ts'
import { useExtensionName } from './use-extension-name.ts'

type Mark = ReturnType<typeof useGoneMark>
type Name = readonly [id: number, name: string]

export interface LinkProps {
  label?: string
  'aria-label'?: string
  placeholder?: string
  description?: string | undefined
  error?: string | undefined
  withAsterisk?: boolean
  model: string
  /** The records that belong there. */
  domain?: Domain | undefined
  /** The pair that was read, an id, or null. */
  value: unknown
  onChange: (value: unknown) => void
  /** What can be made here and is then chosen. */
  making?: Making
}

export interface Making {
  label: string
  /** Offered below what is there already. */
  items: readonly { value: string; label: string }[]
  isLooking: boolean
  onSearch: (text: string) => void
  onOpen: () => void
  onMake: (value: string) => void
}

/** Chooses a record by its name. */
export function LinkPicker({ model, domain, value, onChange, placeholder, making, ...props }: LinkProps) {
  const say = useWords('records')
  const [text, setText] = useState('')
  const [wasOpened, setOpened] = useState(false)
  const [isOpen, setOpen] = useState(false)
  const mark = useGoneMark(model)
  const chosen = useChosen(model, value, mark)
  // In a closed list the words are those of what was chosen, perhaps before somebody else chose another.
  const isSearching = isOpen && text !== '' && text !== chosen?.label
  const {
    data: found = [],
    isPending,
    isPlaceholderData,
  } = useQuery({
    ...namesQuery(model, isSearching ? text : '', domain),
    enabled: wasOpened,
  })
  const isLooking = isPending || isPlaceholderData || making?.isLooking === true
  const options = found.map((each) => optionOf(model, each, mark))
  const wish = useWish(model, domain, (first) => {
    onChange([first[0], optionOf(model, first, mark).label])
    setOpen(false)
  })
  const isKnown = isSearching || chosen === undefined || options.some((option) => option.value === chosen.value)
  const offered = isKnown ? options : [chosen, ...options]
  const made =
    making === undefined || making.items.length === 0 ? [] : [{ group: making.label, items: [...making.items] }]
  return (
    <Select
      {...props}
      searchable
      // What is needed is only exchanged for another.
      clearable={props.withAsterisk !== true}
      placeholder={placeholder ?? say('choose')}
      // The first is marked as soon as the hits are there, and not before: what is shown until then is of other words.
      selectFirstOptionOnChange={isSearching && !isLooking}
      onKeyDownCapture={holdEnter({ isOpen, isLooking, isSearching, onHurry: () => wish.hold(text) })}
      nothingFoundMessage={isSearching || domain !== undefined || isLooking ? say('nobody') : <NoneYet model={model} />}
      filter={({ options: all }) => all}
      data={[...offered, ...made]}
      value={chosen?.value ?? null}
      onSearchChange={(next) => {
        if (next !== '') wish.drop(next)
        setText(next)
        making?.onSearch(isOpen && next !== chosen?.label ? next : '')
      }}
      dropdownOpened={isOpen}
      onDropdownOpen={() => {
        setOpened(true)
        setOpen(true)
        making?.onOpen()
      }}
      onDropdownClose={() => setOpen(false)}
      onChange={(id, option) => {
        if (id !== null && making?.items.some((item) => item.value === id)) making.onMake(id)
        else onChange(id === null ? null : [Number(id), option.label])
      }}
    />
  )
}

/** What was chosen; of a short number also who answers it, which its name leaves out, and of a person that they are let in no more. */
function useChosen(model: string, value: unknown, mark: Mark) {
  const [id, name] = Array.isArray(value) ? (value as unknown[]) : []
  const isExtension = model === EXTENSIONS && id !== undefined
  const label = useExtensionName(isExtension ? Number(id) : undefined, phone(titleOf(model, String(name), Number(id))))
  if (id === undefined) return undefined
  return { value: String(id), label: marked(label, mark(Number(id))) }
}

function optionOf(model: string, [id, name]: Name, mark: Mark) {
  return { value: String(id), label: marked(phone(titleOf(model, name, Number(id))) || `#${id}`, mark(id)) }
}

/** Who types and presses Enter before the hits are there gets the first one when it comes, also when they have gone on. */
function useWish(model: string, domain: Domain | undefined, onFound: (first: Name) => void) {
  const [wish, setWish] = useState<string>()
  const { data, isPlaceholderData } = useQuery({
    ...namesQuery(model, wish ?? '', domain),
    enabled: wish !== undefined,
  })
  useEffect(() => {
    if (wish === undefined || data === undefined || isPlaceholderData) return
    setWish(undefined)
    const [first] = data
    if (first !== undefined) onFound(first)
  }, [wish, data, isPlaceholderData, onFound])
  return {
    hold: setWish,
    /** Something else is typed. */
    drop: (text: string) => setWish((held) => (held === text ? held : undefined)),
  }
}

interface Looked {
  isOpen: boolean
  /** Hits of what is typed are on their way. */
  isLooking: boolean
  /** Something is typed. */
  isSearching: boolean
  /** Enter was pressed before the hits were there, or shown. */
  onHurry?: () => void
}

/**
 * Enter in an open list takes the option that is marked, else the first hit of what is typed, and never sends the form; while hits
 * are looked for it takes nothing yet.
 */
export function holdEnter({ isOpen, isLooking, isSearching, onHurry }: Looked) {
  return (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || !isOpen || event.nativeEvent.isComposing) return
    event.preventDefault()
    // The list would take the place of an option that is no longer the one that is marked.
    event.stopPropagation()
    const list = document.getElementById(event.currentTarget.getAttribute('aria-controls') ?? '')
    const option = isLooking ? undefined : optionToTake(list, isSearching)
    if (option) option.click()
    else if (isSearching) onHurry?.()
  }
}

/** The option that is marked, else the first hit of what is typed. */
function optionToTake(list: HTMLElement | null, isSearching: boolean): HTMLElement | null | undefined {
  const marked = list?.querySelector<HTMLElement>('[data-combobox-selected]')
  return marked ?? (isSearching ? list?.querySelector<HTMLElement>('[data-combobox-option]') : undefined)
}

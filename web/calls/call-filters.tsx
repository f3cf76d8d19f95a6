import { Drawer, MultiSelect, Popover, Select, Switch, TextInput } from '@mantine/core'
import { useDebouncedCallback, useMediaQuery } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { Plus, X } from 'lucide-react'
import { listQuery, oneQuery } from '../data/queries.ts'
import { mayDo, useMe } from '../data/session.ts'
import { Button } from '../design/press.tsx'
import { useFilterLabel } from '../records/filter-text.tsx'
import { OUTCOME_WORDS } from '../records/filter-words.ts'
import { LinkPicker } from '../records/link-picker.tsx'
import { nameOrId, phone, plain } from '../words/formats.ts'
import { useWords } from '../words/words.ts'
import classes from './calls.module.css'
import {
  type CallsSearch,
  DAYS,
  DIRECTIONS,
  FILTERS,
  type Filter,
  OUTCOMES,
  type OutcomeName,
  outcomesOf,
} from './calls-search.ts'

const TYPING_MS = 250
const LINES_MAX = 200
const NARROW = '(max-width: 47.99em)'
const ICON = { size: 14, strokeWidth: 1.75, 'aria-hidden': true } as const

interface Props {
  search: CallsSearch
  onChange: (part: CallsSearch) => void
}
interface Opened {
  isOpen: boolean
  onOpen: (isOpen: boolean) => void
}

/** What narrows the list, each with a way to drop it, and the way to more; a sheet where there is little room. */
export function CallFilters({ search, onChange, isOpen, onOpen }: Props & Opened) {
  const say = useWords('calls')
  const isNarrow = useMediaQuery(NARROW) ?? false
  const set = FILTERS.filter((name) => search[name] !== undefined)
  const form = <FilterForm search={search} onChange={onChange} />
  const button = (
    <Button variant="default" leftSection={<Plus {...ICON} />} aria-expanded={isOpen} onClick={() => onOpen(!isOpen)}>
      {say('filter')}
    </Button>
  )
  return (
    <>
      {set.map((name) => (
        <FilterChip key={name} name={name} search={search} onDrop={() => onChange({ [name]: undefined })} />
      ))}
      {isNarrow ? (
        <>
          {button}
          <Drawer
            opened={isOpen}
            onClose={() => onOpen(false)}
            position="bottom"
            size="auto"
            title={say('filter')}
            closeButtonProps={{ 'aria-label': say('closeFilter') }}
          >
            {form}
          </Drawer>
        </>
      ) : (
        <Popover opened={isOpen} onChange={onOpen} position="bottom-end" width={320} trapFocus returnFocus>
          <Popover.Target>{button}</Popover.Target>
          <Popover.Dropdown aria-label={say('filter')}>{form}</Popover.Dropdown>
        </Popover>
      )}
    </>
  )
}

function FilterChip({ name, search, onDrop }: { name: Filter; search: CallsSearch; onDrop: () => void }) {
  const say = useWords('calls')
  const label = useFilterLabel({ ...search })(name)
  return (
    <button type="button" className={classes.chip} onClick={onDrop} aria-label={say('dropNamed', { name: label })}>
      {label} <X {...ICON} />
    </button>
  )
}

/** Contacts and agents by their names, as far as one may read them. */
function useNames({ contact, agent }: CallsSearch): { contact: string; agent: string } {
  const me = useMe()
  const { data: person, isFetching: isPersonComing } = useQuery({
    ...oneQuery('res.partner', contact ?? 0, ['display_name']),
    enabled: contact !== undefined && mayDo(me, 'res.partner', 'r'),
  })
  const { data: speaker, isFetching: isSpeakerComing } = useQuery({
    ...oneQuery('connect.voiceai_agent', agent ?? 0, ['display_name']),
    enabled: agent !== undefined && mayDo(me, 'connect.voiceai_agent', 'r'),
  })
  return {
    contact: nameOrId(person && plain(person.display_name), contact, isPersonComing),
    agent: nameOrId(speaker && plain(speaker.display_name), agent, isSpeakerComing),
  }
}

function useOutcomeWord(): (name: OutcomeName) => string {
  const say = useWords('calls')
  return (name) => say(OUTCOME_WORDS[name])
}

function FilterForm({ search, onChange }: Props) {
  const say = useWords('calls')
  const outcome = useOutcomeWord()
  const names = useNames(search)
  const me = useMe()
  const { data: lines = [] } = useQuery({
    ...listQuery('connect.telco.number', { fields: ['phone_number'], order: 'id', limit: LINES_MAX }),
    enabled: mayDo(me, 'connect.telco.number', 'r'),
  })
  const byNumber = useDebouncedCallback((number: string) => onChange({ number: number || undefined }), TYPING_MS)
  const inside = { withinPortal: false }
  return (
    <div className={classes.filters}>
      <MultiSelect
        label={say('outcome')}
        comboboxProps={inside}
        data-autofocus
        data={OUTCOMES.map((value) => ({ value, label: outcome(value) }))}
        value={outcomesOf(search.outcome)}
        onChange={(values) => onChange({ outcome: values.length === 0 ? undefined : values.join(',') })}
      />
      <Select
        label={say('direction')}
        clearable
        comboboxProps={inside}
        data={DIRECTIONS.map((value) => ({ value, label: say(value) }))}
        value={search.direction ?? null}
        onChange={(value) => onChange({ direction: DIRECTIONS.find((each) => each === value) })}
      />
      <Select
        label={say('day')}
        clearable
        comboboxProps={inside}
        data={DAYS.map((value) => ({ value, label: say(value) }))}
        value={search.day ?? null}
        onChange={(value) => onChange({ day: DAYS.find((each) => each === value) })}
      />
      <TextInput
        label={say('number')}
        defaultValue={search.number ?? ''}
        onChange={({ currentTarget }) => byNumber(currentTarget.value)}
      />
      {mayDo(me, 'res.partner', 'r') ? (
        <LinkPicker
          label={say('contact')}
          model="res.partner"
          value={search.contact === undefined ? null : [search.contact, names.contact]}
          onChange={(value) => onChange({ contact: Array.isArray(value) ? Number(value[0]) : undefined })}
        />
      ) : null}
      {mayDo(me, 'connect.voiceai_agent', 'r') ? (
        <LinkPicker
          label={say('agent')}
          model="connect.voiceai_agent"
          value={search.agent === undefined ? null : [search.agent, names.agent]}
          onChange={(value) => onChange({ agent: Array.isArray(value) ? Number(value[0]) : undefined })}
        />
      ) : null}
      {mayDo(me, 'connect.telco.number', 'r') ? (
        <Select
          label={say('ourLine')}
          clearable
          comboboxProps={inside}
          data={lines.flatMap(({ phone_number: number }) =>
            number === null ? [] : [{ value: number, label: phone(number) }],
          )}
          value={search.line ?? null}
          onChange={(line) => onChange({ line: line ?? undefined })}
        />
      ) : null}
      <Switch
        label={say('recording')}
        checked={search.recording === true}
        onChange={({ currentTarget }) => onChange({ recording: currentTarget.checked ? true : undefined })}
      />
    </div>
  )
}

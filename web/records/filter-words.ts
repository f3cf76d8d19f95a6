/** What a list is filtered by, in words: on its page, where one drops it, and on a saved view of it; pure but for the language. */
import type { FieldInfo } from '../data/queries.ts'
import { lineOf } from '../words/for-people.ts'
import { phone, plain } from '../words/formats.ts'
import type { Keys } from '../words/keys.ts'
import { partName } from '../words/program-words.ts'

type Query = Readonly<Record<string, unknown>>
type Fields = Readonly<Record<string, FieldInfo>>

/** Who says it: the lists have their own words. */
export interface Sayings {
  calls: (key: Keys['calls']) => string
  contacts: (key: Keys['contacts']) => string
  tickets: (key: Keys['tickets']) => string
  filters: (key: Keys['filters']) => string
  records: (key: Keys['records']) => string
}

interface Known {
  says: Sayings
  /** The fields of the list's records. */
  fields: Fields
  nameOf: (model: string, id: number) => string
}

export const OUTCOME_WORDS = {
  agent: 'outcome_agent',
  not_taken_over: 'outcome_not_taken_over',
  person: 'outcome_person',
  agent_person: 'outcome_agent_person',
  voicemail: 'outcome_voicemail',
  missed: 'outcome_missed',
  given_up: 'outcome_given_up',
  busy: 'outcome_busy',
  no_answer: 'outcome_no_answer',
  failed: 'outcome_failed',
  in_progress: 'outcome_in_progress',
} as const
const DAY_WORDS = { today: 'today', yesterday: 'yesterday', week: 'week', month: 'month' } as const
const ONLY_WORDS = { numbers: 'onlyNumbers', staff: 'staff' } as const
const MANNER_WORDS = { list: 'list', board: 'board' } as const
const DIRECTION_WORDS = { incoming: 'incoming', outgoing: 'outgoing', internal: 'internal' } as const
/** Filters that are the id of a record. */
const LINKS = { contact: 'res.partner', agent: 'connect.voiceai_agent', team: 'helpdesk.team' } as const
/** A sort in the other direction. */
const DOWN = '-'

const LINES: Readonly<Record<string, (value: unknown, known: Known) => string>> = {
  outcome: (value, { says: { calls } }) => {
    const outcomes = textOf(value).split(',')
    return `${calls('outcome')}: ${outcomes.map((each) => wordOf(OUTCOME_WORDS, each, calls)).join(', ')}`
  },
  direction: (value, { says: { calls } }) => `${calls('direction')}: ${wordOf(DIRECTION_WORDS, value, calls)}`,
  day: (value, { says: { calls } }) => `${calls('day')}: ${wordOf(DAY_WORDS, value, calls)}`,
  number: (value, { says: { calls } }) => `${calls('number')}: ${phone(textOf(value))}`,
  line: (value, { says: { calls } }) => `${calls('ourLine')}: ${phone(textOf(value))}`,
  contact: (value, known) => `${known.says.calls('contact')}: ${linkName('contact', value, known)}`,
  agent: (value, known) => `${known.says.calls('agent')}: ${linkName('agent', value, known)}`,
  recording: (_value, { says: { calls } }) => calls('recording'),
  only: (value, { says: { contacts } }) => wordOf(ONLY_WORDS, value, contacts),
  team: (value, known) => `${known.says.tickets('team')}: ${linkName('team', value, known)}`,
  mine: (_value, { says: { tickets } }) => tickets('mine'),
  as: (value, { says: { tickets } }) => `${tickets('as')}: ${wordOf(MANNER_WORDS, value, tickets)}`,
  text: (value, { says: { filters } }) => `${filters('text')}: ${textOf(value)}`,
  name: (value, { says: { filters } }) => `${filters('name')}: ${textOf(value)}`,
  sort: (value, { fields, says: { filters } }) => `${filters('sort')}: ${sortWords(textOf(value), fields, filters)}`,
}

/** The records that a filter names. */
export function linksOf(query: Query, fields: Fields): { model: string; id: number }[] {
  const named = Object.entries(LINKS).map(([name, model]) => ({ model, id: query[name] }))
  const wanted = Object.entries(whereOf(query)).map(([name, id]) => ({ model: fields[name]?.relation ?? '', id }))
  return [...named, ...wanted].filter(
    (link): link is { model: string; id: number } => link.model !== '' && typeof link.id === 'number',
  )
}

/** Every filter in words, a line each: "Outcome: missed, voicemail". */
export function filterLines(query: Query, known: Known): string[] {
  return Object.entries(query).flatMap(([name, value]) => {
    if (value === undefined) return []
    return name === 'where' ? whereLines(query, known) : [filterLine(name, value, known)]
  })
}

/** One of them. */
export function filterLine(name: string, value: unknown, known: Known): string {
  const line = Object.hasOwn(LINES, name) ? LINES[name] : undefined
  return line?.(value, known) ?? `${plain(partName(name))}: ${plain(lineOf(value, String, partName))}`
}

function whereLines(query: Query, { says, fields, nameOf }: Known): string[] {
  return Object.entries(whereOf(query)).map(([name, value]) => {
    const field = fields[name]
    const label = field?.string ?? plain(partName(name))
    if (typeof value === 'boolean') return `${label}: ${says.records(value ? 'yes' : 'no')}`
    if (typeof value === 'number' && field?.relation !== undefined) return `${label}: ${nameOf(field.relation, value)}`
    return `${label}: ${plain(field?.selection?.find(([choice]) => choice === value)?.[1] ?? String(value))}`
  })
}

function whereOf({ where }: Query): Query {
  return typeof where === 'object' && where !== null && !Array.isArray(where) ? (where as Query) : {}
}

function linkName(name: keyof typeof LINKS, value: unknown, { nameOf }: Known): string {
  return typeof value === 'number' ? nameOf(LINKS[name], value) : textOf(value)
}

function textOf(value: unknown): string {
  return plain(String(value))
}

function sortWords(text: string, fields: Fields, say: Sayings['filters']): string {
  const isDown = text.startsWith(DOWN)
  const name = isDown ? text.slice(DOWN.length) : text
  return `${fields[name]?.string ?? partName(name)}, ${say(isDown ? 'descending' : 'ascending')}`
}

/** What is not known is said as it is. */
function wordOf<Key extends string>(
  words: Readonly<Record<string, Key>>,
  value: unknown,
  say: (key: Key) => string,
): string {
  const name = textOf(value)
  const key = Object.hasOwn(words, name) ? words[name] : undefined
  return key === undefined ? name : say(key)
}

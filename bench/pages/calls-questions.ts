// What the pages ask of calls: the same fields, orders and limits.

import { type CallsSearch, domainOf } from '../../web/calls/calls-search.ts'
import { COUNT_MAX, PAGE_ROWS } from '../../web/data/queries.ts'
import { CALL_FIELDS } from '../../web/lines/call-rows.ts'
import { CONTACT, NUMBERS } from './company-data.ts'
import type { Question } from './question.ts'

const ZONE = 'Europe/Zurich'
/** Pages that somebody scrolls down. */
const DEEP_PAGES = 15

/** Filters of the list, each with a name. */
const FILTERS: readonly (CallsSearch & { name: string })[] = [
  { name: 'all' },
  { name: 'outcome, common', outcome: 'agent' },
  { name: 'outcome, rare', outcome: 'failed' },
  { name: 'outcomes, two', outcome: 'missed,voicemail' },
  { name: 'outcome, in progress', outcome: 'in_progress' },
  { name: 'number, many calls', number: NUMBERS.many },
  { name: 'number, few calls', number: NUMBERS.few },
  { name: 'number, no calls', number: NUMBERS.never },
  { name: 'number, a part of many', number: '3110000' },
  { name: 'number, a part of few', number: '790000003' },
  { name: 'number, a part of none', number: '790000009' },
  { name: 'our number', line: '+41440000003' },
  { name: 'contact, many calls', contact: CONTACT.many },
  { name: 'contact, some calls', contact: CONTACT.some },
  { name: 'contact, few calls', contact: CONTACT.few },
  { name: 'direction', direction: 'outgoing' },
  { name: 'today', day: 'today' },
  { name: 'this month', day: 'month' },
  { name: 'this month, missed', day: 'month', outcome: 'missed' },
  { name: 'number and outcome', number: NUMBERS.many, outcome: 'failed' },
  { name: 'outcome and direction', outcome: 'failed', direction: 'outgoing' },
  { name: 'with a recording', recording: true },
]

/** What people type into the search of every page. */
const SEARCHED = {
  'the last four digits of many calls': '0000',
  'the last four digits of few calls': '0003',
  'the last four digits of own numbers': '0004',
  'the last six digits of many numbers': '000012',
  'a number as in a letter': 'Tel. 079 000 00 03',
  'digits that no number has': '7946138526',
} as const

/** The list and its count for each filter, deep pages, and what Now asks. */
export function callsQuestions(newest: number, now: Date): Question[] {
  const lists = FILTERS.flatMap(({ name, ...search }) => {
    const domain = domainOf(search, now, ZONE)
    return [page(`list: ${name}`, domain), count(name, domain)]
  })
  const agents = domainOf({ outcome: 'agent' }, now, ZONE)
  const rare = domainOf({ outcome: 'failed' }, now, ZONE)
  return [
    ...lists,
    page('page 15 of all', [['id', '<', newest - DEEP_PAGES * PAGE_ROWS]]),
    page('page 15 of a common outcome', [...agents, ['id', '<', newest - DEEP_PAGES * PAGE_ROWS]]),
    page('page at the middle of a rare outcome', [...rare, ['id', '<', newest - 500_000]]),
    {
      name: 'one call',
      path: '/json/2/connect.call/search_read',
      args: { domain: [['id', '=', newest]], fields: CALL_FIELDS },
    },
    {
      name: 'Now: on the line',
      path: '/json/2/connect.call/search_read',
      args: { domain: [['outcome', '=', 'in_progress']], fields: CALL_FIELDS, order: 'id desc', limit: 50 },
    },
    ...Object.entries(SEARCHED).map(([name, text]) => ({
      name: `search: ${name}`,
      path: '/api/search',
      args: { text },
    })),
    { name: 'Now: to call back', path: '/json/2/connect.call/to_call_back', args: { limit: 12 } },
    { name: 'Now: today', path: '/json/2/connect.call/stats', args: { ...today(now), tz: ZONE, by: 'hour' } },
  ]
}

/** What somebody asks who opens a call. */
export function openCallQuestions(id: number): Question[] {
  return [
    { name: 'timeline of a call', path: '/json/2/connect.call/timeline', args: { ids: [id] } },
    { name: 'why a call ended so', path: '/json/2/connect.call/explain', args: { ids: [id] } },
  ]
}

/** A thousand rows at a time, as programs export them. */
export function exportQuestion(newest: number): Question {
  const args = {
    domain: [['id', '<=', newest]],
    fields: [...CALL_FIELDS, 'voiceai_summary'],
    order: 'id desc',
    limit: 10_000,
  }
  return { name: 'export of 10,000 calls', path: '/json/2/connect.call/search_read', args }
}

function page(name: string, domain: readonly unknown[]): Question {
  const args = { domain, fields: CALL_FIELDS, order: 'id desc', limit: PAGE_ROWS }
  return { name, path: '/json/2/connect.call/search_read', args }
}

function count(name: string, domain: readonly unknown[]): Question {
  return { name: `count: ${name}`, path: '/json/2/connect.call/search_count', args: { domain, limit: COUNT_MAX } }
}

function today(now: Date): { from: string; to: string } {
  const day = now.toISOString().slice(0, 10)
  return { from: `${day} 00:00:00`, to: `${day} 23:59:59` }
}

import { type Static, Type } from 'typebox'
import { isTimeout } from '../../database/database.ts'
import { sql } from '../../database/drizzle.ts'
import { Refusal } from '../../errors.ts'
import { formsOfSubscriber } from '../../number-plans.ts'
import { toE164 } from '../../phone.ts'
import { mayAccess } from '../../platform/access/access.ts'
import type { Env, OpenEnv } from '../../platform/access/env.ts'
import { outsideMethod } from '../../platform/model/model.ts'
import type { Condition } from '../../platform/records/domain-syntax.ts'
import { limitedRecords } from '../../platform/records/records.ts'
import { publishedTime } from '../../time.ts'

/** Tickets that are answered, and that are looked for in one place. */
const FOUND_MAX = 500
const TEXT_CHARS_MAX = 100
const WORDS_MAX = 6
/** So long one place is looked into; a place with too many texts is looked into as far back as there is time for. */
const PLACE_MS_MAX = 400
/** One looks further back as long as it is quick: a server stops what takes too long after all, the embedded engine is ended by it. */
const QUICK_MS = PLACE_MS_MAX / 2
const MS_PER_DAY = 86_400_000
/** Words are in no index: first one looks into what is new. */
const DAYS_BACK = [7, 60, 366, undefined] as const

/** Where a ticket is found, and the way from there to the ticket. */
interface Place {
  model: string
  field: string
  /** What its records have to be, to be a ticket's. */
  among: readonly Condition[]
  /** The field that names the ticket, or the record that does. */
  ticket: string
}

/** What is looked for in a place, and how far back, a step at a time. */
interface Look {
  place: Place
  conditions: readonly Condition[]
  daysBack: readonly (number | undefined)[]
}

const OF_TICKET: readonly Condition[] = [['ticket', '!=', null]]
const OF_TICKETS_CALL: readonly Condition[] = [['call.ticket', '!=', null]]
const PLACES: readonly Place[] = [
  ...['name', 'description', 'partner_name'].map((field) => place('helpdesk.ticket', field, [], 'id')),
  place('mail.message', 'body', [['model', '=', 'helpdesk.ticket']], 'res_id'),
  ...['summary', 'voiceai_summary'].map((field) => place('connect.call', field, OF_TICKET, 'ticket')),
  ...['transcript', 'voiceai_transcript', 'summary', 'voiceai_summary'].map((field) =>
    place('connect.recording', field, OF_TICKETS_CALL, 'call'),
  ),
]

/** The tickets of a telephone number, and those of its calls. */
const NUMBER_PLACES: readonly Place[] = [
  place('helpdesk.ticket', 'phone_normalized', [], 'id'),
  place('connect.call', 'caller', OF_TICKET, 'ticket'),
]
/** As people write the number of a ticket. */
const TICKET_NUMBER = /^#?\s*(\d{1,15})$/

function place(model: string, field: string, among: readonly Condition[], ticket: string): Place {
  return { model, field, among, ticket }
}

const Args = Type.Object({
  text: Type.String({
    minLength: 1,
    maxLength: TEXT_CHARS_MAX,
    description:
      'Words that stand together in one text of the ticket or of its calls, in any case and accent; the number of the ticket, or the telephone number of who called.',
  }),
})
const Reply = Type.Object({
  ids: Type.Array(Type.Integer(), { description: `The newest first, at most ${FOUND_MAX}.` }),
  is_whole: Type.Boolean({ description: 'False when there may be more: only newer texts were looked into.' }),
})
type Found = Static<typeof Reply>

/**
 * Tickets by words of their subject, description, contact and notes, and of what was said in their calls, by their own number and
 * by a telephone number. Each text is read as the person who asks may read it; who reads a ticket reads its calls.
 */
export const findTickets = outsideMethod({
  label: 'Find tickets by words',
  operation: 'read',
  args: Args,
  reply: Reply,
  runOutside: (open, _ids, { text }) => find(open, text),
})

async function find(open: OpenEnv, text: string): Promise<Found> {
  const words = text
    .split(/\s+/)
    .filter((word) => word !== '')
    .slice(0, WORDS_MAX)
  if (words.length === 0) throw new Refusal('refused', 'no-word-to-find')
  const ids = new Set<number>()
  let isWhole = true
  const ofWords = PLACES.map((each): Look => {
    return { place: each, conditions: words.map((word) => [each.field, 'ilike', word]), daysBack: DAYS_BACK }
  })
  for (const look of [...ofWords, ...(await looksByNumber(open, text))]) {
    const found = await lookInto(open, look)
    for (const id of found.ids) ids.add(id)
    isWhole &&= found.is_whole
  }
  const newest = [...ids].toSorted((a, b) => b - a)
  return { ids: newest.slice(0, FOUND_MAX), is_whole: isWhole && newest.length <= FOUND_MAX }
}

/** By a telephone number in any form that people write, and by the number of a ticket. */
async function looksByNumber(open: OpenEnv, text: string): Promise<Look[]> {
  const number = await open(async ({ settings }) => toE164(text, settings.country))
  const [, id] = TICKET_NUMBER.exec(text.trim()) ?? []
  const look = (each: Place, values: readonly unknown[]): Look => {
    return { place: each, conditions: [[each.field, 'in', values]], daysBack: [undefined] }
  }
  return [
    ...(number === undefined ? [] : NUMBER_PLACES.map((each) => look(each, formsOfSubscriber(number)))),
    ...(id === undefined ? [] : [look(place('helpdesk.ticket', 'id', [], 'id'), [Number(id)])]),
  ]
}

/** Everything in a place, or as much of it as may be looked into. */
async function lookInto(open: OpenEnv, { place, conditions, daysBack }: Look): Promise<Found> {
  let found: Found = { ids: [], is_whole: false }
  for (const days of daysBack) {
    let began = performance.now()
    try {
      const { ids, read } = await open(async (env) => {
        began = performance.now()
        if (!mayAccess(env.identity, env.platform.models.get(place.model), 'read')) return { ids: [], read: 0 }
        await env.db.query(sql`set local statement_timeout = ${sql.raw(String(PLACE_MS_MAX))}`)
        return ticketsIn(env, place, [...since(env, days), ...conditions])
      })
      found = { ids, is_whole: days === undefined && read < FOUND_MAX }
      // The newest are found; nobody is shown more.
      if (read === FOUND_MAX) return found
    } catch (error) {
      if (!(error instanceof Refusal) && !isTimeout(error)) throw error
      return found
    }
    if (performance.now() - began > QUICK_MS) return found
  }
  return found
}

function since({ now }: Env, days: number | undefined): Condition[] {
  return days === undefined ? [] : [['create_date', '>=', publishedTime(new Date(now.getTime() - days * MS_PER_DAY))]]
}

/** The tickets of the newest rows that hold the words, and how many rows that were. */
async function ticketsIn(
  env: Env,
  { model, among, ticket }: Place,
  conditions: Condition[],
): Promise<{ ids: number[]; read: number }> {
  const rows = await limitedRecords(env, model).searchRead([...among, ...conditions], [ticket], {
    limit: FOUND_MAX,
    order: 'id desc',
  })
  const linked = rows.flatMap((row) => idOf(row[ticket]) ?? [])
  if (ticket !== 'call' || linked.length === 0) return { ids: linked, read: rows.length }
  const calls = await limitedRecords(env, 'connect.call').searchRead([['id', 'in', linked]], ['ticket'], {
    limit: FOUND_MAX,
  })
  return { ids: calls.flatMap((call) => idOf(call.ticket) ?? []), read: rows.length }
}

function idOf(value: unknown): number | undefined {
  const id = Array.isArray(value) ? value[0] : value
  return typeof id === 'number' ? id : undefined
}

import { type SQL, sql } from '../../database/drizzle.ts'
import { folded, wordsIn } from '../../database/folded.ts'
import { bareEmail } from '../../email-address.ts'
import { APOSTROPHES, umlautSpellings } from '../../folded-text.ts'
import type { Env } from '../../platform/access/env.ts'
import { escapeLike } from '../../platform/records/condition.ts'
import { visibleSql } from '../../platform/records/domain.ts'
import type { Domain } from '../../platform/records/domain-syntax.ts'
import { byEnding, byNumber, dialledIn, digitsIn } from './number-ways.ts'
import type { Matched, Way } from './way.ts'

export interface SearchKind {
  model: string
  /** Fields that say more of a record than its name; of several in a list the first that has a value. */
  details: readonly (string | readonly string[])[]
  /** Which records of the model are looked among; all of them without it. */
  among?: Domain
  ways(env: Env, text: string): Promise<Way[]> | Way[]
}

const WORDS_MAX = 8
const WORD_CHARS_MAX = 40
/** Found by words before access and rules are asked; anyone who needs more types another word. */
const FOUND_BY_WORDS_MAX = 200
/** Of records that have the words, so many of the newest are asked whose they are. */
const LOOKED_THROUGH_MAX = 2_000
/** Text messages, the newest, in which words are looked for. */
const MESSAGES_LOOKED_THROUGH_MAX = 10_000
const ID_DIGITS_MAX = 15
const HAS_LETTER = /\p{L}/u
const ANY_APOSTROPHE = new RegExp(`[${APOSTROPHES}]`, 'g')

/** Kinds of records that one text finds, those that people look for most first. */
export const SEARCH_KINDS: readonly SearchKind[] = [
  // Staff and the service's own users are nobody to talk with from outside.
  {
    model: 'res.partner',
    details: [['phone_normalized', 'phone'], ['mobile_normalized', 'mobile'], 'email'],
    among: [['is_staff', '=', false]],
    ways: contactWays,
  },
  {
    model: 'helpdesk.ticket',
    details: ['stage_id', 'partner_name'],
    ways: async (env, text) => [
      ...byId(text),
      ...byNumber(env, text, ['phone_normalized']),
      ...(await byWords(env, text, TICKET_WORDS)),
    ],
  },
  {
    model: 'connect.call',
    details: ['caller', 'called'],
    ways: async (env, text) => [
      ...byId(text),
      ...bySid(text, { CA: 'call_sid', conv_: 'voiceai_conversation_id' }),
      ...byNumber(env, text, ['caller', 'called']),
      ...(await byEnding(env, text, ['connect_call.caller', 'connect_call.called'])),
    ],
  },
  {
    model: 'connect.telco.number',
    details: ['destination'],
    ways: (env, text) => [
      ...byNumber(env, text, ['phone_number']),
      ...ownByEnding(text),
      ...byName(text, 'friendly_name'),
    ],
  },
  {
    model: 'calendar.event',
    details: ['start', 'location'],
    ways: async (env, text) => [...byId(text), ...(await meetingWays(env, text))],
  },
  {
    model: 'connect.message',
    details: ['body'],
    ways: messageWays,
  },
  { model: 'connect.telco.callflow', details: [], ways: (_env, text) => byName(text, 'name') },
  { model: 'connect.voiceai_agent', details: [], ways: (_env, text) => byName(text, 'name') },
  {
    model: 'connect.delivery',
    details: ['route', 'received_at'],
    ways: (_env, text) => bySid(text, { CA: 'call_sid', conv_: 'conversation' }),
  },
]

const CONTACT_WORDS = sql`res_partner where ${wordsIn(sql`coalesce(name, '') || ' ' || coalesce(email, '')`)}`
const TICKET_WORDS = sql`helpdesk_ticket where ${wordsIn(sql`coalesce(name, '')`)}`

const MEETING_WORDS = wordsIn(sql`coalesce(name, '')`)

async function contactWays(env: Env, text: string): Promise<Way[]> {
  const numbers = byNumber(env, text, ['phone_normalized', 'mobile_normalized'])
  const endings = await byEnding(env, text, ['res_partner.phone_normalized', 'res_partner.mobile_normalized'])
  const digits = dialledIn(text)
  const holds: Domain = ['|', ['phone_normalized', 'like', digits], ['mobile_normalized', 'like', digits]]
  const part: Way[] = digits === '' ? [] : [{ matched: 'number', domain: holds, isSlow: true }]
  // What has no letters is a number, and no beginning of a name.
  const words = HAS_LETTER.test(text) ? await byWords(env, bareEmail(text), CONTACT_WORDS) : []
  return [...numbers, ...words, ...endings, ...part]
}

function byId(text: string): Way[] {
  const [, digits = ''] = /^#?(\d+)$/.exec(text) ?? []
  if (digits === '' || digits.length > ID_DIGITS_MAX) return []
  return [{ matched: 'id', domain: [['id', '=', Number(digits)]] }]
}

/** A SID tells by how it begins which column it is in. */
function bySid(text: string, columns: Readonly<Record<string, string>>): Way[] {
  if (!/^\w{10,80}$/.test(text)) return []
  return Object.entries(columns)
    .filter(([begin]) => text.startsWith(begin))
    .map(([, column]) => ({ matched: 'sid', domain: [[column, '=', text]] }))
}

/** An installation has some hundred numbers of its own. */
function ownByEnding(text: string): Way[] {
  const ending = digitsIn(text)
  return ending === '' ? [] : [{ matched: 'number', domain: [['phone_number', '=like', `%${ending}`]] }]
}

/** Of kinds of which an installation has some hundred. */
function byName(text: string, column: string): Way[] {
  return [{ matched: 'name', domain: [[column, 'ilike', text]] }]
}

/** Records in which each word of the text begins some word. */
async function byWords({ db }: Env, text: string, words: SQL): Promise<Way[]> {
  const query = queryOf(text)
  if (query === undefined) return []
  const rows = await db.query<{ id: number }>(sql`select id from ${words} @@ ${query} limit ${FOUND_BY_WORDS_MAX}::int`)
  return amongThese('name', rows)
}

/** Meetings in whose subject each word begins some word. */
async function meetingWays(env: Env, text: string): Promise<Way[]> {
  const query = queryOf(text)
  if (query === undefined || !HAS_LETTER.test(text)) return []
  const fitting = sql`select id from calendar_event where ${MEETING_WORDS} @@ ${query}`
  return ofReader(env, { model: 'calendar.event', matched: 'name', fitting })
}

/**
 * The newest messages that have each word somewhere. An index of their words would take a tenth of the messages that are taken
 * in a second.
 */
async function messageWays(env: Env, text: string): Promise<Way[]> {
  if (!HAS_LETTER.test(text)) return []
  const words = text.normalize('NFC').trim().split(/\s+/).slice(0, WORDS_MAX)
  const has = (word: string) => sql`body ilike ${`%${escapeLike(word.slice(0, WORD_CHARS_MAX))}%`}::text`
  const hasAll = words.map((word) => sql`(${sql.join([word, ...umlautSpellings(word)].map(has), sql` or `)})`)
  const fitting = sql`select id from
    (select id, body from connect_message order by id desc limit ${MESSAGES_LOOKED_THROUGH_MAX}::int) newest
    where ${sql.join(hasAll, sql` and `)}`
  return ofReader(env, { model: 'connect.message', matched: 'text', fitting })
}

interface Fitting {
  model: string
  matched: Matched
  /** Ids of records that have the words. */
  fitting: SQL
}

/**
 * Where nearly every record is somebody's: the newest of those that the asker may read. All that have the words are found before
 * they are put in order: asked for the newest, PostgreSQL would read the table from its end.
 */
async function ofReader(env: Env, { model: name, matched, fitting }: Fitting): Promise<Way[]> {
  const { platform, identity, settings, db } = env
  const model = platform.models.get(name)
  const scope = { models: platform.models, identity, country: settings.country }
  const table = sql.identifier(model.table)
  const rows = await db.query<{ id: number }>(sql`
    with fitting as materialized (${fitting}),
      newest as materialized (select id from fitting order by id desc limit ${LOOKED_THROUGH_MAX}::int)
    select t.id from newest join ${table} t on t.id = newest.id where ${visibleSql(scope, model, 't') ?? sql`true`}
    order by t.id desc limit ${FOUND_BY_WORDS_MAX}::int`)
  return amongThese(matched, rows)
}

function amongThese(matched: Matched, rows: readonly { id: number }[]): Way[] {
  return rows.length === 0 ? [] : [{ matched, domain: [['id', 'in', rows.map(({ id }) => id)]] }]
}

/** What is looked for; a text with an apostrophe is stored with a blank there, or without either. */
function queryOf(text: string): SQL | undefined {
  const plain = text.normalize('NFC')
  const readings = ['', ' '].map((instead) => beginningsOf(plain.replaceAll(ANY_APOSTROPHE, instead)))
  const query = [...new Set(readings)].filter((reading) => reading !== '').join(' | ')
  return query === '' ? undefined : sql`to_tsquery('simple', ${folded(sql`${query}::text`)})`
}

function beginningsOf(text: string): string {
  const words = text.split(/[^\p{L}\p{N}\p{M}]+/u).filter((word) => word !== '')
  const beginnings = words.slice(0, WORDS_MAX).map((word) => {
    const spellings = [word, ...umlautSpellings(word)].map((each) => `${each.slice(0, WORD_CHARS_MAX)}:*`)
    return spellings.length === 1 ? spellings.join() : `(${spellings.join(' | ')})`
  })
  return beginnings.length === 0 ? '' : `(${beginnings.join(' & ')})`
}

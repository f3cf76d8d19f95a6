import { setTimeout as delay } from 'node:timers/promises'
import { type SQL, sql } from '../../database/drizzle.ts'
import type { ColumnField } from '../model/declaration.ts'
import { isColumn } from '../model/fields.ts'
import type { Model } from '../model/model.ts'
import { writtenBy } from '../model/written-by.ts'
import { type Mentions, nationalDigits, REDACTED } from './mentions.ts'
import type { Sought } from './person.ts'

/** Rows that one statement reads: few enough that nobody who waits for the embedded database notices. */
const ROWS_AT_ONCE = 300
/** The same for models with long texts. */
const LONG_ROWS_AT_ONCE = 40
/**
 * Bytes of texts, as they are stored, after which a statement takes no more rows: looking through a megabyte takes the embedded
 * database some tenths of a second, and a call that is answered meanwhile waits so long.
 */
const BYTES_AT_ONCE = 64 * 1024
/** Between two statements, so that others have their turn. */
const PAUSE_MS = 2
/** Characters of one row that are looked through; what is longer holds sound. */
const ROW_CHARS_MAX = 1_000_000
const WORDS: readonly string[] = ['char', 'text', 'html', 'json']
/** How addresses of the web, HTML and JSON write what stands between digits; each has digits of its own. */
const GAPS_WITH_DIGITS = [
  ...['%20', '%28', '%29', '%2B', '%2b', '%2D', '%2d', '%2E', '%2e', '%2F', '%2f', '%C2%A0', '%c2%a0'],
  ...['&#160;', '&#xa0;', '&#xA0;', '&#40;', '&#41;', '&#43;', '&#45;', '&#46;', '&#47;', '\\u00a0'],
]

/** A text as PostgreSQL has it. */
type Texts = { id: number } & Record<`c${number}`, string | null>

/** Runs one statement; each may be a transaction of its own. */
export type RunQuery = <Row>(query: SQL) => Promise<Row[]>

export interface Search {
  sought: Sought
  mentions: Mentions
  /** The models that say something of people. */
  models: readonly Model[]
  /** Models whose rows are forgotten as a whole: nothing in them is changed. */
  forgotten: ReadonlySet<string>
  /** Rows that are the person's own: there, names count. By model. */
  linked: Readonly<Record<string, readonly number[]>>
}

/** A row that mentions the person, with its columns as they are and as they are to be. */
export interface Mention {
  readonly model: Model
  readonly id: number
  readonly changes: readonly Change[]
}

interface Change {
  readonly column: string
  readonly field: ColumnField
  readonly from: string
  readonly to: string
}

/** Rows of one model that were looked through, up to this id. */
interface Page {
  readonly model: string
  readonly last: number
  readonly found: readonly Mention[]
}

/** Looks through every text of these models, some rows at a time, from where an earlier search has come to. */
export async function* findMentions(
  run: RunQuery,
  search: Search,
  begun?: { model: string; last: number },
): AsyncGenerator<Page> {
  const names = search.models.map(({ name }) => name)
  const first = begun === undefined ? 0 : Math.max(0, names.indexOf(begun.model))
  for (const model of search.models.slice(first)) {
    const columns = wordColumns(model)
    if (columns.length === 0) continue
    yield* pagesOf(run, search, { model, columns, after: model.name === begun?.model ? begun.last : 0 })
  }
}

interface Table {
  model: Model
  columns: readonly (readonly [string, ColumnField])[]
  after: number
}

/** The first rows with ids above `from`, not many and not long altogether; some of them the person's own. */
interface Slice {
  from: number
  limit: number
  theirs: readonly number[]
  sought: Sought
}

async function* pagesOf(run: RunQuery, search: Search, searched: Table): AsyncGenerator<Page> {
  const { model, columns, after } = searched
  const limit = columns.some(([, field]) => field.isHeavy === true) ? LONG_ROWS_AT_ONCE : ROWS_AT_ONCE
  const linked = (search.linked[model.name] ?? []).toSorted((one, other) => one - other)
  for (let from = after; ; ) {
    const theirs = linked.filter((id) => id > from).slice(0, limit)
    const rows = await run<Texts & { last: number | null }>(
      rowsThatMay(searched, { from, limit, theirs, sought: search.sought }),
    )
    const last = rows[0]?.last ?? null
    if (last === null) return
    const found = rows.flatMap((row) => (row.id === null ? [] : (mentionIn(row, searched, search) ?? [])))
    yield { model: model.name, last, found }
    from = last
    await delay(PAUSE_MS)
  }
}

/** The person's own rows, and those in which the digits of a number or the words of an address stand. What is sure is seen afterwards. */
function rowsThatMay({ model, columns }: Table, { from, limit, theirs, sought }: Slice): SQL {
  const texts = columns.map(([name]) => sql`t.${sql.identifier(name)}::text`)
  const shown = texts.map((text, place) => sql`${text} as ${sql.identifier(`c${place}`)}`)
  const ids = sql`(select each::bigint from jsonb_array_elements_text(${JSON.stringify(theirs)}::jsonb) as ids (each))`
  const table = sql.identifier(model.table)
  // Known without reading the texts; the first row is taken however long it is.
  const bytes = columns.map(([name]) => sql`coalesce(pg_column_size(${sql.identifier(name)}), 0)`)
  return sql`with page as (select max(id) as last from
      (select id, sum(bytes) over (order by id) - bytes as before from
        (select id, ${sql.join(bytes, sql` + `)} as bytes from ${table}
         where id > ${from}::bigint order by id limit ${limit}::int) r) p
      where before < ${BYTES_AT_ONCE}::bigint)
    select page.last, found.* from page left join lateral (
      select t.id, ${sql.join(shown, sql`, `)} from ${table} t where t.id > ${from}::bigint and t.id <= page.last
        and (t.id in ${ids} or ${mayMention(sought, sql`concat_ws(E'\\n', ${sql.join(texts, sql`, `)})`)})) found on true`
}

/** Whether a text may mention the person: never false where it does, and in time that grows with the text alone. */
export function mayMention({ numbers, emails }: Sought, text: SQL): SQL {
  const parts = [
    ...numbers.map((number) => sql`strpos(may.digits, ${nationalDigits(number)}) > 0`),
    ...emails.map((email) => {
      const words = sql.join(
        longestWords(email).map((word) => sql`strpos(may.lower, ${word}) > 0`),
        sql` and `,
      )
      return sql`(${words})`
    }),
  ]
  if (parts.length === 0) return sql`false`
  const plain = GAPS_WITH_DIGITS.reduce((inner, gap) => sql`replace(${inner}, ${gap}, ' ')`, sql`cut.whole`)
  // `offset 0`: each is made once, and not anew where it is looked into.
  return sql`(select ${sql.join(parts, sql` or `)} from (
      select lower(cut.whole) as lower, regexp_replace(${plain}, '[^0-9]+', '', 'g') as digits
      from (select left(${text}, ${ROW_CHARS_MAX}::int) as whole offset 0) cut offset 0) may)`
}

/** Of what stands before the @ and after it: it is found however the rest is written. */
function longestWords(email: string): string[] {
  const words = email
    .toLowerCase()
    .split('@')
    .flatMap((part) => {
      const found = part.match(/[a-z0-9]+/g) ?? []
      return found.toSorted((one, other) => other.length - one.length).slice(0, 1)
    })
  return words.length === 0 ? [email.toLowerCase()] : words
}

function mentionIn(
  row: Texts,
  { model, columns }: Table,
  { mentions, linked, forgotten }: Search,
): Mention | undefined {
  const withNames = linked[model.name]?.includes(row.id) === true
  if (forgotten.has(model.name)) {
    const texts = columns.map((_column, place) => row[`c${place}`] ?? '')
    const isFound = texts.some((text) => mentions.isIn(text.slice(0, ROW_CHARS_MAX)))
    return isFound ? { model, id: row.id, changes: [] } : undefined
  }
  const changes = columns.flatMap(([column, field], place): Change[] => {
    const from = row[`c${place}`] ?? null
    const to = from === null ? null : redacted(from, field, { mentions, withNames })
    return from === null || to === null || to === from ? [] : [{ column, field, from, to }]
  })
  return changes.length === 0 ? undefined : { model, id: row.id, changes }
}

/** The text of a column with its mentions redacted; the same text where there is none. */
function redacted(
  from: string,
  field: ColumnField,
  { mentions, withNames }: { mentions: Mentions; withNames: boolean },
): string {
  if (field.kind !== 'json') return mentions.redact(from, { withNames })
  const value: unknown = JSON.parse(from)
  const to = JSON.stringify(mentions.redactJson(value, { withNames }))
  return to === JSON.stringify(value) ? from : to
}

/** Writes what is to stand in place of a mention; a row that changed meanwhile is looked through again. */
export async function redactMention(run: RunQuery, search: Search, mention: Mention): Promise<void> {
  for (let found: Mention | undefined = mention; found !== undefined; ) {
    if (await write(run, found)) return
    const table: Table = { model: found.model, columns: wordColumns(found.model), after: 0 }
    const [row]: Texts[] = await run<Texts>(
      rowsThatMay(table, { from: found.id - 1, limit: 1, theirs: [found.id], sought: search.sought }),
    )
    found = row?.id === found.id ? mentionIn(row, table, search) : undefined
  }
}

/** False when the row is no longer as it was read. */
async function write(run: RunQuery, { model, id, changes }: Mention): Promise<boolean> {
  const set = changes.map(({ column, field, to }) => {
    const value = to === REDACTED && field.required !== true ? null : to
    return sql`${sql.identifier(column)} = ${field.kind === 'json' ? sql`${value}::jsonb` : sql`${value}`}`
  })
  const same = changes.map(({ column, from }) => sql`${sql.identifier(column)}::text = ${from}`)
  const rows = await run(sql`update ${sql.identifier(model.table)} set ${sql.join(set, sql`, `)}, ${writtenBy(null)}
    where id = ${id}::bigint and ${sql.join(same, sql` and `)} returning 1`)
  return rows.length > 0
}

function wordColumns({ fields }: Model): [string, ColumnField][] {
  return Object.entries(fields).filter(
    (each): each is [string, ColumnField] =>
      isColumn(each[1]) && WORDS.includes(each[1].kind) && each[1].generatedAs === undefined,
  )
}

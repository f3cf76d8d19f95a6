import { type SQL, sql } from '../../database/drizzle.ts'
import { idOf } from '../../database/ids.ts'
import { param, type Statement, statement } from '../../database/statement.ts'
import { type GivenRows, givenRows, typeOf } from './given-rows.ts'
import type { Model, ModelOf, RowOf } from './model.ts'

/** What a statement is given for columns of a model: JSON as its text, everything else as rows have it. */
export type ParamsOf<Typed, Name extends keyof RowOf<Typed>> = {
  [Each in Name]: unknown extends RowOf<Typed>[Each] ? string | null : RowOf<Typed>[Each]
}

/**
 * What happens to a column of a row that is there already: `replace` writes the new value, `last` the new one unless it is
 * null, `first` only where there is none yet, `greatest` the greater one, `never` leaves it.
 */
type Merge = 'replace' | 'last' | 'first' | 'greatest' | 'never'

interface Insertion<Name extends string, Returned extends string> {
  columns: readonly Name[]
  /** A column with a unique index: a row that has the same there already stays as it is, and nothing is returned. */
  once?: NoInfer<Name>
  /** Nothing is added unless this is so. */
  when?: SQL
  returning?: readonly Returned[]
}

interface Prepared {
  /** Unique among all statements: servers keep it prepared under this name. */
  name: string
}

interface UpsertOptions<Name extends string, Returned extends string>
  extends Prepared,
    Pick<Insertion<Name, Returned>, 'columns' | 'returning'> {
  /** The column with a unique index that tells whether the row is there. */
  key: NoInfer<Name>
  /** For each column that is not just replaced. */
  merge?: Partial<Record<NoInfer<Name>, Merge>>
}

type NameIn<Typed> = keyof RowOf<Typed> & string
/** The row that is returned; none where nothing is. */
type Returning<Typed, Returned extends NameIn<Typed>> = [Returned] extends [never] ? never : RowOf<Typed, Returned>

/** Compiles the statement that adds one row; its parameters are the columns. */
export function insert<
  Typed extends ModelOf<object>,
  const Name extends NameIn<Typed>,
  const Returned extends NameIn<Typed> = never,
>(
  model: Typed,
  { name, ...insertion }: Prepared & Insertion<Name, Returned>,
): Statement<Returning<Typed, Returned>, ParamsOf<Typed, Name>> {
  return compiled(name, insertSql(model, insertion))
}

/** Compiles the statement that adds many rows; its one parameter is the list of them. */
export function insertMany<
  Typed extends ModelOf<object>,
  const Name extends NameIn<Typed>,
  const Returned extends NameIn<Typed> = never,
>(
  model: Typed,
  { name, ...insertion }: Prepared & Omit<Insertion<Name, Returned>, 'when'>,
): Statement<Returning<Typed, Returned>, GivenRows> {
  return compiled(name, insertManySql(model, insertion))
}

/** The same as part of another statement, which then has that parameter; `when` is asked of each row, `r`. */
export function insertManySql<
  Typed extends ModelOf<object>,
  const Name extends NameIn<Typed>,
  const Returned extends NameIn<Typed> = never,
>(model: Typed, { columns, once, when, returning }: Insertion<Name, Returned>): SQL {
  const rows = sql`select ${columnsOf(model, columns, 'r')} from ${givenRows(model, columns)}${when === undefined ? sql`` : sql` where ${when}`}`
  return sql`${into(model, columns)} ${rows}${unlessThere(once)}${returned(returning)}`
}

/** That of one row. */
function insertSql<
  Typed extends ModelOf<object>,
  const Name extends NameIn<Typed>,
  const Returned extends NameIn<Typed> = never,
>(model: Typed, { columns, once, when, returning }: Insertion<Name, Returned>): SQL {
  const row =
    when === undefined ? sql`values (${values(model, columns)})` : sql`select ${values(model, columns)} where ${when}`
  return sql`${into(model, columns)} ${row}${unlessThere(once)}${returned(returning)}`
}

/**
 * Compiles the statement that adds rows, or changes those that have the same key; its one parameter is the list of them,
 * of which no two have the same key. Rows are written in the order of their keys, so that statements which meet in
 * several rows wait for one another, and never in a circle.
 */
export function upsertMany<
  Typed extends ModelOf<object>,
  const Name extends NameIn<Typed>,
  const Returned extends NameIn<Typed> = never,
>(
  model: Typed,
  { name, key, columns, merge = {}, returning }: UpsertOptions<Name, Returned>,
): Statement<Returning<Typed, Returned>, GivenRows> {
  const keyColumn = sql.identifier(key)
  const id = idOf(model.table, sql`present.${keyColumn} = r.${keyColumn}`)
  const selected = sql`select ${id}, ${columnsOf(model, columns, 'r')} from ${givenRows(model, columns)} order by r.${keyColumn}`
  return compiled(
    name,
    sql`${into(model, ['id', ...columns])} ${selected} ${onConflict(model, { key, columns, merge })}${returned(returning)}`,
  )
}

/** Columns of a model by name, for the text of a query; `alias` is that of its table. */
export function columnsOf<Typed extends ModelOf<object>>(
  _model: Typed,
  names: readonly NameIn<Typed>[],
  alias?: string,
): SQL {
  const prefix = alias === undefined ? sql`` : sql`${sql.identifier(alias)}.`
  return sql.join(
    names.map((name) => sql`${prefix}${sql.identifier(name)}`),
    sql`, `,
  )
}

function compiled<Row, Params>(name: string, query: SQL): Statement<Row, Params> {
  // Which parameters there are is known by the columns, whose types the callers above have.
  return statement<Row, object>(name, query) as Statement<Row, never> as Statement<Row, Params>
}

function into(model: Model, columns: readonly string[]): SQL {
  return sql`insert into ${sql.identifier(model.table)} (${columnsOf(model, columns as never)})`
}

function values(model: Model, columns: readonly string[]): SQL {
  return sql.join(
    columns.map((name) => sql`${param(name)}::${sql.raw(typeOf(model, name))}`),
    sql`, `,
  )
}

function returned(columns: readonly string[] | undefined): SQL {
  return columns === undefined ? sql`` : sql` returning ${columnsOf({} as never, columns as never)}`
}

function unlessThere(once: string | undefined): SQL {
  return once === undefined ? sql`` : sql` on conflict (${sql.identifier(once)}) do nothing`
}

function onConflict(
  model: Model,
  { key, columns, merge }: { key: string; columns: readonly string[]; merge: Partial<Record<string, Merge>> },
): SQL {
  const merged = columns.filter((each) => each !== key).flatMap((each) => mergeOf(model.table, each, merge[each]))
  return sql`on conflict (${sql.identifier(key)}) do update set ${sql.join(merged, sql`, `)}, write_date = now() at time zone 'utc'`
}

function mergeOf(table: string, column: string, merge: Merge = 'replace'): SQL[] {
  const [name, stored] = [sql.identifier(column), sql`${sql.identifier(table)}.${sql.identifier(column)}`]
  switch (merge) {
    case 'replace':
      return [sql`${name} = excluded.${name}`]
    case 'last':
      return [sql`${name} = coalesce(excluded.${name}, ${stored})`]
    case 'first':
      return [sql`${name} = coalesce(${stored}, excluded.${name})`]
    case 'greatest':
      return [sql`${name} = greatest(${stored}, excluded.${name})`]
    case 'never':
      return []
  }
}

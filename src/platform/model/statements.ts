import { type SQL, sql } from '../../database/drizzle.ts'
import { param, type Statement, statement } from '../../database/statement.ts'
import { type GivenRows, givenRows, typeOf } from './given-rows.ts'
import type { Model, ModelOf, RowOf } from './model.ts'
import { writtenBy } from './written-by.ts'

/** What a statement is given for columns of a model: JSON as its text, everything else as rows have it. */
export type ParamsOf<Typed, Name extends keyof RowOf<Typed>> = {
  [Each in Name]: unknown extends RowOf<Typed>[Each] ? string | null : RowOf<Typed>[Each]
}

/**
 * What happens to a column of a row that is there already: `replace` writes the new value, `last` the new one unless it is
 * null, `first` only where there is none yet, `never` leaves it.
 */
type Merge = 'replace' | 'last' | 'first' | 'never'

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

interface SaveOptions<Name extends string> extends Prepared {
  columns: readonly Name[]
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
  const rows = sql`select ${columnsOf(model, columns, 'r')}${hasMaker(columns) ? sql`, r.create_uid` : sql``} from ${givenRows(model, columns)}${when === undefined ? sql`` : sql` where ${when}`}`
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

/** The rows that `saveMany` is given: a row that is there names its id, one that is to be added has none. */
interface SavedRows extends GivenRows {
  rows: readonly { readonly id: number | undefined }[]
}

/**
 * Compiles the statement that changes rows which are there and adds the others; its one parameter is the list of them. Nobody
 * else may write the same rows meanwhile: anyone who saves holds a lock on them since before it found out which are there. That way
 * no index needs to tell which row is meant, so the table may be one that is cut into parts. A row that
 * was removed all the same is added again.
 */
export function saveMany<Typed extends ModelOf<object>, const Name extends NameIn<Typed>>(
  model: Typed,
  { name, columns, merge = {} }: SaveOptions<Name>,
): Statement<never, SavedRows> {
  const kept = columns.flatMap((each) => mergeOf(each, merge[each]))
  const table = sql.identifier(model.table)
  return compiled(
    name,
    sql`with given as materialized (select * from ${givenRows(model, columns, { id: 'bigint' })}),
        changed as (update ${table} s set ${sql.join(kept, sql`, `)}, ${writtenBy(hasMaker(columns) ? sql`g.create_uid` : null)}
          from given g where s.id = g.id returning s.id)
      ${into(model, columns)} select ${columnsOf(model, columns, 'g')}${hasMaker(columns) ? sql`, g.create_uid` : sql``} from given g
        where not exists (select 1 from changed c where c.id = g.id)`,
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

/** Who made a row wrote it last, too, until somebody else does. */
function into(model: Model, columns: readonly string[]): SQL {
  return sql`insert into ${sql.identifier(model.table)} (${columnsOf(model, columns as never)}${hasMaker(columns) ? sql`, write_uid` : sql``})`
}

/** Whether the rows say who made them. */
function hasMaker(columns: readonly string[]): boolean {
  return columns.includes('create_uid')
}

function values(model: Model, columns: readonly string[]): SQL {
  const names = hasMaker(columns) ? [...columns, 'create_uid'] : columns
  return sql.join(
    names.map((name) => sql`${param(name)}::${sql.raw(typeOf(model, name))}`),
    sql`, `,
  )
}

function returned(columns: readonly string[] | undefined): SQL {
  return columns === undefined ? sql`` : sql` returning ${columnsOf({} as never, columns as never)}`
}

function unlessThere(once: string | undefined): SQL {
  return once === undefined ? sql`` : sql` on conflict (${sql.identifier(once)}) do nothing`
}

function mergeOf(column: string, merge: Merge = 'replace'): SQL[] {
  const [name, stored, given] = [
    sql.identifier(column),
    sql`s.${sql.identifier(column)}`,
    sql`g.${sql.identifier(column)}`,
  ]
  switch (merge) {
    case 'replace':
      return [sql`${name} = ${given}`]
    case 'last':
      return [sql`${name} = coalesce(${given}, ${stored})`]
    case 'first':
      return [sql`${name} = coalesce(${stored}, ${given})`]
    case 'never':
      return []
  }
}

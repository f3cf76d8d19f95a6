// What the database is asked while something happens, and whether it reads through a table for it.
import { AsyncLocalStorage } from 'node:async_hooks'
import { expect } from 'vitest'
import type { Database, Queryable, Transaction } from '../../src/database/database.ts'
import { sql } from '../../src/database/drizzle.ts'
import { compile, type Statement } from '../../src/database/statement.ts'

export interface Ran {
  name: string
  text: string
  values: readonly unknown[]
}

/** Set in what is called by the work whose own statements are recorded. */
const own = new AsyncLocalStorage<Ran[]>()

/** The statements of this work alone, and not those of the service's timers and jobs meanwhile. */
export async function recordOwnStatements(db: Database, work: () => Promise<unknown>): Promise<Ran[]> {
  const ran: Ran[] = []
  const noted = { push: (each: Ran) => void own.getStore()?.push(each) }
  await recordInto(noted, db, () => own.run(ran, work))
  return ran
}

/** The statements that run meanwhile, from any part of the service. */
export async function recordStatements(db: Database, work: () => Promise<unknown>): Promise<Ran[]> {
  const ran: Ran[] = []
  await recordInto(ran, db, work)
  return ran
}

interface Notes {
  push(ran: Ran): void
}

async function recordInto(ran: Notes, db: Database, work: () => Promise<unknown>): Promise<void> {
  const { run, query, transaction } = db
  Object.assign(db, {
    ...recorded({ run, query }, ran),
    transaction: <Result>(act: (tx: Transaction) => Promise<Result>) =>
      transaction((tx) => act({ ...tx, ...recorded(tx, ran), send: recordedSend(tx, ran) })),
  })
  try {
    await work()
  } finally {
    Object.assign(db, { run, query, transaction })
  }
}

function recorded(on: Queryable, ran: Notes): Queryable {
  return {
    run(statement, params) {
      ran.push(prepared(statement, params))
      return on.run(statement, params)
    },
    query(asked) {
      ran.push({ name: 'query', ...compile(asked) })
      return on.query(asked)
    },
  }
}

function recordedSend(tx: Transaction, ran: Notes): Transaction['send'] {
  return (statement, params) => {
    ran.push(prepared(statement, params))
    tx.send(statement, params)
  }
}

function prepared<Row, Params extends object>({ name, text, values }: Statement<Row, Params>, params: Params): Ran {
  return { name, text, values: values(params) }
}

/**
 * Fails for a statement that the database would answer by reading through one of the tables: planned for its values, and planned
 * once for all values, as what is kept prepared is from the sixth time on.
 */
export async function expectNoScans(
  db: Database,
  statements: readonly Ran[],
  tables: readonly string[],
): Promise<void> {
  const [setting] = await db.query<{ enable_seqscan: string }>(sql`show enable_seqscan`)
  expect(setting?.enable_seqscan).toBe('on')
  for (const ran of statements.filter(isPlanned)) {
    const { name, text, values } = ran
    const plans = [await explainWritten(db, ran)]
    if (name !== 'query' && values.length > 0) plans.push(await explainForAll(db, text, values))
    for (const plan of plans) {
      for (const table of tables) expect(`${name}\n${plan}`).not.toMatch(new RegExp(`Seq Scan on ${table}\\b`))
    }
  }
}

/** How the database would answer each of the statements, planned for its values. */
export async function plansOf(db: Database, statements: readonly Ran[]): Promise<string[]> {
  const plans: string[] = []
  for (const ran of statements.filter(isPlanned)) plans.push(await explainWritten(db, ran))
  return plans
}

function isPlanned({ text }: Ran): boolean {
  return /^\s*(select|insert|update|delete|with)\b/i.test(text)
}

function explainWritten(db: Queryable, { text, values }: Ran): Promise<string> {
  return explain(
    db,
    text.replaceAll(/\$(\d+)/g, (_whole, at: string) => literal(values[Number(at) - 1])),
  )
}

async function explain(db: Queryable, statement: string): Promise<string> {
  const rows = await db.query<{ 'QUERY PLAN': string }>(sql`explain ${sql.raw(statement)}`)
  return rows.map((row) => row['QUERY PLAN']).join('\n')
}

function explainForAll(db: Database, text: string, values: readonly unknown[]): Promise<string> {
  return db.transaction(async (tx) => {
    await tx.query(sql`set local plan_cache_mode = force_generic_plan`)
    await tx.query(sql`prepare asked as ${sql.raw(text)}`)
    const plan = await explain(tx, `execute asked(${values.map(literal).join(', ')})`)
    await tx.query(sql`deallocate asked`)
    return plan
  })
}

/**
 * Statements that ran so often during the work, and were planned at each run: after the fifth, a plan for all values would be kept.
 * Counted from the beginning of the work on, as the embedded database goes on with one session from one file of tests to the next.
 */
export async function plannedAtEachRun(db: Queryable, times: number, work: () => Promise<unknown>): Promise<string[]> {
  const earlier = await plansMade(db)
  await work()
  const now = await plansMade(db)
  return [...now]
    .filter(([statement, made]) => {
      const before = earlier.get(statement) ?? { custom: 0, generic: 0 }
      return made.generic === before.generic && made.custom - before.custom >= times
    })
    .map(([, { name }]) => name)
}

interface PlansMade {
  name: string
  custom: number
  generic: number
}

/** Of each statement that the session keeps prepared, by the session and the statement's name. */
async function plansMade(db: Queryable): Promise<Map<string, PlansMade>> {
  const rows = await db.query<PlansMade & { session: number }>(sql`
    select pg_backend_pid() as session, name, custom_plans::int as custom, generic_plans::int as generic
    from pg_prepared_statements order by name`)
  return new Map(rows.map((row) => [`${row.session} ${row.name}`, row]))
}

function literal(value: unknown): string {
  if (value === null || value === undefined) return 'null'
  if (Array.isArray(value)) return literal(`{${value.map(element).join(',')}}`)
  return typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(value)
}

/** A list is written without a type, so that it takes the one that the statement asks for. */
function element(value: unknown): string {
  if (value === null || value === undefined) return 'null'
  return `"${String(value).replaceAll(/["\\]/g, '\\$&')}"`
}

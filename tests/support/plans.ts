// What the database is asked while something happens, and whether it reads through a table for it.
import { expect } from 'vitest'
import type { Database, Queryable, Transaction } from '../../src/database/database.ts'
import { sql } from '../../src/database/drizzle.ts'
import { compile, type Statement } from '../../src/database/statement.ts'

export interface Ran {
  name: string
  text: string
  values: readonly unknown[]
}

/** The statements that run meanwhile. */
export async function recordStatements(db: Database, work: () => Promise<unknown>): Promise<Ran[]> {
  const { run, query, transaction } = db
  const ran: Ran[] = []
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
  return ran
}

function recorded(on: Queryable, ran: Ran[]): Queryable {
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

function recordedSend(tx: Transaction, ran: Ran[]): Transaction['send'] {
  return (statement, params) => {
    ran.push(prepared(statement, params))
    tx.send(statement, params)
  }
}

function prepared<Row, Params extends object>({ name, text, values }: Statement<Row, Params>, params: Params): Ran {
  return { name, text, values: values(params) }
}

/** Fails for a statement that the database would answer by reading through one of the tables. */
export async function expectNoScans(
  db: Database,
  statements: readonly Ran[],
  tables: readonly string[],
): Promise<void> {
  const [setting] = await db.query<{ enable_seqscan: string }>(sql`show enable_seqscan`)
  expect(setting?.enable_seqscan).toBe('on')
  for (const { name, text, values } of statements) {
    if (!/^\s*(select|insert|update|delete|with)\b/i.test(text)) continue
    const written = text.replaceAll(/\$(\d+)/g, (_whole, at: string) => literal(values[Number(at) - 1]))
    const rows = await db.query<{ 'QUERY PLAN': string }>(sql`explain ${sql.raw(written)}`)
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
    for (const table of tables) expect(`${name}\n${plan}`).not.toMatch(new RegExp(`Seq Scan on ${table}\\b`))
  }
}

function literal(value: unknown): string {
  if (value === null || value === undefined) return 'null'
  if (Array.isArray(value)) return value.length === 0 ? "'{}'" : `array[${value.map(literal).join(', ')}]`
  return typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(value)
}

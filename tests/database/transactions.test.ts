import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  type Database,
  isRetryable,
  isUnavailable,
  sqlState,
  type Transaction,
  violated,
} from '../../src/database/database.ts'
import { sql } from '../../src/database/drizzle.ts'
import { openServer } from '../../src/database/server/server.ts'
import { param, statement } from '../../src/database/statement.ts'
import { openTestDatabase } from '../support/database.ts'
import { eventually } from '../support/test-app.ts'

let db: Database
let url: string | undefined
let release: () => Promise<void>

beforeAll(async () => {
  const opened = await openTestDatabase()
  db = opened.db
  url = opened.url
  release = opened.release
  await db.script(
    'create table thing (id int primary key, name text not null unique, parent int references thing (id))',
  )
})
beforeEach(() => db.script('delete from thing'))
afterAll(() => release())

const ADD = statement<{ id: number }, { id: number; name: string }>(
  'test_thing_add',
  sql`insert into thing (id, name) values (${param('id')}, ${param('name')}) returning id`,
)

const RENAME = statement<never, { from: string; to: string }>(
  'test_thing_rename',
  sql`update thing set name = ${param('to')} where name = ${param('from')}`,
)

async function names(): Promise<string[]> {
  return (await db.query<{ name: string }>(sql`select name from thing order by id`)).map((row) => row.name)
}

describe('a transaction', () => {
  it('commits what its work did, and then calls back', async () => {
    const heard: string[] = []
    const result = await db.transaction(async (tx) => {
      tx.afterCommit(() => heard.push('committed'))
      await tx.run(ADD, { id: 1, name: 'a' })
      expect(heard).toEqual([])
      return 'done'
    })
    expect([result, heard, await names()]).toEqual(['done', ['committed'], ['a']])
  })

  it('rolls back when its work throws, and never calls back', async () => {
    const heard: string[] = []
    const failing = db.transaction(async (tx) => {
      tx.afterCommit(() => heard.push('committed'))
      await tx.run(ADD, { id: 1, name: 'a' })
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    expect([heard, await names()]).toEqual([[], []])
  })

  it('fails when one of its statements failed and its work went on as if it had not: nothing of it is kept', async () => {
    const heard: string[] = []
    const failing = db.transaction(async (tx) => {
      tx.afterCommit(() => heard.push('committed'))
      await tx.run(ADD, { id: 1, name: 'a' })
      await tx.run(ADD, { id: 1, name: 'b' }).catch(() => undefined)
      return 'done'
    })
    await expect(failing).rejects.toThrow('rolled back')
    expect([heard, await names()]).toEqual([[], []])
    await db.transaction((tx) => tx.run(ADD, { id: 1, name: 'c' }))
    expect(await names()).toEqual(['c'])
  })

  it('a transaction is tried again when the database asks for it, three times at most, and calls back once', async () => {
    const heard: string[] = []
    let attempts = 0
    const work = (failures: number) =>
      db.transaction(async (tx) => {
        attempts += 1
        tx.afterCommit(() => heard.push('committed'))
        await tx.run(ADD, { id: attempts, name: `turn ${attempts}` })
        if (attempts <= failures) throw Object.assign(new Error('try again'), { code: '40001' })
      })
    await work(2)
    expect([attempts, heard, await names()]).toEqual([3, ['committed'], ['turn 3']])
    attempts = 10
    await expect(work(100)).rejects.toThrow('try again')
    expect([attempts, heard]).toEqual([13, ['committed']])
  })

  it('runs what is only sent in its turn, and fails when that fails, for the reason that it failed', async () => {
    await db.transaction(async (tx) => {
      tx.send(RENAME, { from: 'a', to: 'too early' })
      await tx.run(ADD, { id: 1, name: 'a' })
      tx.send(RENAME, { from: 'a', to: 'b' })
      tx.send(RENAME, { from: 'b', to: 'c' })
    })
    expect(await names()).toEqual(['c'])
    const failsAt = (work: (tx: Transaction) => Promise<unknown>) =>
      db.transaction(work).then(
        () => 'committed',
        (error) => sqlState(error),
      )
    const last = failsAt(async (tx) => {
      await tx.run(ADD, { id: 2, name: 'd' })
      tx.send(RENAME, { from: 'd', to: 'c' })
    })
    expect(await last).toBe('23505')
    const before = failsAt(async (tx) => {
      await tx.run(ADD, { id: 2, name: 'd' })
      tx.send(RENAME, { from: 'd', to: 'c' })
      await tx.run(ADD, { id: 3, name: 'e' })
    })
    expect(await before).toBe('23505')
    expect(await names()).toEqual(['c'])
  })

  it('a transaction fails for what failed first, also where something was sent behind that before it was answered', async () => {
    await db.transaction((tx) => tx.run(ADD, { id: 1, name: 'a' }))
    const failing = db.transaction(async (tx) => {
      const adding = tx.run(ADD, { id: 1, name: 'b' })
      tx.send(RENAME, { from: 'a', to: 'c' })
      await adding
    })
    expect(sqlState(await failing.catch((error: unknown) => error))).toBe('23505')
    expect(await names()).toEqual(['a'])
  })

  it('fails when what it wanted to tell others cannot be told', async () => {
    const telling = db.transaction(async (tx) => {
      await tx.run(ADD, { id: 1, name: 'a' })
      await tx.notify('connect_records', 'x'.repeat(8_001))
    })
    await expect(telling).rejects.toThrow('payload')
    expect(await names()).toEqual([])
  })

  it('leaves the connection as it was, however it ended', async () => {
    for (let turn = 0; turn < 30; turn += 1) {
      await db.transaction((tx) => tx.query(sql`select nonsense`)).catch(() => undefined)
      await db.query(sql`select nonsense`).catch(() => undefined)
    }
    expect(await db.query(sql`select 1 as one`)).toEqual([{ one: 1 }])
  })
})

describe('a refusal of the database', () => {
  it('tells its state, constraint, column and table, on both drivers', async () => {
    const refusal = async (query: ReturnType<typeof sql>) => {
      const error = await db.query(query).catch((thrown: unknown) => thrown)
      return { state: sqlState(error), ...violated(error) }
    }
    await db.script(`insert into thing values (1, 'a', null), (2, 'b', 1)`)
    expect(await refusal(sql`insert into thing values (3, 'a', null)`)).toMatchObject({
      state: '23505',
      constraint: 'thing_name_key',
      table: 'thing',
    })
    expect(await refusal(sql`insert into thing values (3, null, null)`)).toMatchObject({
      state: '23502',
      column: 'name',
    })
    expect(await refusal(sql`insert into thing values (3, 'c', 9)`)).toMatchObject({ state: '23503', table: 'thing' })
    expect(await refusal(sql`delete from thing where id = 1`)).toMatchObject({ table: 'thing' })
    expect(await refusal(sql`select 'x'::int`)).toMatchObject({ state: '22P02' })
  })

  it('a refusal of the database is one to try again, one that says the server is away, or neither', () => {
    const error = (code: string, message = '') => Object.assign(new Error(message), { code })
    expect([error('40001'), error('40P01')].every(isRetryable)).toBe(true)
    expect([error('23505'), new Error(), 'x', null].some(isRetryable)).toBe(false)
    const away = ['08006', '53300', '57P01', '57014', '58030', 'ECONNREFUSED', 'EPIPE', 'ETIMEDOUT', 'EACCES']
    expect(away.every((code) => isUnavailable(error(code)))).toBe(true)
    expect(['23505', '22P02', '42703', '40001', 'ENOENT'].some((code) => isUnavailable(error(code)))).toBe(false)
    expect(sqlState(error('EPIPE'))).toBeUndefined()
  })
})

describe('notifications', () => {
  it('arrive after the commit, and never of what was rolled back', async () => {
    const heard: string[] = []
    await db.listen('connect_records', (payload) => heard.push(payload))
    await db
      .transaction(async (tx) => {
        await tx.notify('connect_records', 'rolled back')
        throw new Error('no')
      })
      .catch(() => undefined)
    await db.transaction(async (tx) => {
      await tx.notify('connect_records', 'committed')
      expect(heard).toEqual([])
    })
    await eventually(async () => heard.length > 0)
    expect(heard).toEqual(['committed'])
  })

  it('notifications of settings and people are heard here before the transaction is over for its caller', async () => {
    const heard: string[] = []
    await db.listen('connect_settings', (payload) => heard.push(payload))
    await db.transaction((tx) => tx.notify('connect_settings', 'changed'))
    // The server's own notification may be here as well by now.
    expect(heard).toContain('changed')
  })
})

describe('a server', () => {
  it('a server that ends all connections takes no process with it, and is listened to again', async ({ skip }) => {
    skip(url === undefined, 'the embedded database has no connections')
    const heard: string[] = []
    const other = await openServer(url ?? '', 3)
    await other.listen('connect_inbox', (payload) => heard.push(payload))
    const entered = Promise.withResolvers<void>()
    const left = Promise.withResolvers<void>()
    const transaction = other.transaction(async (tx) => {
      await tx.run(ADD, { id: 1, name: 'a' })
      entered.resolve()
      await left.promise
      await tx.run(ADD, { id: 2, name: 'b' })
    })
    const refused = transaction.catch((error: unknown) => error)
    await entered.promise
    await endConnections()
    left.resolve()
    expect(isUnavailable(await refused)).toBe(true)
    // An idle connection of this test's own may learn of its end only when it is used.
    await eventually(async () => (await names().catch(() => ['unknown'])).length === 0)
    // What was missed is told as such, and what comes after is heard.
    await eventually(async () => heard.includes('*'))
    await other.transaction((tx) => tx.notify('connect_inbox', 'after'))
    await eventually(async () => heard.includes('after'))
    await other.close()
  })
})

async function endConnections(): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  )
  await client.end()
}

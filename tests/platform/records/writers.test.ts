import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createModels } from '../../../src/app/models.ts'
import { sql } from '../../../src/database/drizzle.ts'
import { TestApp } from '../../support/test-app.ts'

let app: TestApp

beforeAll(async () => {
  app = await TestApp.start()
})
afterAll(() => app.stop())

interface Writers {
  create_uid: [number, string] | null
  write_uid: [number, string] | null
}

async function writersOf(ticket: number): Promise<Writers | undefined> {
  const [row] = await app.admin.ask<Writers[]>('helpdesk.ticket', 'read', {
    ids: [ticket],
    fields: ['create_uid', 'write_uid'],
  })
  return row
}

describe('who wrote a row that comes with deliveries', () => {
  it('the writer of a row is nobody any more when that user is deleted, and others stay', async () => {
    const [left, stays] = [await app.person(['helpdesk.group_user']), await app.person(['helpdesk.group_user'])]
    const ticket = await left.ask<number>('helpdesk.ticket', 'create', { vals_list: { name: 'Printer' } })
    const other = await left.ask<number>('helpdesk.ticket', 'create', { vals_list: { name: 'Heating' } })
    await stays.ask('helpdesk.ticket', 'write', { ids: [other], vals: { name: 'Cold heating' } })
    expect(await writersOf(ticket)).toMatchObject({ create_uid: [left.userId, expect.any(String)] })
    await app.admin.ask('res.users', 'unlink', { ids: [left.userId] })
    expect(await writersOf(ticket)).toMatchObject({ create_uid: null, write_uid: null })
    expect(await writersOf(other)).toMatchObject({ create_uid: null, write_uid: [stays.userId, expect.any(String)] })
  })

  it('the writer of a row is nobody any more in every table that says so of itself, and those have no checked link', async () => {
    const models = [...createModels()].filter(({ comesWithDeliveries }) => comesWithDeliveries === true)
    const tables = models.map(({ table }) => table).sort()
    const [trigger] = await app.db.query<{ args: string }>(
      sql`select encode(tgargs, 'escape') as args from pg_trigger where tgname = 'res_users_forget_writer'`,
    )
    expect(trigger?.args.split('\\000').filter(Boolean).sort()).toEqual(tables)
    const links = await app.db.query<{ name: string }>(
      sql`select conrelid::regclass::text as name from pg_constraint
          where contype = 'f' and conname ~ '_(create|write)_uid_fkey$'`,
    )
    expect(links.map(({ name }) => name).filter((name) => tables.includes(name))).toEqual([])
  })
})

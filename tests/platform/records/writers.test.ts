import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createModels } from '../../../src/app/models.ts'
import { sql } from '../../../src/database/drizzle.ts'
import { isColumn } from '../../../src/platform/model/fields.ts'
import { aPartner } from '../../fixtures/records.ts'
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

describe('a link that is no foreign key', () => {
  it('the author of a post is nobody any more when that contact is deleted, and others stay', async () => {
    const [left, stays] = [await aPartner(app, { name: 'Left' }), await aPartner(app, { name: 'Stays' })]
    const about = await aPartner(app, { name: 'About' })
    const post = async (author: number): Promise<number> => {
      const [row] = await app.db.query<{ id: number }>(
        sql`insert into mail_message (model, res_id, body, message_type, author_id, date)
            values ('res.partner', ${about}::bigint, 'Hello', 'comment', ${author}::bigint, now()) returning id`,
      )
      return row?.id ?? 0
    }
    const ids = [await post(left), await post(stays)]
    await app.admin.ask('res.partner', 'unlink', { ids: [left] })
    expect(await app.admin.ask('mail.message', 'read', { ids, fields: ['author_id'] })).toMatchObject([
      { author_id: null },
      { author_id: [stays, 'Stays'] },
    ])
  })

  it('each link that is no foreign key has a trigger that clears it, and nothing else has one', async () => {
    const links = [...createModels()].flatMap(({ table, fields }) =>
      Object.entries(fields).flatMap(([name, field]) =>
        isColumn(field) && field.isUnchecked === true ? [`${table}_${name}_clear`] : [],
      ),
    )
    const triggers = await app.db.query<{ name: string }>(
      sql`select tgname as name from pg_trigger where tgfoid = 'connect_clear_links'::regproc order by 1`,
    )
    expect(triggers.map(({ name }) => name)).toEqual(links.sort())
  })
})

import { afterAll, beforeAll, expect, it } from 'vitest'
import { sql } from '../../src/database/drizzle.ts'
import { TestApp } from '../support/test-app.ts'

let app: TestApp

beforeAll(async () => {
  app = await TestApp.start()
})
afterAll(() => app.stop())

// For each row that goes the database looks for what links to it, and without an index through the whole table.
it('what links to a record that comes with deliveries has an index to be found by', async () => {
  const tables = [...app.app.platform.models]
    .filter((model) => model.comesWithDeliveries === true)
    .map(({ table }) => table)
  expect(tables).toContain('connect_message')
  const found = await app.db.query<{ link: string }>(
    sql`select conname as link from pg_constraint c
        where contype = 'f' and confrelid::regclass::text in (select jsonb_array_elements_text(${JSON.stringify(tables)}::jsonb))
          and not exists (select from pg_index i where i.indrelid = c.conrelid and i.indkey[0] = c.conkey[1])`,
  )
  expect(found.map(({ link }) => link)).toEqual([])
})

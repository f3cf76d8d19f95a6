// The search of an erasure reads a big table in small statements, between which everybody else who asks has a turn.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { sql } from '../../../src/database/drizzle.ts'
import { textMessageModel } from '../../../src/ledger/messages/message.ts'
import { findMentions, type RunQuery, type Search } from '../../../src/platform/person/find-mentions.ts'
import { Mentions } from '../../../src/platform/person/mentions.ts'
import { TestApp } from '../../support/test-app.ts'

const MESSAGES = 20_000
const LONG_ONES = 100
const LONG_BYTES = 32 * 1024
const THEIRS = '+14155550187'

let app: TestApp
beforeAll(async () => {
  app = await TestApp.start()
  await app.db.query(sql`insert into connect_message (from_number, to_number, body, status, direction)
    select '+14155550100', '+14155550101', 'Message ' || i, 'received', 'incoming' from generate_series(1, ${MESSAGES}::int) i`)
  // Of what cannot be stored shorter, and each of them mentions the person at its end.
  await app.db.query(sql`insert into connect_message (from_number, to_number, body, status, direction)
    select '+14155550100', '+14155550101',
      (select string_agg(translate(md5(i || ' ' || part), '0123456789', 'ghijklmnop'), '')
       from generate_series(1, ${LONG_BYTES / 32}::int) part) || ' ' || ${THEIRS}, 'received', 'incoming'
    from generate_series(1, ${LONG_ONES}::int) i`)
})
afterAll(() => app.stop())

it('an erasure of 20,000 messages and long ones lets others have a turn after each few rows', async () => {
  const sought = { numbers: [THEIRS], emails: [], names: [] }
  const search: Search = {
    sought,
    mentions: new Mentions(sought),
    models: [textMessageModel],
    forgotten: new Set(),
    linked: {},
  }
  let begun = 0
  const webhooks: Promise<number>[] = []
  const run: RunQuery = async (query) => {
    begun += 1
    const asked = begun
    const answer = app.db.query(query)
    // A webhook comes while this one runs.
    webhooks.push(app.db.query(sql`select 1`).then(() => begun - asked))
    return (await answer) as never
  }
  let found = 0
  let most = 0
  for await (const page of findMentions(run, search)) {
    found += page.found.length
    most = Math.max(most, page.found.length)
  }
  expect(found).toBe(LONG_ONES)
  // Two of them are as much as a statement reads, and then one more.
  expect(most).toBeLessThanOrEqual(3)
  expect(begun).toBeGreaterThan(MESSAGES / 300 + LONG_ONES / 3)
  // Answered before the second statement after the one that it came to.
  expect(Math.max(...(await Promise.all(webhooks)))).toBeLessThanOrEqual(1)
})

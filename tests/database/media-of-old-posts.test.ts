// Posts of before name the provider's address of what came with a message; after the migration they name ours.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { sql } from '../../src/database/drizzle.ts'
import { statementsOf } from '../support/migration-parts.ts'
import { TestApp } from '../support/test-app.ts'

const BASE = 'https://api.twilio.com/2010-04-01/Accounts/AC1/Messages/MM1/Media/ME'

let app: TestApp

beforeAll(async () => {
  app = await TestApp.start()
})
afterAll(() => app.stop())

function link(address: string): string {
  return `<p><a href="${address}" rel="noopener noreferrer" target="_blank">${address}</a></p>`
}

it('each picture of an old post is reached by our own address', async () => {
  const media = JSON.stringify([{ url: `${BASE}1?a=1&b=2` }, { url: `${BASE}2` }])
  const [message] = await app.db.query<{ id: number }>(
    sql`insert into connect_message (message_sid, from_number, to_number, direction, media, media_url)
        values ('MM1', '+14155550101', '+14155550102', 'incoming', ${media}::jsonb, ${`${BASE}1?a=1&b=2`}) returning id`,
  )
  const body = `<p>Look</p>${link(`${BASE}1?a=1&amp;b=2`)}${link(`${BASE}2`)}`
  const [post] = await app.db.query<{ id: number }>(
    sql`insert into mail_message (model, res_id, body, message_type, date, connect_message)
        values ('res.partner', 1, ${body}, 'mms', now(), ${message?.id}) returning id`,
  )
  for (const each of statementsOf('Media of old posts')) await app.db.query(sql.raw(each))
  const [now] = await app.db.query<{ body: string }>(sql`select body from mail_message where id = ${post?.id}`)
  const own = `/connect/message/${message?.id}/media/`
  expect(now?.body).toBe(`<p>Look</p>${link(`${own}0`)}${link(`${own}1`)}`)
})

// Whose texts are put where: a person who may not see or change a record puts none on it, by no way there is.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { sql } from '../../src/database/drizzle.ts'
import { aCall, aPartner, aSid } from '../fixtures/records.ts'
import { names, streamOf } from '../support/live-stream.ts'
import { insertRow } from '../support/rows.ts'
import { ACCOUNT_SID, sendTelco, setUpTelco } from '../support/telco.ts'
import { type Caller, TestApp } from '../support/test-app.ts'

const OURS = '+14155550199'
const CUSTOMER = '+14155550100'

let app: TestApp
let anna: Caller
let contact: number
let closed: Record<'ticket' | 'call of somebody else' | 'call of nobody', { res_model: string; res_id: number }>

beforeAll(async () => {
  app = await TestApp.start()
  await setUpTelco(app)
  await app.db.query(sql`insert into connect_telco_number (phone_number) values (${OURS})`)
  anna = await app.person(['base.group_user', 'connect.group_user'])
  const bert = await app.person(['base.group_user', 'connect.group_user'])
  contact = await aPartner(app, { phone: CUSTOMER })
  const ticket = await app.admin.ask<number>('helpdesk.ticket', 'create', { vals_list: { name: 'Closed to Anna' } })
  closed = {
    ticket: { res_model: 'helpdesk.ticket', res_id: ticket },
    'call of somebody else': { res_model: 'connect.call', res_id: await aCall(app, { caller_user: bert.userId }) },
    'call of nobody': { res_model: 'connect.call', res_id: await aCall(app) },
  }
})
afterAll(() => app.stop())
beforeEach(async () => {
  await app.db.query(sql`delete from mail_message`)
  await app.db.query(sql`delete from connect_message`)
})

async function posts({ res_model: model, res_id: id }: { res_model: string; res_id: number }): Promise<unknown[]> {
  return app.db.query(sql`select id from mail_message where model = ${model} and res_id = ${id}::bigint`)
}

/** A text between the customer and us that stands on a record. */
function aText(way: 'incoming' | 'outgoing', thread: object): Promise<number> {
  const [from_number, to_number] = way === 'incoming' ? [CUSTOMER, OURS] : [OURS, CUSTOMER]
  const status = way === 'incoming' ? 'received' : 'sent'
  return insertRow(app.db, 'connect_message', {
    ...{ from_number, to_number, status, direction: way, message_type: 'sms', attempt: 1, message_sid: aSid('SM') },
    ...thread,
  })
}

/** The customer writes; gives the record that the text is put on. */
async function customerWrites(fields: Record<string, string> = {}): Promise<object> {
  const MessageSid = aSid('SM')
  const form = {
    MessageSid,
    AccountSid: ACCOUNT_SID,
    SmsStatus: 'received',
    From: CUSTOMER,
    To: OURS,
    Body: 'Hi',
    NumMedia: '0',
  }
  expect((await sendTelco(app, '/telco/webhook/message', { ...form, ...fields })).status).toBe(200)
  const [row] = await app.db.query<{ res_model: string; res_id: number }>(
    sql`select res_model, res_id from connect_message where message_sid = ${MessageSid}`,
  )
  return row ?? {}
}

it.each(['anonymous', '+266696687', '+86282452253', 'Restricted'])(
  'two texts of %s are of two people: each has a contact of its own without a number, and a conversation',
  async (From) => {
    const [first, second] = [await customerWrites({ From }), await customerWrites({ From })]
    expect(second).not.toEqual(first)
    const ids = [first, second].map((each) => (each as { res_id: number }).res_id)
    expect(await app.admin.ask('res.partner', 'read', { ids, fields: ['name', 'phone'] })).toEqual(
      ids.map((id) => expect.objectContaining({ id, name: 'Number withheld', phone: null })),
    )
    const talks = await app.db.query(sql`select distinct conversation from connect_message where from_number = ${From}`)
    expect(talks).toHaveLength(2)
  },
)

it.each(['anonymous', '+266696687', '+266 696 687', 'rcs:anonymous', 'whatsapp:anonymous'])(
  'two texts of %s stay two conversations when they are changed',
  async (from_number) => {
    const text = { from_number, to_number: OURS, body: 'Hello', direction: 'incoming', status: 'received' }
    const ids = [await insertRow(app.db, 'connect_message', text), await insertRow(app.db, 'connect_message', text)]
    await app.admin.ask('connect.message', 'write', { ids, vals: { partner: await aPartner(app) } })
    const talks = await app.admin.ask<{ conversation: [number, string] }[]>('connect.message', 'read', {
      ids,
      fields: ['conversation'],
    })
    expect(new Set(talks.map(({ conversation: [id] }) => id)).size).toBe(2)
  },
)

it('a text of a ticket stands in its activity with channel, number and delivery, and the helpdesk hears of each step', async () => {
  const hugo = await app.person(['base.group_user', 'helpdesk.group_user'])
  const eve = await app.person(['base.group_user', 'connect.group_user', 'helpdesk.group_user'], { name: 'Eve' })
  const { res_model, res_id } = closed.ticket
  const sid = aSid('SM')
  const ofEve = { message_sid: sid, status_rank: 3, sender_user: eve.userId, body: 'We come' }
  const message = await aText('outgoing', { ...closed.ticket, ...ofEve })
  await insertRow(app.db, 'mail_message', {
    ...{ model: res_model, res_id, body: '<p>We come</p>', message_type: 'sms', subtype: 'comment' },
    ...{ connect_message: message, date: new Date().toISOString() },
  })
  const shown = async () => {
    const listed = await hugo.ask<{ kind: string; text_message: object | null }[]>(res_model, 'message_list', {
      ids: [res_id],
    })
    return listed.filter(({ kind }) => kind === 'message').map(({ text_message: text }) => text)
  }
  const text = {
    ...{ id: message, channel: 'sms', direction: 'outgoing', ours: OURS, theirs: CUSTOMER },
    ...{ error_code: null, error_message: null, sender: [eve.userId, 'Eve'] },
  }
  expect(await shown()).toEqual([{ ...text, status: 'sent' }])
  const stream = await streamOf(app, hugo.userId)
  const report = { MessageSid: sid, AccountSid: ACCOUNT_SID, MessageStatus: 'delivered', To: CUSTOMER, From: OURS }
  expect((await sendTelco(app, '/telco/webhook/message_status', report)).status).toBe(200)
  await stream.hearChange((change) => names(change, res_model, res_id))
  expect(stream.changes.map(({ model }) => model)).not.toContain('connect.message')
  stream.close()
  expect(await shown()).toEqual([{ ...text, status: 'delivered' }])
})

describe.each(['ticket', 'call of somebody else', 'call of nobody'] as const)(
  'a %s that is closed to a user',
  (what) => {
    const status = what === 'ticket' ? 403 : 404

    it('a thread of somebody else gets no text that they write down, send, or move', async () => {
      const thread = closed[what]
      const parties = { from_number: OURS, to_number: CUSTOMER, body: 'Hello' }
      const created = await anna.call('connect.message', 'create', { vals_list: { ...parties, ...thread } })
      const sent = await anna.call('connect.message', 'send', { to: CUSTOMER, body: 'Hello', ...thread })
      expect([created.status, sent.status]).toEqual([status, status])
      expect(await app.count('connect_message')).toBe(0)

      const own = await anna.ask<number>('connect.message', 'create', { vals_list: parties })
      const incoming = await aText('incoming', {})
      for (const id of [own, incoming]) {
        expect((await anna.call('connect.message', 'write', { ids: [id], vals: thread })).status).toBe(status)
      }
      const post = { ids: [thread.res_id], body: 'Hello' }
      expect((await anna.call(thread.res_model, 'message_post', post)).status).not.toBe(200)
      expect(await posts(thread)).toEqual([])
    })

    it.each(['incoming', 'outgoing'] as const)(
      'gets none that they send after an %s one that stands there',
      async (way) => {
        await aText(way, closed[what])
        const id = await anna.ask<number>('connect.message', 'send', { to: CUSTOMER, from: OURS, body: 'Hello' })
        const [row] = await app.db.query(sql`select res_model, res_id from connect_message where id = ${id}::bigint`)
        expect(row).toEqual({ res_model: 'res.partner', res_id: contact })
        expect(await posts(closed[what])).toEqual([])
      },
    )
  },
)

describe('the texts of a customer', () => {
  it('go on where the last one was that went to them', async () => {
    await aText('outgoing', closed.ticket)
    expect(await customerWrites()).toEqual(closed.ticket)
  })

  it('the texts of a customer are not diverted by what somebody wrote down and never sent', async () => {
    const mine = { res_model: 'connect.call', res_id: await aCall(app, { caller_user: anna.userId }) }
    const elsewhere = await aPartner(app, { name: 'Somebody else' })
    for (const [from_number, to_number] of [
      [OURS, CUSTOMER],
      [CUSTOMER, OURS],
    ]) {
      const vals_list = { from_number, to_number, partner: elsewhere, ...mine }
      await anna.ask('connect.message', 'create', { vals_list })
    }
    expect(await customerWrites()).toEqual({ res_model: 'res.partner', res_id: contact })
    await aText('outgoing', closed.ticket)
    await anna.ask('connect.message', 'create', { vals_list: { from_number: OURS, to_number: CUSTOMER, ...mine } })
    expect(await customerWrites()).toEqual(closed.ticket)
    expect(await posts(mine)).toEqual([])
  })
})

// Who merges contacts, and that nothing becomes readable by it.
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { sql } from '../../src/database/drizzle.ts'
import { aPartner, contactOf } from '../fixtures/records.ts'
import { expectRefused } from '../support/refusals.ts'
import { insertRow } from '../support/rows.ts'
import { type Caller, TestApp } from '../support/test-app.ts'

const GONE = { status: 404 }

let app: TestApp
let eve: Caller
let anna: Caller
/** The contact that is kept, and the one that Anna has talked with. */
let keep: number
let other: number

beforeAll(async () => {
  app = await TestApp.start()
  eve = await app.person(['connect.group_user'], { login: 'eve' })
  anna = await app.person(['connect.group_user'], { login: 'anna' })
})
afterAll(() => app.stop())

beforeEach(async () => {
  keep = await aPartner(app, { name: 'Zoe Miller', phone: '+41313808316' })
  other = await aPartner(app, { name: 'Z. Miller', phone: '+41791112233' })
})

/** What Anna alone, or nobody of Connect, reads of a contact. */
async function ofAnna(partner: number): Promise<Record<string, number>> {
  const user = anna.userId
  const call = await insertRow(app.db, 'connect_call', {
    ...{ caller: '+41791112233', called: '+41445550100', direction: 'incoming', partner, answered_user: user },
  })
  const leg = await insertRow(app.db, 'connect_channel', { sid: `CA${partner}`, call, partner })
  const thread = await insertRow(app.db, 'connect_conversation', {
    ...{ channel: 'sms', ours: '+41445550100', theirs: `+4179${partner}`, partner },
  })
  const message = await insertRow(app.db, 'connect_message', {
    ...{ from_number: '+41445550100', to_number: `+4179${partner}`, partner, sender_user: user, conversation: thread },
    ...{ res_model: 'res.partner', res_id: partner },
  })
  const meeting = await app.admin.ask<number>('calendar.event', 'create', {
    vals_list: {
      ...{ name: 'Visit', start: '2026-12-01 09:00:00', stop: '2026-12-01 10:00:00', user_id: user },
      partner_ids: [partner],
    },
  })
  const ticket = await app.admin.ask<number>('helpdesk.ticket', 'create', {
    vals_list: { name: 'Boiler', partner_id: partner },
  })
  return {
    'connect.call': call,
    'connect.channel': leg,
    'connect.message': message,
    'connect.conversation': thread,
    'calendar.event': meeting,
    'helpdesk.ticket': ticket,
  }
}

async function readable(who: Caller, rows: Record<string, number>): Promise<string[]> {
  const seen: string[] = []
  for (const [model, id] of Object.entries(rows)) {
    const { status } = await who.call(model, 'read', { ids: [id], fields: ['id'] })
    if (status === 200) seen.push(model)
  }
  return seen
}

it('a Connect user merges what a colleague has talked with, and reads nothing that was not theirs before', async () => {
  const rows = await ofAnna(other)
  expect(await readable(eve, rows)).toEqual([])
  const { moved } = await eve.ask<{ moved: Record<string, number> }>('res.partner', 'merge', { keep, others: [other] })
  expect(moved).toEqual({
    ...{ 'connect.call': 1, 'connect.channel': 1, 'connect.message': 1, 'connect.conversation': 1 },
    'calendar.event': 1,
  })
  expect(await readable(eve, rows)).toEqual([])
  const { entries } = await eve.ask<{ entries: object[] }>('res.partner', 'story', { ids: [keep] })
  expect(entries).toEqual([])
  const told = await anna.ask<{ entries: { model: string }[] }>('res.partner', 'story', { ids: [keep] })
  expect(told.entries.map(({ model }) => model).sort()).toEqual(['calendar.event', 'connect.call', 'connect.message'])
  expect(await eve.call('res.partner', 'read', { ids: [other] })).toMatchObject(GONE)
  const [kept] = await eve.ask<object[]>('res.partner', 'read', { ids: [keep], fields: ['phone', 'mobile', 'comment'] })
  expect(kept).toMatchObject({ phone: '+41313808316', mobile: '+41791112233', comment: 'Z. Miller' })
  const done = await app.admin.ask<object[]>('connect.audit', 'search_read', {
    domain: [['user', '=', eve.userId]],
    fields: ['model', 'res_id', 'what'],
  })
  expect(done).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ model: 'res.partner', res_id: other, what: 'unlink' }),
      expect.objectContaining({ model: 'res.partner', what: 'merge' }),
    ]),
  )
})

it('merging gives no right to delete: a contact goes only where everything of it has gone', async () => {
  expect((await eve.call('res.partner', 'unlink', { ids: [other] })).status).toBe(403)
  expect((await eve.call('res.partner', 'merge', { keep: 999_999, others: [other] })).status).toBe(404)
  expect((await eve.call('res.partner', 'read', { ids: [other] })).status).toBe(200)
})

it.each([['helpdesk.group_user'], ['helpdesk.group_manager'], ['base.group_erp_manager']])(
  'somebody who only reads contacts, or none, merges nothing: %s',
  async (group) => {
    const hugo = await app.person([group])
    expect((await hugo.call('res.partner', 'merge', { keep, others: [other] })).status).toBe(403)
    const methods = await hugo.call('res.partner', 'methods_get')
    expect(JSON.stringify(methods.body)).not.toMatch(/"merge":\{[^}]*"allowed":true/)
  },
)

it('the webhook, who may write contacts, merges none', async () => {
  const webhook = await app.webhookUser()
  expect((await webhook.call('res.partner', 'merge', { keep, others: [other] })).status).toBe(403)
})

it('a Connect user merges nothing into the contact of a colleague, nor into their own, whose meetings they would read', async () => {
  const rows = await ofAnna(other)
  for (const [whose, login] of [
    [eve, 'eve'],
    [anna, 'anna'],
  ] as const) {
    const into = await contactOf(app, whose.userId)
    expectRefused(await eve.call('res.partner', 'merge', { keep: into, others: [other] }), [
      'merge-into-colleague',
      422,
      `The contact you keep belongs to the user "${login}". Only an administrator can merge into it.`,
    ])
    expectRefused(await eve.call('res.partner', 'merge', { keep, others: [other, into] }), [
      'merge-contact-of-user',
      422,
      `One of them is the contact of the user "${login}". Keep that one.`,
    ])
  }
  expect(await readable(eve, rows)).toEqual([])
  await app.admin.ask('res.partner', 'merge', { keep: await contactOf(app, anna.userId), others: [other] })
})

it('somebody who is being erased lives on in no other contact', async () => {
  await app.db.query(
    sql`insert into connect_erasure (contact, state, counts) values (${other}::bigint, 'failed', '{}')`,
  )
  for (const who of [eve, app.admin]) {
    for (const asked of [
      { keep, others: [other] },
      { keep: other, others: [keep] },
    ]) {
      expectRefused(await who.call('res.partner', 'merge', asked), [
        'merge-erasing',
        422,
        'One of these contacts is being erased.',
      ])
    }
  }
})

it('a number that a provider brought and nobody can read is kept as it came', async () => {
  const brought = await insertRow(app.db, 'res_partner', { name: 'Rita', phone: 'reception' })
  const bare = await aPartner(app, { name: 'Rita M.' })
  await eve.ask('res.partner', 'merge', { keep: bare, others: [brought] })
  const [kept] = await eve.ask<object[]>('res.partner', 'read', { ids: [bare], fields: ['phone'] })
  expect(kept).toMatchObject({ phone: 'reception' })
})

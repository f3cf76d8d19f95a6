// Who sees which rows (docs/reference/domain.md#access): a Connect user their own, administrators and the webhook all.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../src/database/drizzle.ts'
import { insertRow } from '../support/rows.ts'
import { type Caller, TestApp } from '../support/test-app.ts'

type Rows = { id: number }[]

let app: TestApp
let anna: Caller
let ben: Caller
let boss: Caller
let webhook: Caller

beforeAll(async () => {
  app = await TestApp.start()
  anna = await app.person(['connect.group_user'], { name: 'Anna' })
  ben = await app.person(['connect.group_user'], { name: 'Ben' })
  boss = await app.person(['connect.group_admin'])
  webhook = await app.webhookUser()
})
afterAll(() => app.stop())

const CALL = { caller: '+41310000001', called: '+41310000002', direction: 'incoming', status: 'completed' }

function create(model: string, values: Record<string, unknown>): Promise<number> {
  return insertRow(app.db, model.replaceAll('.', '_'), values)
}

async function createCalled(users: readonly number[]): Promise<number> {
  const call = await create('connect.call', CALL)
  for (const user of users) {
    await app.db.query(
      sql`insert into connect_call_called_users_rel (call_id, user_id) values (${call}::bigint, ${user}::bigint)`,
    )
  }
  return call
}

async function seen(caller: Caller, model: string, ids: number[]): Promise<number[]> {
  const rows = await caller.ask<Rows>(model, 'search_read', {
    domain: [['id', 'in', ids]],
    fields: ['id'],
    order: 'id',
  })
  return rows.map((row) => row.id)
}

/** The rows are Anna's, Ben's and nobody's, in this order. */
async function proveOwnRows(model: string, ids: [number, number, number], nobodysIsSeen = false): Promise<void> {
  const [annas, bens, nobodys] = ids
  const shared = nobodysIsSeen ? [nobodys] : []
  expect(await seen(anna, model, ids)).toEqual([annas, ...shared].sort((a, b) => a - b))
  expect(await seen(ben, model, ids)).toEqual([bens, ...shared].sort((a, b) => a - b))
  expect(await seen(boss, model, ids)).toEqual([...ids].sort((a, b) => a - b))
  expect(await anna.ask(model, 'search_count', { domain: [['id', '=', bens]] })).toBe(0)
  const hidden = await anna.call(model, 'read', { ids: [bens] })
  const missing = await anna.call(model, 'read', { ids: [2_000_000_000] })
  expect([hidden.status, missing.status]).toEqual([404, 404])
  expect(hidden.text.replaceAll(/ record \d+ |"named":"\d+"/g, '')).toBe(
    missing.text.replaceAll(/ record \d+ |"named":"\d+"/g, ''),
  )
  expect((await anna.call(model, 'read', { ids: [annas, bens] })).status).toBe(404)
}

describe('connect.call', () => {
  it('connect.call is seen by its caller, who answered, and who was called', async () => {
    const asCaller = await create('connect.call', { ...CALL, caller_user: anna.userId })
    const answered = await create('connect.call', { ...CALL, answered_user: anna.userId })
    const called = await createCalled([anna.userId, ben.userId])
    const bens = await create('connect.call', { ...CALL, caller_user: ben.userId })
    const nobodys = await create('connect.call', CALL)
    const ids = [asCaller, answered, called, bens, nobodys]
    expect(await seen(anna, 'connect.call', ids)).toEqual([asCaller, answered, called])
    expect(await seen(ben, 'connect.call', ids)).toEqual([called, bens])
    expect(await seen(boss, 'connect.call', ids)).toEqual(ids)
    expect(await seen(webhook, 'connect.call', ids)).toEqual(ids)
    await proveOwnRows('connect.call', [asCaller, bens, nobodys])
  })

  it('connect.call of somebody else is neither changed nor deleted, and a refusal changes nothing', async () => {
    const mine = await create('connect.call', { ...CALL, caller_user: anna.userId })
    const bens = await create('connect.call', { ...CALL, caller_user: ben.userId })
    for (const ids of [[bens], [mine, bens]]) {
      expect((await anna.call('connect.call', 'write', { ids, vals: { called: '+1' } })).status).toBe(404)
    }
    expect((await anna.call('connect.call', 'unlink', { ids: [mine] })).status).toBe(403)
    expect((await anna.call('connect.call', 'message_post', { ids: [bens], body: 'hello' })).status).toBe(404)
    expect((await anna.call('connect.call', 'message_list', { ids: [bens] })).status).toBe(404)
    const rows = await app.admin.ask<{ called: string }[]>('connect.call', 'read', { ids: [mine, bens] })
    expect(rows.map((row) => row.called)).toEqual([CALL.called, CALL.called])
  })

  it('connect.call cannot be created for somebody else, nor given away', async () => {
    const before = await app.count('connect_call')
    const created = await anna.call('connect.call', 'create', { vals_list: { ...CALL, caller_user: ben.userId } })
    expect(created.status).toBeGreaterThanOrEqual(400)
    expect(await app.count('connect_call')).toBe(before)
    const mine = await create('connect.call', { ...CALL, caller_user: anna.userId })
    const given = await anna.call('connect.call', 'write', { ids: [mine], vals: { caller_user: ben.userId } })
    expect(given.status).toBeGreaterThanOrEqual(400)
    expect(await seen(anna, 'connect.call', [mine])).toEqual([mine])
  })

  it('connect.call of somebody else does not show through links, paths or counts', async () => {
    const bens = await create('connect.call', { ...CALL, caller: '+41999', caller_user: ben.userId })
    const leg = await create('connect.channel', { sid: 'CAshared', call: bens, called_user: anna.userId })
    const hidden = await create('connect.channel', { sid: 'CAhidden', call: bens, caller_user: ben.userId })
    expect(await seen(anna, 'connect.channel', [leg, hidden])).toEqual([leg])
    const guess = { domain: [['call.caller', '=', '+41999']] }
    expect(await anna.ask('connect.channel', 'search', guess)).toEqual([])
    expect(await boss.ask('connect.channel', 'search', { ...guess, order: 'id' })).toEqual([leg, hidden])
    for (const domain of [
      [['call', 'ilike', 'completed']],
      [['call.caller', 'like', '+41']],
      [['call.channels.sid', '=', 'CAhidden']],
    ]) {
      expect(await anna.ask('connect.channel', 'search', { domain })).toEqual([])
    }
    // Its own call now shares one leg with Ben's: only the legs that she may see are listed.
    const mine = await create('connect.call', { ...CALL, caller_user: anna.userId })
    await app.db.query(
      sql`update connect_channel set call = ${mine}::bigint where id in (${leg}::bigint, ${hidden}::bigint)`,
    )
    const [row] = await anna.ask<{ channels: number[] }[]>('connect.call', 'read', {
      ids: [mine],
      fields: ['channels'],
    })
    expect(row?.channels).toEqual([leg])
    const withHidden = { domain: [['channels', 'in', [hidden]]] }
    expect(await anna.ask('connect.call', 'search', withHidden)).toEqual([])
    await app.db.query(sql`update connect_channel set call = ${bens}::bigint where id = ${leg}::bigint`)
    expect(await anna.ask('connect.call', 'search', { domain: [['channels', '!=', false]] })).toEqual([])
  })
})

describe('the rest of the ledger', () => {
  it('shows the legs of which one was a party', async () => {
    const legs = [
      await create('connect.channel', { sid: 'CA1', caller_user: anna.userId }),
      await create('connect.channel', { sid: 'CA2', called_user: ben.userId }),
      await create('connect.channel', { sid: 'CA3' }),
    ] as [number, number, number]
    await proveOwnRows('connect.channel', legs)
  })

  it('shows the recordings of which one was a party', async () => {
    const recordings = [
      await create('connect.recording', { sid: 'RE1', caller_user: anna.userId, transcript: 'ours' }),
      await create('connect.recording', { sid: 'RE2', called_user: ben.userId, transcript: 'theirs' }),
      await create('connect.recording', { sid: 'RE3' }),
    ] as [number, number, number]
    await proveOwnRows('connect.recording', recordings)
    expect(await anna.ask('connect.recording', 'search', { domain: [['transcript', '=', 'theirs']] })).toEqual([])
  })

  it('shows messages one has sent and those nobody has', async () => {
    const text = { from_number: '+41310000001', to_number: '+41310000002' }
    const messages = [
      await create('connect.message', { ...text, sender_user: anna.userId }),
      await create('connect.message', { ...text, sender_user: ben.userId }),
      await create('connect.message', text),
    ] as [number, number, number]
    await proveOwnRows('connect.message', messages, true)
  })

  it('shows favourites of one’s own only', async () => {
    const favorites = [
      await create('connect.favorite', { name: 'A', phone_number: '+1', user: anna.userId }),
      await create('connect.favorite', { name: 'B', phone_number: '+2', user: ben.userId }),
      await create('connect.favorite', { name: 'C', phone_number: '+3', user: boss.userId }),
    ] as [number, number, number]
    const [annas, bens] = favorites
    expect(await seen(anna, 'connect.favorite', favorites)).toEqual([annas])
    expect((await anna.call('connect.favorite', 'unlink', { ids: [bens] })).status).toBe(404)
    const forBen = { name: 'D', phone_number: '+4', user: ben.userId }
    expect(await anna.call('connect.favorite', 'create', { vals_list: forBen })).toMatchObject({
      status: 403,
      text: expect.stringContaining('would not be yours to see'),
    })
    expect(await boss.ask('connect.favorite', 'search_count', { domain: [['name', '=', 'D']] })).toBe(0)
    expect((await anna.call('connect.favorite', 'write', { ids: [annas], vals: { user: ben.userId } })).status).toBe(
      403,
    )
    expect(await anna.ask('connect.favorite', 'unlink', { ids: [annas] })).toBe(true)
  })

  it('shows the own phone user only, colleagues by their search', async () => {
    const [annas, bens] = await app.admin.ask<[number, number]>('connect.user', 'create', {
      vals_list: [anna, ben].map(({ userId }) => ({ user: userId, client_enabled: false })),
    })
    expect(await seen(anna, 'connect.user', [annas, bens])).toEqual([annas])
    expect(await seen(webhook, 'connect.user', [annas, bens])).toEqual([annas, bens])
    const found = await anna.ask<object[]>('connect.user', 'colleague_search', { query: 'ben' })
    expect(found).toEqual([{ id: bens, name: 'Ben', user_id: ben.userId, exten_number: null }])
    expect(await anna.ask('connect.user', 'colleague_search', { query: '' })).toEqual([])
  })
})

describe('the rest of the platform', () => {
  it('shows meetings that one organises or attends', async () => {
    const times = { start: '2030-01-01 10:00:00', stop: '2030-01-01 11:00:00' }
    const [annas, bens] = await app.admin.ask<[number, number]>('calendar.event', 'create', {
      vals_list: [anna, ben].map(({ userId }) => ({ name: 'Talk', user_id: userId, ...times })),
    })
    const { partner_id: annasContact } = (
      await app.admin.ask<{ partner_id: [number, string] }[]>('res.users', 'read', {
        ids: [anna.userId],
        fields: ['partner_id'],
      })
    )[0] as { partner_id: [number, string] }
    const both = await app.admin.ask<number>('calendar.event', 'create', {
      vals_list: { name: 'Both', user_id: ben.userId, partner_ids: [annasContact[0]], ...times },
    })
    expect(await seen(anna, 'calendar.event', [annas, bens, both])).toEqual([annas, both])
    expect(await seen(ben, 'calendar.event', [annas, bens, both])).toEqual([bens, both])
    expect(await seen(webhook, 'calendar.event', [annas, bens, both])).toEqual([annas, bens, both])
  })

  it('shows keys of one’s own, to managers all', async () => {
    const manager = await app.person(['base.group_erp_manager'])
    const ofAnna = await anna.ask<Rows>('res.users.apikeys', 'search_read', { fields: ['user_id'] })
    expect(ofAnna.length).toBeGreaterThan(0)
    expect(ofAnna.every((row) => (row as unknown as { user_id: [number] }).user_id[0] === anna.userId)).toBe(true)
    const all = await manager.ask<number>('res.users.apikeys', 'search_count')
    expect(all).toBeGreaterThan(ofAnna.length)
  })

  it('shows posts on contacts to users, posts on tickets to the helpdesk, all but those to administrators', async () => {
    const contact = await create('res.partner', { name: 'Zoe' })
    const ticket = await create('helpdesk.ticket', { name: 'Broken' })
    const call = await create('connect.call', { ...CALL, caller_user: ben.userId })
    const helpdesk = await app.person(['helpdesk.group_user'])
    const posts: number[] = []
    for (const [model, id] of [
      ['res.partner', contact],
      ['helpdesk.ticket', ticket],
      ['connect.call', call],
    ] as const) {
      posts.push(await app.admin.ask<number>(model, 'message_post', { ids: [id], body: `on ${model}` }))
    }
    const [onContact, onTicket, onCall] = posts as [number, number, number]
    expect(await seen(anna, 'mail.message', posts)).toEqual([onContact])
    expect(await seen(helpdesk, 'mail.message', posts)).toEqual([onTicket])
    expect(await seen(boss, 'mail.message', posts)).toEqual([onContact, onCall])
  })
})

it('how much a contact calls is seen by those who work with Connect only', async () => {
  const id = await create('res.partner', { name: 'Zoe', active: true })
  const helpdesk = await app.person(['helpdesk.group_user'])
  for (const name of ['connect_calls_count', 'connect_messages_count']) {
    const read = { ids: [id], fields: [name] }
    expect(await anna.ask('res.partner', 'read', read)).toEqual([{ id, [name]: 0 }])
    expect((await helpdesk.call('res.partner', 'read', read)).status).toBe(403)
  }
  const [row] = await helpdesk.ask<object[]>('res.partner', 'read', { ids: [id] })
  expect(row).not.toHaveProperty('connect_calls_count')
})

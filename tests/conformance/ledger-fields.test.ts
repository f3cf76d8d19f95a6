// Who may write which field of the ledger: each field of its models is tried by each identity that may write or create at
// all, once in a record that is there and once in a new one. What providers reported changes by nobody's hand.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { sql } from '../../src/database/drizzle.ts'
import { type Field, isColumn } from '../../src/platform/model/fields.ts'
import { aCall, aLeg, aPhoneUser, aSid } from '../fixtures/records.ts'
import { insertRow } from '../support/rows.ts'
import { type Caller, TestApp } from '../support/test-app.ts'

const WRITTEN: Record<string, { always: string[]; inDrafts?: string[]; atFirst?: string[] }> = {
  'connect.call': {
    always: ['partner', 'summary', 'ticket'],
    atFirst: [
      ...['answered_user', 'call_type', 'called', 'called_users', 'caller', 'caller_user', 'direction', 'duration'],
      'status',
    ],
  },
  'connect.channel': {
    always: ['partner'],
    atFirst: [
      ...['call', 'call_type', 'called', 'called_number', 'called_pbx_user', 'called_user', 'caller', 'caller_number'],
      ...['caller_pbx_user', 'caller_user', 'duration', 'parent_channel', 'parent_sid', 'sid', 'status'],
      ...['technical_direction', 'to'],
    ],
  },
  'connect.recording': {
    always: ['partner', 'summary'],
    atFirst: [
      ...['call', 'called_number', 'called_user', 'caller_number', 'caller_user', 'channel', 'duration', 'source'],
      ...['start_time', 'status', 'transcript', 'voiceai_summary', 'voiceai_transcript'],
    ],
  },
  'connect.message': {
    always: ['partner', 'res_id', 'res_model'],
    inDrafts: ['body', 'from_number', 'media_content_type', 'media_url', 'num_media', 'to_number'],
  },
}
/** What a new record must have. */
const NEW: Record<string, () => object> = {
  'connect.channel': () => ({ sid: aSid('CA') }),
  'connect.message': () => ({ from_number: '+41310000001', to_number: '+41310000002' }),
}

let app: TestApp
let user: Caller
let admin: Caller
let partner: number
let ticket: number
let links: Record<string, number>

beforeAll(async () => {
  app = await TestApp.start()
  user = await app.person(['connect.group_user', 'helpdesk.group_user'])
  admin = await app.person(['connect.group_admin', 'helpdesk.group_user', 'base.group_erp_manager'])
  partner = await app.admin.ask<number>('res.partner', 'create', { vals_list: { name: 'Zoe' } })
  ticket = await app.admin.ask<number>('helpdesk.ticket', 'create', { vals_list: { name: 'Broken' } })
  const call = await aCall(app)
  const { pbxUser } = await aPhoneUser(app, { name: 'Ben' })
  links = {
    ...{ 'res.partner': partner, 'helpdesk.ticket': ticket, 'connect.call': call, 'connect.user': pbxUser },
    'connect.channel': await aLeg(app, { sid: aSid('CA'), call }),
  }
})
afterAll(() => app.stop())

/** A value that fits the field, other than what is stored. */
function valueFor(name: string, field: Field, me: number): unknown {
  const byName: Record<string, unknown> = { res_model: 'res.partner', res_id: partner, sid: aSid('CA') }
  const byTarget: Record<string, number> = { ...links, 'res.users': me }
  const byKind: Partial<Record<Field['kind'], unknown>> = {
    computed: 1,
    one2many: 1,
    many2many: [me],
    many2one: byTarget['target' in field ? (field.target ?? '') : ''] ?? 1,
    selection: 'choices' in field ? field.choices?.at(-1)?.[0] : undefined,
    boolean: true,
    datetime: '2030-01-01 10:00:00',
    json: { a: 1 },
    integer: 7,
    float: 7,
  }
  return byName[name] ?? byKind[field.kind] ?? 'written'
}

/** A record of the model that this person may see and that the provider reported. */
function reported(model: string, me: number): Promise<number> {
  const table = model.replaceAll('.', '_')
  if (model === 'connect.message') {
    const text = { from_number: '+41310000001', to_number: '+41310000002', status: 'received', direction: 'incoming' }
    return insertRow(app.db, table, { ...text, body: 'I agree.', res_model: 'res.partner', res_id: partner })
  }
  const sid = model === 'connect.call' ? {} : { sid: `CA${Math.random()}` }
  return insertRow(app.db, table, { ...sid, caller_user: me })
}

async function stored(model: string, id: number): Promise<unknown> {
  return app.db.query(sql`select * from ${sql.identifier(model.replaceAll('.', '_'))} where id = ${id}::bigint`)
}

/** The names of the fields that this person could write. */
async function walk(model: string, attempt: (name: string, value: unknown) => Promise<number>, me: number) {
  const written: string[] = []
  for (const [name, field] of Object.entries(app.app.platform.models.get(model).fields)) {
    const status = await attempt(name, valueFor(name, field, me))
    if (status === 200) written.push(name)
    else expect({ name, status }).toEqual({ name, status: expect.toSatisfy((each) => each === 403 || each === 422) })
  }
  return written.sort()
}

describe.each(Object.keys(WRITTEN))('%s', (model) => {
  const { always, inDrafts = [], atFirst = [] } = WRITTEN[model] ?? { always: [] }

  it.each(['user', 'admin', 'webhook'] as const)('by the %s', async (person) => {
    const caller = { user, admin, webhook: await app.webhookUser() }[person]
    const mayWrite = person !== 'user' || model === 'connect.call' || model === 'connect.message'
    const id = await reported(model, caller.userId)
    const change = async (name: string, value: unknown) => {
      const before = await stored(model, id)
      const { status } = await caller.call(model, 'write', { ids: [id], vals: { [name]: value } })
      if (status !== 200) expect(await stored(model, id)).toEqual(before)
      return status
    }
    expect(await walk(model, change, caller.userId)).toEqual(mayWrite ? always : [])
    const isLinked = model === 'connect.call' && person === 'user'
    const create = async (name: string, value: unknown) => {
      const thread = name.startsWith('res_') ? { res_model: 'res.partner', res_id: partner } : {}
      const own = isLinked ? { caller_user: caller.userId } : {}
      const values = { ...NEW[model]?.(), ...own, ...thread, [name]: value }
      return (await caller.call(model, 'create', { vals_list: values })).status
    }
    const expected = mayWrite ? [...always, ...inDrafts, ...atFirst].sort() : []
    expect(await walk(model, create, caller.userId)).toEqual(expected)
  })

  it('says in its description which fields are never written, and which only at first', async () => {
    const fields = await admin.ask<Record<string, { readonly: boolean; written_when?: string }>>(model, 'fields_get')
    const open = Object.entries(fields).filter(([, field]) => !field.readonly)
    expect(open.map(([name]) => name).sort()).toEqual([...always, ...inDrafts, ...atFirst].sort())
    const restricted = open.filter(([, field]) => field.written_when !== undefined).map(([name]) => name)
    expect(restricted.sort()).toEqual([...inDrafts, ...atFirst].sort())
  })
})

describe('a call logged by hand', () => {
  it('a call logged by hand is one’s own: others are named by administrators only', async () => {
    const colleague = await app.person(['connect.group_user'])
    const log = (caller: Caller, values: object) =>
      caller.call('connect.call', 'create', { vals_list: { caller: '+41310000001', ...values } })
    expect((await log(user, { caller_user: user.userId, called_users: [user.userId] })).status).toBe(200)
    for (const others of [
      { answered_user: colleague.userId },
      { called_users: [colleague.userId] },
      { called_users: [[6, 0, [colleague.userId]]] },
      { called_users: [[4, colleague.userId]] },
    ]) {
      const refused = await log(user, { caller_user: user.userId, ...others })
      expect(refused.status).toBe(403)
      expect(refused.text).toContain('nobody but yourself')
    }
    expect((await log(admin, { answered_user: colleague.userId })).status).toBe(200)
  })
})

describe('a text message', () => {
  let draft: number
  const edit = (caller: Caller) => caller.call('connect.message', 'write', { ids: [draft], vals: { body: 'Better' } })
  beforeEach(async () => {
    draft = await user.ask<number>('connect.message', 'create', {
      vals_list: { ...NEW['connect.message']?.(), body: 'A' },
    })
  })

  it('a text message can be edited by who wrote it, as long as it is not to be sent', async () => {
    expect((await edit(user)).status).toBe(200)
    expect((await edit(admin)).text).toContain('in a draft of one’s own only')
    await app.db.query(sql`update connect_message set attempt = 1 where id = ${draft}::bigint`)
    expect((await edit(user)).status).toBe(422)
    await app.db.query(sql`update connect_message set attempt = 0, status = 'sent' where id = ${draft}::bigint`)
    expect((await edit(user)).status).toBe(422)
  })

  it('a text message is put on a record only by somebody who may write that record', async () => {
    const closed = await app.person(['connect.group_user'])
    const others = await insertRow(app.db, 'connect_call', { caller_user: admin.userId })
    const mine = await insertRow(app.db, 'connect_call', { caller_user: closed.userId })
    const incoming = await reported('connect.message', closed.userId)
    const before = await stored('connect.message', incoming)
    for (const [thread, status] of [
      [{ res_model: 'helpdesk.ticket', res_id: ticket }, 403],
      [{ res_model: 'connect.call', res_id: others }, 404],
      [{ res_model: 'connect.settings', res_id: 1 }, 422],
      [{ res_model: 'no.such', res_id: 1 }, 404],
      [{ res_model: 'res.partner', res_id: 2_000_000 }, 404],
      [{ res_model: 'res.partner', res_id: null }, 422],
      // The other half is the one that is stored.
      [{ res_model: 'connect.call' }, 404],
    ] as const) {
      const answer = await closed.call('connect.message', 'write', { ids: [incoming], vals: thread })
      expect({ thread, status: answer.status }).toEqual({ thread, status })
    }
    expect(await stored('connect.message', incoming)).toEqual(before)
    const created = await closed.call('connect.message', 'create', {
      vals_list: { ...NEW['connect.message']?.(), res_model: 'helpdesk.ticket', res_id: ticket },
    })
    expect(created.status).toBe(403)
    const onMine = { ids: [incoming], vals: { res_model: 'connect.call', res_id: mine } }
    expect((await closed.call('connect.message', 'write', onMine)).status).toBe(200)
    const nowhere = { ids: [incoming], vals: { res_model: null, res_id: null } }
    expect((await closed.call('connect.message', 'write', nowhere)).status).toBe(200)
  })
})

it('a summary is cleaned when it is written, in the recording, in its call and in the chatter', async () => {
  const call = await insertRow(app.db, 'connect_call', { partner })
  const recording = await insertRow(app.db, 'connect_recording', { call })
  const summary = '<p onclick="x()">Wants <b>two</b></p><img src=x onerror=alert(1)><script>alert(1)</script>'
  await admin.ask('connect.recording', 'write', { ids: [recording], vals: { summary } })
  for (const [model, id] of [
    ['connect.recording', recording],
    ['connect.call', call],
  ] as const) {
    expect(await admin.ask(model, 'read', { ids: [id], fields: ['summary'] })).toEqual([
      { id, summary: '<p>Wants <b>two</b></p>' },
    ])
  }
  const [post] = await app.db.query<{ body: string }>(sql`select body from mail_message order by id desc limit 1`)
  expect(post?.body).toBe(`<p>Summary of call ${call}:<br>Wants two</p>`)
  const long = { ids: [call], vals: { summary: 'x'.repeat(20_001) } }
  expect((await admin.call('connect.call', 'write', long)).status).toBe(422)
})

it('a column that nobody has thought of is closed', () => {
  for (const model of Object.keys(WRITTEN)) {
    const { byHand, fields } = app.app.platform.models.get(model)
    const named = [...(byHand?.always ?? []), ...(byHand?.creating ?? []), ...(byHand?.drafting?.fields ?? [])]
    for (const name of named) expect(fields[name] !== undefined && isColumn(fields[name])).toBe(true)
  }
})

import { afterAll, beforeAll, expect, it } from 'vitest'
import { sql } from '../../src/database/drizzle.ts'
import { plansOf, recordStatements } from '../support/plans.ts'
import { insertRow } from '../support/rows.ts'
import { type Caller, TestApp } from '../support/test-app.ts'

const NUMBER = '+41313808316'

let app: TestApp
let admin: Caller

beforeAll(async () => {
  app = await TestApp.start()
  admin = app.admin
})
afterAll(() => app.stop())

const create = (model: string, values: object) => admin.ask<number>(model, 'create', { vals_list: values })

interface Lookup {
  e164: string | null
  tz: string | null
  match: number | null
  candidates: { id: number }[]
  forms_tried: { form: string; e164: string | null }[]
  rule: string
}

it('says who calls from a number, by which rule, and how it was read', async () => {
  const swiss = await admin.ask<number[]>('res.country', 'search', { domain: [['code', '=', 'CH']] })
  const ask = (number: string) => admin.ask<Lookup>('res.partner', 'lookup', { number })
  await app.db.query(sql`update connect_settings set country_id = ${swiss[0] ?? 0}::bigint`)
  await app.db.script("notify connect_settings, ''")
  expect(await ask('nonsense')).toMatchObject({ e164: null, match: null, rule: 'nobody', candidates: [] })
  const company = await create('res.partner', { name: 'Mill', is_company: true, phone: NUMBER })
  expect(await ask('0041 (31) 380-83-16')).toMatchObject({
    e164: NUMBER,
    tz: 'Europe/Zurich',
    match: company,
    rule: 'only_one',
  })
  const person = await create('res.partner', {
    name: 'Mia',
    parent_id: company,
    mobile: NUMBER,
    tz: 'America/New_York',
  })
  expect(await ask(NUMBER)).toMatchObject({
    match: person,
    rule: 'only_person_of_company',
    tz: 'America/New_York',
    forms_tried: [{ form: 'international', e164: NUMBER }],
  })
  const stranger = await create('res.partner', { name: 'Max', phone: NUMBER })
  const found = await ask(NUMBER)
  expect(found).toMatchObject({ match: null, rule: 'company_and_stranger' })
  expect(found.candidates.map(({ id }) => id)).toEqual([company, person, stranger])
  await admin.ask('res.partner', 'unlink', { ids: [stranger, person, company] })
})

it('finds duplicates by number and address', async () => {
  const one = await create('res.partner', { name: 'A', phone: NUMBER, email: 'a@example.com' })
  const two = await create('res.partner', { name: 'B', mobile: NUMBER, email: 'A@example.com' })
  const groups = await admin.ask<object[]>('res.partner', 'duplicates', { limit: 10 })
  expect(groups).toContainEqual({ reason: 'number', value: NUMBER, ids: [one, two] })
  expect(groups).toContainEqual({ reason: 'email', value: 'a@example.com', ids: [one, two] })
  await admin.ask('res.partner', 'unlink', { ids: [one, two] })
})

it('finds duplicates whose numbers have two forms, and addresses that have a name before them', async () => {
  const one = await create('res.partner', { name: 'A', phone: '+54 9 11 2345-6789', email: 'forms@example.com' })
  const two = await create('res.partner', { name: 'B', mobile: '+54 11 2345-6789', email: 'Bea <Forms@example.com>' })
  const groups = await admin.ask<object[]>('res.partner', 'duplicates', { limit: 10 })
  expect(groups).toContainEqual({ reason: 'number', value: '+5491123456789', ids: [one, two] })
  expect(groups).toContainEqual({ reason: 'email', value: 'forms@example.com', ids: [one, two] })
  await admin.ask('res.partner', 'unlink', { ids: [one, two] })
})

it('merges contacts: whatever names one of them names the kept one, and no value is lost', async () => {
  const kept = await create('res.partner', { name: 'Zoe Miller', phone: NUMBER, comment: 'Likes tea.' })
  const other = await create('res.partner', {
    name: 'Z. Miller',
    phone: '+41791112233',
    email: 'z@example.com',
    comment: 'Rings twice.',
  })
  const child = await create('res.partner', { name: 'Child', parent_id: other })
  const call = await create('connect.call', {
    caller: NUMBER,
    called: '+14155550110',
    direction: 'incoming',
    partner: other,
  })
  const message = await insertRow(app.db, 'connect_message', {
    from_number: 'x',
    to_number: 'y',
    partner: other,
    res_model: 'res.partner',
    res_id: other,
  })
  const ticket = await create('helpdesk.ticket', { name: 'Boiler', partner_id: other })
  const meeting = await create('calendar.event', {
    name: 'Visit',
    start: '2026-12-01 09:00:00',
    stop: '2026-12-01 10:00:00',
    partner_ids: [kept, other],
  })
  await admin.ask('res.partner', 'message_post', { ids: [other], body: 'Note of the other.' })
  expect((await admin.call('res.partner', 'merge', { keep: kept, others: [kept] })).status).toBe(422)

  const { moved } = await admin.ask<{ moved: Record<string, number> }>('res.partner', 'merge', {
    keep: kept,
    others: [other],
    fields: { name: other },
  })
  expect(moved).toMatchObject({
    'connect.call': 1,
    'connect.message': 1,
    'helpdesk.ticket': 1,
    'res.partner': 1,
    'mail.message': 1,
  })
  const [row] = await admin.ask<Record<string, unknown>[]>('res.partner', 'read', {
    ids: [kept],
    fields: [
      'name',
      'phone',
      'mobile',
      'email',
      'comment',
      'connect_calls_count',
      'connect_messages_count',
      'child_ids',
    ],
  })
  expect(row).toMatchObject({
    name: 'Z. Miller',
    phone: NUMBER,
    mobile: '+41791112233',
    email: 'z@example.com',
    connect_calls_count: 1,
    connect_messages_count: 1,
    child_ids: [child],
  })
  expect(row?.comment).toBe('Likes tea.\nRings twice.\nZoe Miller')
  expect(await admin.ask('res.partner', 'search', { domain: [['id', '=', other]] })).toEqual([])
  const story = await admin.ask<Story>('res.partner', 'story', { ids: [kept] })
  expect(story.entries.map(({ model, id }) => [model, id])).toEqual(
    expect.arrayContaining([
      ['connect.call', call],
      ['connect.message', message],
      ['helpdesk.ticket', ticket],
      ['calendar.event', meeting],
    ]),
  )
})

interface Story {
  entries: { model: string; id: number; at: string }[]
  before: Record<string, number> | null
}

it('tells the story of a contact a part at a time, each thing once, and to each only what is theirs', async () => {
  const contact = await create('res.partner', { name: 'Yara Novak' })
  const made: string[] = []
  for (const name of ['one', 'two', 'three']) {
    made.push(`helpdesk.ticket ${await create('helpdesk.ticket', { name, partner_id: contact })}`)
    const call = await create('connect.call', { caller: NUMBER, called: 'x', direction: 'incoming', partner: contact })
    made.push(`connect.call ${call}`)
  }
  await admin.ask('res.partner', 'message_post', { ids: [contact], body: 'A note.' })
  // What the chatter repeats of a call is told with the call.
  const [call] = await admin.ask<number[]>('connect.call', 'search', { domain: [['partner', '=', contact]], limit: 1 })
  await admin.ask('connect.call', 'write', { ids: [call], vals: { summary: 'The tap drips.' } })
  const told: string[] = []
  let before: Story['before'] = {}
  while (before !== null) {
    const part: Story = await admin.ask<Story>('res.partner', 'story', { ids: [contact], before, limit: 2 })
    told.push(...part.entries.map(({ model, id }) => `${model} ${id}`))
    before = part.before
  }
  expect(told.filter((each) => !each.startsWith('mail.message')).sort()).toEqual(made.sort())
  expect(told).toHaveLength(made.length + 1)
  const eve = await app.person(['connect.group_user'])
  const hers = await eve.ask<Story>('res.partner', 'story', { ids: [contact] })
  expect(hers.entries.map(({ model }) => model)).toEqual(['mail.message'])
  const hugo = await app.person(['helpdesk.group_user'])
  const his = await hugo.ask<Story>('res.partner', 'story', {
    ids: [contact],
    models: ['helpdesk.ticket', 'connect.call'],
  })
  expect(his.entries).toHaveLength(3)
})

it('tells calls and messages of a number from before its contact was saved, and none that are somebody else’s', async () => {
  const [theirs, ours] = ['+14155550301', '+14155550302']
  const call = (values: object) =>
    create('connect.call', { caller: theirs, called: ours, direction: 'incoming', ...values })
  const other = await create('res.partner', { name: 'Somebody else' })
  const [came, went] = [await call({}), await call({ caller: ours, called: theirs, direction: 'outgoing' })]
  await call({ partner: other })
  await call({ caller: ours, called: theirs, direction: 'internal' })
  const message = await insertRow(app.db, 'connect_message', {
    ...{ from_number: theirs, to_number: ours, direction: 'incoming', message_type: 'sms', body: 'Hello' },
  })
  const talk = await insertRow(app.db, 'connect_conversation', { channel: 'sms', theirs, ours })
  await app.db.query(sql`update connect_message set conversation = ${talk}::bigint where id = ${message}::bigint`)
  const contact = await create('res.partner', { name: 'Mia Keller', mobile: '+1 415 555 0301' })
  const models = ['connect.call', 'connect.message']
  const told = async (who: Caller) => {
    const { entries } = await who.ask<Story>('res.partner', 'story', { ids: [contact], models })
    return entries.map(({ model, id }) => `${model} ${id}`).sort()
  }
  expect(await told(admin)).toEqual([`connect.call ${came}`, `connect.call ${went}`, `connect.message ${message}`])
  // Rights stay: a colleague reads what is nobody's among messages, and no call of somebody else.
  const eve = await app.person(['connect.group_user'])
  expect((await told(eve)).filter((each) => each.startsWith('connect.call'))).toEqual([])
  const parts: number[] = []
  let before: Story['before'] = {}
  while (before !== null) {
    const asked = { ids: [contact], before, limit: 1, models }
    const part: Story = await admin.ask<Story>('res.partner', 'story', asked)
    parts.push(...part.entries.map(({ id }) => id))
    before = part.before
  }
  expect(parts).toHaveLength(3)
})

it('tells calls in the order in which they began, also across parts and within a second', async () => {
  const contact = await create('res.partner', { name: 'Vera Kuhn' })
  // Written down in this order; the third one has no time of its own, and the last two began within one second.
  const began = ['10:00:05', '10:00:09', null, '10:00:01', '10:00:07.200', '10:00:07.900']
  const ids: number[] = []
  for (const at of began) {
    const id = await create('connect.call', { caller: NUMBER, called: 'x', direction: 'incoming', partner: contact })
    ids.push(id)
    await app.db.query(
      sql`update connect_call set started_at = ${at === null ? null : `2020-05-05 ${at}`}::timestamp where id = ${id}::bigint`,
    )
  }
  for (const limit of [1, 2, 3, 30]) {
    const told: number[] = []
    let before: Story['before'] = {}
    while (before !== null) {
      const asked = { ids: [contact], before, limit, models: ['connect.call'] }
      const part: Story = await admin.ask<Story>('res.partner', 'story', asked)
      told.push(...part.entries.map(({ id }) => id))
      before = part.before
    }
    expect(told.map((id) => began[ids.indexOf(id)])).toEqual([
      ...[null, '10:00:09', '10:00:07.900', '10:00:07.200', '10:00:05', '10:00:01'],
    ])
  }
})

it('only administrators export or erase a person, and nobody erases a colleague', async () => {
  const contact = await create('res.partner', { name: 'Kim Brand' })
  const eve = await app.person(['connect.group_user'])
  for (const method of ['export_person', 'erase_preview']) {
    expect((await eve.call('res.partner', method, { ids: [contact] })).status).toBe(403)
  }
  expect((await eve.call('res.partner', 'erase', { ids: [contact], confirm: 'Kim Brand' })).status).toBe(403)
  const [user] = await admin.ask<{ partner_id: [number, string] }[]>('res.users', 'read', {
    ids: [eve.userId],
    fields: ['partner_id'],
  })
  const answer = await admin.call('res.partner', 'erase', { ids: [user?.partner_id[0]], confirm: user?.partner_id[1] })
  expect([answer.status, answer.text]).toEqual([422, expect.stringContaining('Remove the user first')])
})

it('what another contact has as well stays theirs when a person is erased', async () => {
  const shared = '+41449990011'
  const zoe = await create('res.partner', { name: 'Zora Meier', phone: shared })
  const brother = await create('res.partner', { name: 'Zeno Meier', phone: shared })
  const call = await create('connect.call', { caller: shared, called: 'x', direction: 'incoming', partner: brother })
  await admin.ask('res.partner', 'erase', { ids: [zoe], confirm: 'Zora Meier' })
  const [row] = await admin.ask<object[]>('connect.call', 'read', { ids: [call], fields: ['caller', 'partner'] })
  expect(row).toMatchObject({ caller: shared, partner: [brother, 'Zeno Meier'] })
})

it('refuses companies that go in a circle, and keeps reading those that are stored', async () => {
  const a = await create('res.partner', { name: 'Alpha', is_company: true })
  const b = await create('res.partner', { name: 'Beta', is_company: true, parent_id: a })
  const c = await create('res.partner', { name: 'Gamma', is_company: true, parent_id: b })
  const link = (id: number, parent: number | null) =>
    admin.call('res.partner', 'write', { ids: [id], vals: { parent_id: parent } })
  for (const [id, parent] of [
    [a, a],
    [a, b],
    [a, c],
    [b, c],
  ] as const) {
    const refused = await link(id, parent)
    expect(refused.status, JSON.stringify(refused.body)).toBe(422)
    expect(JSON.stringify(refused.body)).toMatch(/parent_id/)
  }
  expect((await link(c, a)).status).toBe(200)
  await app.db.query(sql`update res_partner set parent_id = ${c}::bigint where id = ${a}::bigint`)
  const [read] = await admin.ask<object[]>('res.partner', 'read', {
    ids: [a],
    fields: ['parent_id', 'connect_calls_count'],
  })
  expect(read).toMatchObject({ parent_id: [c, 'Gamma'] })
  await admin.ask('res.partner', 'write', { ids: [a], vals: { name: 'Alpha 2', parent_id: c } })
  await admin.ask('res.partner', 'write', { ids: [a], vals: { parent_id: null } })
})

it('leads from a contact that was merged to the one it was merged into, which says who merged which', async () => {
  const kept = await create('res.partner', { name: 'Beat Keller' })
  const other = await create('res.partner', { name: 'Beat Keller-Huber' })
  const last = await create('res.partner', { name: 'B. Keller' })
  const where = (id: number) => admin.ask('res.partner', 'merged_into', { id })
  expect(await where(other)).toEqual({ merged: false, into: null })
  await admin.ask('res.partner', 'merge', { keep: kept, others: [other] })
  expect(await where(other)).toEqual({ merged: true, into: kept })
  const posts = await admin.ask<{ text: string; author_id: number | null }[]>('res.partner', 'message_list', {
    ids: [kept],
  })
  expect(posts).toEqual([expect.objectContaining({ text: 'Merged with Beat Keller-Huber.', kind: 'event' })])
  expect(posts[0]?.author_id).not.toBeNull()
  // And on to where that one went.
  await admin.ask('res.partner', 'merge', { keep: last, others: [kept] })
  expect(await where(other)).toEqual({ merged: true, into: last })
  await admin.ask('res.partner', 'unlink', { ids: [last] })
  expect(await where(other)).toEqual({ merged: true, into: null })
})

it('merges a company with somebody above it over one in between', async () => {
  const top = await create('res.partner', { name: 'Top' })
  const middle = await create('res.partner', { name: 'Middle', parent_id: top })
  const low = await create('res.partner', { name: 'Low', parent_id: middle })
  await admin.ask('res.partner', 'merge', { keep: low, others: [top] })
  expect(await admin.ask('res.partner', 'read', { ids: [low, middle], fields: ['parent_id'] })).toEqual([
    expect.objectContaining({ id: low, parent_id: null }),
    expect.objectContaining({ id: middle, parent_id: [low, 'Low'] }),
  ])
})

it('refuses a text in which nobody finds a number, and reads every usual one', async () => {
  const swiss = await admin.ask<number[]>('res.country', 'search', { domain: [['code', '=', 'CH']] })
  await app.db.query(sql`update connect_settings set country_id = ${swiss[0] ?? 0}::bigint`)
  await app.db.script("notify connect_settings, ''")
  for (const [field, written] of [
    ['phone', 'ask Anna'],
    ['mobile', 'n/a'],
    ['mobile', '4.17956e+10'],
    ['phone', '0'],
    ['mobile', '+00'],
    ['phone', '+41 79 555 01 74 00 00 00 00'],
  ] as const) {
    const refused = await admin.call('res.partner', 'create', { vals_list: { name: 'Nia', [field]: written } })
    expect(refused).toMatchObject({
      status: 422,
      text: expect.stringContaining(`\\"res.partner.${field}\\" must be a phone number such as +15550100001.`),
    })
  }
  const read = async (phone: string) => {
    const id = await create('res.partner', { name: 'Nia', phone })
    const [row] = await admin.ask<{ phone_normalized: string | null }[]>('res.partner', 'read', {
      ids: [id],
      fields: ['phone_normalized'],
    })
    await admin.ask('res.partner', 'unlink', { ids: [id] })
    return row?.phone_normalized ?? null
  }
  expect(await read('‪+41 79 555 01 74‬')).toBe('+41795550174')
  expect(await read("'+41795550174")).toBe('+41795550174')
  expect(await read('Tel. 079 555 01 74 (mobile)')).toBe('+41795550174')
  expect(await read('41795550175.0')).toBe('+41795550175')
  expect(await read('262966')).toBeNull()
  expect(await read('116 117')).toBeNull()
  expect(await read('anonymous')).toBeNull()
})

it('calls one of Brazil, Argentina, Ivory Coast and Benin by either form of the number', async () => {
  for (const [stored, others] of [
    ['+55 11 98765-4321', ['+551187654321', 'whatsapp:+551187654321']],
    ['+55 61 9666-5555', ['+5561996665555']],
    ['+54 9 11 2345-6789', ['+541123456789', '011 15 2345 6789']],
    ['+54 11 2345-6780', ['+5491123456780']],
    ['+225 07 12 34 56', ['+2250707123456']],
    ['+229 01 97 12 34 56', ['+22997123456']],
    ['+52 1 55 1234 5678', ['+525512345678']],
  ] as const) {
    const id = await create('res.partner', { name: `Of ${stored}`, phone: stored })
    for (const number of others) {
      if (number.startsWith('0')) continue
      expect([number, await admin.ask<Lookup>('res.partner', 'lookup', { number })]).toMatchObject([
        number,
        { match: id },
      ])
      expect(await admin.ask('res.partner', 'lookup_number', { number })).toMatchObject({
        contact: id,
        matches: [{ id }],
      })
    }
    await admin.ask('res.partner', 'unlink', { ids: [id] })
  }
})

it.each(['US.13491208655302741918', 'DE.ENT.4f2a99'])(
  'the WhatsApp user %s is found wherever a number is',
  async (user) => {
    const id = await create('res.partner', { name: `Hidden ${user}`, phone: user })
    const spellings = [user, `whatsapp:${user}`, ` WhatsApp: ${user} `, `\u200e${user}\u200b`]
    for (const number of spellings) {
      const found = await admin.ask('res.partner', 'lookup_number', { number })
      expect([number, found]).toMatchObject([number, { contact: id, matches: [{ id }] }])
      const lookup = await admin.ask<Lookup>('res.partner', 'lookup', { number })
      expect([number, lookup]).toMatchObject([number, { match: id, e164: null, tz: null }])
      expect(await admin.ask('res.partner', 'search', { domain: [['phone', '=', number.trim()]] })).toEqual([id])
    }
    expect(await admin.ask('res.partner', 'lookup_number', { number: `whatsapp:${user}9` })).toEqual({
      contact: null,
      matches: [],
    })
    const other = await create('res.partner', { name: 'Hidden twin', phone: `whatsapp:${user}` })
    expect(await admin.ask('res.partner', 'lookup_number', { number: user })).toMatchObject({
      matches: [{ id }, { id: other }],
    })
    await admin.ask('res.partner', 'unlink', { ids: [id, other] })
    // A user name may be somebody else's tomorrow.
    const named = await admin.call('res.partner', 'lookup_number', { number: 'whatsapp:zoe.meier1' })
    expect(named.status).toBe(422)
  },
)

it('merges two spellings of one number, and of one address, into one', async () => {
  const kept = await create('res.partner', { name: 'Ida', phone: '+41 31 555 01 88', email: 'ida@example.com' })
  const other = await create('res.partner', { name: 'Ida', mobile: '0041315550188', email: 'Ida <IDA@example.com>' })
  const third = await create('res.partner', { name: 'Ida', phone: '+41315550188', mobile: '+41 79 555 01 88' })
  await admin.ask('res.partner', 'merge', { keep: kept, others: [other, third] })
  const [row] = await admin.ask<object[]>('res.partner', 'read', {
    ids: [kept],
    fields: ['phone', 'mobile', 'email', 'comment'],
  })
  expect(row).toMatchObject({
    phone: '+41 31 555 01 88',
    mobile: '+41 79 555 01 88',
    email: 'ida@example.com',
    comment: null,
  })
})

it('merges a contact with many rows in several transactions, so that nobody waits, and leaves none behind', async () => {
  const kept = await create('res.partner', { name: 'Ida' })
  const other = await create('res.partner', { name: 'Ida the other' })
  await create('res.partner', { name: 'Below her', parent_id: other })
  await app.db.query(sql`insert into connect_message (from_number, to_number, body, direction, status, partner)
    select '+41315550189', '+41315550100', 'Hello ' || n, 'incoming', 'received', ${other}::bigint from generate_series(1, 450) n`)
  await app.db.query(sql`insert into helpdesk_ticket (name, partner_id)
    select 'Boiler ' || n, ${other}::bigint from generate_series(1, 30) n`)
  const { moved } = await admin.ask<{ moved: object }>('res.partner', 'merge', { keep: kept, others: [other] })
  expect(moved).toMatchObject({ 'connect.message': 450, 'helpdesk.ticket': 30, 'res.partner': 1 })
  const [left] = await app.db.query<{ moved: number; transactions: number }>(
    sql`select count(*)::int as moved, count(distinct xmin::text)::int as transactions from connect_message where partner = ${kept}::bigint`,
  )
  expect(left?.moved).toBe(450)
  expect(left?.transactions).toBeGreaterThan(2)
  const [said] = await app.db.query<{ posts: number }>(sql`select count(*)::int as posts from mail_message
    where model = 'helpdesk.ticket' and changes @> '[{"field": "partner_id", "to": "Ida"}]'
      and res_id in (select id from helpdesk_ticket where partner_id = ${kept}::bigint)`)
  expect(said?.posts).toBe(30)
  expect((await admin.call('res.partner', 'read', { ids: [other] })).status).toBe(404)
})

it('merges a new contact of an old company without reading the messages of the others', async () => {
  const [kept, other, old] = [
    await create('res.partner', { name: 'Olga' }),
    await create('res.partner', { name: 'Olga the other' }),
    await create('res.partner', { name: 'An old customer' }),
  ]
  const write = (partner: number, times: number) =>
    app.db.query(sql`insert into connect_message (from_number, to_number, body, direction, status, partner)
      select '+41315550191', '+41315550100', 'Hello ' || n, 'incoming', 'received', ${partner}::bigint
      from generate_series(1, ${times}::int) n`)
  await write(old, 20_000)
  await write(other, 2_000)
  await app.db.script('analyze connect_message')
  const ran = await recordStatements(app.db, () => admin.ask('res.partner', 'merge', { keep: kept, others: [other] }))
  const plans = await plansOf(
    app.db,
    ran.filter(({ text }) => text.includes('"connect_message"')),
  )
  expect(plans.length).toBeGreaterThan(2)
  for (const plan of plans)
    expect(plan).not.toMatch(/Seq Scan on connect_message|connect_message_pkey[^\n]*\n\s*Filter/)
  await app.db.query(sql`delete from connect_message where partner in (${old}::bigint, ${kept}::bigint)`)
  await admin.ask('res.partner', 'unlink', { ids: [kept, old] })
})

it('a merge that is refused moves nothing', async () => {
  const { userId } = await app.person(['connect.group_user'])
  const [user] = await admin.ask<{ partner_id: [number, string] }[]>('res.users', 'read', {
    ids: [userId],
    fields: ['partner_id'],
  })
  const colleague = user?.partner_id[0] ?? 0
  const kept = await create('res.partner', { name: 'Ida' })
  const ticket = await create('helpdesk.ticket', { name: 'Boiler', partner_id: colleague })
  expect((await admin.call('res.partner', 'merge', { keep: kept, others: [colleague] })).status).toBe(422)
  const [row] = await admin.ask<{ partner_id: [number, string] }[]>('helpdesk.ticket', 'read', {
    ids: [ticket],
    fields: ['partner_id'],
  })
  expect(row?.partner_id[0]).toBe(colleague)
})

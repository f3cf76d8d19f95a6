// One text finds records of every kind, among what the person who asks may read.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../../src/database/drizzle.ts'
import { wordsIn } from '../../../src/database/folded.ts'
import { foldText } from '../../../src/folded-text.ts'
import { insertRow } from '../../support/rows.ts'
import { type Caller, TestApp } from '../../support/test-app.ts'

const SID = `CA${'3'.repeat(32)}`

interface Hit {
  model: string
  id: number
  title: string
  detail: string
  matched: string
}

let app: TestApp
let [ada, eve, hugo] = [] as unknown as [Caller, Caller, Caller]
let [zoe, ticket, call] = [0, 0, 0]

beforeAll(async () => {
  app = await TestApp.start()
  ada = await app.person(['connect.group_admin', 'helpdesk.group_user'])
  eve = await app.person(['connect.group_user'])
  hugo = await app.person(['helpdesk.group_user'])
  const values = { name: "Zoe O'Miller", phone: '+41 31 380 83 16', email: 'zoe.m@boilers.example' }
  zoe = await ada.ask('res.partner', 'create', { vals_list: values })
  ticket = await ada.ask('helpdesk.ticket', 'create', { vals_list: { name: 'Leaking boiler in the cellar' } })
  const [row] = await app.db.query<{ id: number }>(
    sql`insert into connect_call (call_sid, caller, called, voiceai_conversation_id, status)
        values (${SID}, '+41313808316', '+15550100110', 'conv_0123456789', 'completed') returning id`,
  )
  call = row?.id ?? 0
})
afterAll(() => app.stop())

async function search(caller: Caller, text: string, limit?: number): Promise<Hit[]> {
  const answer = await app.request('/api/search', {
    method: 'POST',
    headers: { authorization: `bearer ${caller.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ text, limit }),
  })
  if (answer.status !== 200) throw new Error(answer.text)
  return answer.body as Hit[]
}

const found = async (caller: Caller, text: string) =>
  (await search(caller, text)).map(({ model, id, matched }) => ({ model, id, matched }))

it('a contact is told by its number in one form, however it was typed', async () => {
  const make = (values: object) => ada.ask<number>('res.partner', 'create', { vals_list: values })
  const [country] = await ada.ask<number[]>('res.country', 'search', { domain: [['code', '=', 'CH']] })
  const values = { name: 'Quirin Typed', country_id: country, phone: '031 380 84 00', mobile: '0041 79 / 555 00 01' }
  const typed = await make(values)
  // What an earlier version took for a number is shown as it is.
  const unread = await make({ name: 'Quirin Unread' })
  await app.db.query(sql`update res_partner set phone = 'ask at the desk' where id = ${unread}::bigint`)
  const details = (await search(ada, 'quirin')).map(({ title, detail }) => [title, detail])
  expect(details).toEqual([
    ['Quirin Unread', 'ask at the desk'],
    ['Quirin Typed', '+41313808400 · +41795550001'],
  ])
  await ada.ask('res.partner', 'unlink', { ids: [typed, unread] })
})

it('finds names and addresses however their letters, accents and apostrophes are written', async () => {
  const make = (values: object) => ada.ask<number>('res.partner', 'create', { vals_list: values })
  const mueller = await make({ name: 'Jörg Müller–Weiß', email: ' Jörg <joerg@mueller.example> ' })
  const boettcher = await make({ name: 'Uwe Boettcher' })
  const joel = await make({ name: 'Joel' })
  const jolanda = await make({ name: 'Jolanda' })
  const brien = await make({ name: 'Łukasz O\u2019Brien' })
  const neill = await make({ name: "Sean O'Neill" })
  const iolani = await make({ name: '\u02bbIolani Ka\u02bbahumanu' })
  const composed = await make({ name: 'Rene\u0301e \u0130nan' })
  try {
    for (const [text, id] of [
      ['muller', mueller],
      ['JORG MU\u0308LLER', mueller],
      ['Joerg Mueller', mueller],
      ['muelle', mueller],
      ['Böttcher', boettcher],
      ['boettch', boettcher],
      ['joel', joel],
      ['weiss', mueller],
      ['joerg@mueller.example', mueller],
      ['Jörg <joerg@mueller.example>', mueller],
      ["o'brien", brien],
      ['O\u2019Brien', brien],
      ['obrien', brien],
      ['brien', brien],
      ['lukasz', brien],
      ['Oneill', neill],
      ['o\u00b4neill', neill],
      ['neill', neill],
      ["i'olani", iolani],
      ["'Iolani", iolani],
      ['\u02bciolani kaahumanu', iolani],
      ["ka'ahu", iolani],
      ['renée', composed],
      ['inan', composed],
    ] as const) {
      expect([text, await found(eve, text)]).toEqual([text, [{ model: 'res.partner', id, matched: 'name' }]])
      if (text.includes('@')) continue
      const named = await ada.ask<[number, string][]>('res.partner', 'name_search', { name: text })
      expect([text, named.map(([each]) => each)]).toEqual([text, text === 'JORG MU\u0308LLER' ? [mueller] : [id]])
    }
    const stored = await ada.ask<object[]>('res.partner', 'read', { ids: [mueller], fields: ['email'] })
    expect(stored).toMatchObject([{ email: 'joerg@mueller.example' }])
    const same = await make({ name: 'Jo', email: 'JOERG@mueller.example' })
    expect(await ada.ask('res.partner', 'duplicates', {})).toContainEqual({
      reason: 'email',
      value: 'joerg@mueller.example',
      ids: [mueller, same],
    })
    await ada.ask('res.partner', 'unlink', { ids: [same] })
    const texts = ['Müller–Weiß', 'O\u2019Brien Łódź', '\u0130stanbul', 'Ærø ÞÐđ Œuvre', 'a\u00a0b\u200bc', 'plain']
    for (const text of texts) {
      const [row] = await app.db.query<{ folded: string }>(sql`select connect_fold(${text}) as folded`)
      expect(row?.folded).toBe(foldText(text))
    }
  } finally {
    await ada.ask('res.partner', 'unlink', { ids: [mueller, boettcher, joel, jolanda, brien, neill, iolani, composed] })
  }
})

it.each(['zoe', 'mill', 'ZOE o mil', 'boilers', 'zoe.m@boilers.example'])('a contact is found by %s', async (text) => {
  expect(await found(eve, text)).toEqual([{ model: 'res.partner', id: zoe, matched: 'name' }])
})

it.each(['+41313808316', '0041 31 380 83 16', '+41 (31) 380-83-16', '3808316', '0041 (31) 380'])(
  'a contact is found by the number %s',
  async (text) => {
    expect(await found(hugo, text)).toEqual([{ model: 'res.partner', id: zoe, matched: 'number' }])
  },
)

it.each(['8316', '83 16', '380 83 16', 'Tel. 031 380 83 16', 'Mobil: +41 (0)31 380 83 16', 'Telefon 380 83 16'])(
  'a contact and the calls of a number are found by %s',
  async (text) => {
    expect(await found(ada, text)).toEqual([
      { model: 'res.partner', id: zoe, matched: 'number' },
      { model: 'connect.call', id: call, matched: 'number' },
    ])
  },
)

it.each(['0110', '+1 (0) 555/0100110', 'Tel. 555 0100110', 'Phone (555) 010-0110'])(
  'the calls to a number are found by %s, also when its digits begin with 0',
  async (text) => {
    expect(await found(ada, text)).toEqual([{ model: 'connect.call', id: call, matched: 'number' }])
  },
)

it.each(['316', '8317', '83160', 'Room 8316', 'Tel.', 'x'.repeat(12), '1'.repeat(40)])(
  'no number is found by %s, which is too short, too long, another one, or none',
  async (text) => {
    expect((await found(ada, text)).filter(({ matched }) => matched === 'number')).toEqual([])
  },
)

it('a number with many calls does not hide another one with the same ending', async () => {
  await app.db.query(sql`insert into connect_call (caller, called, status)
    select '+4131777' || case when n <= 300 then '8000' else '9000' end || '7421', '+15550100110', 'completed'
    from generate_series(1, 301) n`)
  const hits = (await search(ada, '7421', 20)).filter(({ model }) => model === 'connect.call')
  expect(hits).toHaveLength(20)
  expect(hits[0]?.detail).toContain('90007421')
})

it.each([
  ['connect_call', 'caller', 'connect_call_caller_ending_index'],
  ['connect_call', 'called', 'connect_call_called_ending_index'],
  ['res_partner', 'phone_normalized', 'res_partner_phone_ending_index'],
  ['res_partner', 'mobile_normalized', 'res_partner_mobile_ending_index'],
])('the last digits of %s.%s are looked up in %s', async (table, column, index) => {
  const backwards = `reverse(${column}) collate "C"`
  const query = `select ${backwards} from ${table} where ${backwards} >= '6138' and ${backwards} < '6138:' order by 1 limit 1`
  const plan = await app.db.transaction(async (tx) => {
    // With a handful of rows any other way is as short.
    await tx.query(sql`set local enable_seqscan = off`)
    return tx.query(sql.raw(`explain (format json) ${query}`))
  })
  expect(JSON.stringify(plan)).toContain(index)
})

it('calls are found by number, SID, conversation and id', async () => {
  const hit = (matched: string) => expect.objectContaining({ model: 'connect.call', id: call, matched })
  expect(await found(ada, '+41 31 380 83 16')).toContainEqual(hit('number'))
  expect(await found(ada, SID)).toContainEqual(hit('sid'))
  expect(await found(ada, 'conv_0123456789')).toContainEqual(hit('sid'))
  expect(await found(ada, `#${call}`)).toContainEqual(hit('id'))
})

it('tickets are found by number and by the beginnings of words', async () => {
  expect(await found(hugo, `#${ticket}`)).toEqual([{ model: 'helpdesk.ticket', id: ticket, matched: 'id' }])
  expect(await found(hugo, 'boil leak')).toEqual([{ model: 'helpdesk.ticket', id: ticket, matched: 'name' }])
})

it('the tickets of a number are found by it, in any form, by those who read tickets', async () => {
  const vals_list = { name: 'Boiler again', partner_phone: '+41 31 380 84 77' }
  const own = await ada.ask<number>('helpdesk.ticket', 'create', { vals_list })
  for (const text of ['+41 31 380 84 77', '+41313808477', 'Tel. +41 (0)31 380 84 77'])
    expect(await found(hugo, text)).toContainEqual({ model: 'helpdesk.ticket', id: own, matched: 'number' })
  expect(await found(eve, '+41 31 380 84 77')).toEqual([])
})

it('staff and the service itself are no contacts that a search finds, by name, address or number', async () => {
  const vals_list = { name: 'Quentin Staff', login: 'quentin@list.example' }
  const user = await app.admin.ask<number>('res.users', 'create', { vals_list })
  const [
    {
      partner_id: [partner],
    },
  ] = await app.admin.ask<[{ partner_id: [number, string] }]>('res.users', 'read', {
    ids: [user],
    fields: ['partner_id'],
  })
  const vals = { mobile: '+41 31 380 83 99', email: 'quentin@list.example' }
  await app.admin.ask('res.partner', 'write', { ids: [partner], vals })
  for (const text of ['quentin', 'quentin@list.example', '+41 31 380 83 99', '8399', 'Webhook']) {
    expect([text, (await search(ada, text)).filter(({ model }) => model === 'res.partner')]).toEqual([text, []])
  }
  const friend = await ada.ask<number>('res.partner', 'create', { vals_list: { name: 'Quentin Friend' } })
  expect(await found(ada, 'quentin')).toEqual([{ model: 'res.partner', id: friend, matched: 'name' }])
})

describe('meetings and messages', () => {
  const START = { start: '2026-11-23 09:00:00', stop: '2026-11-23 10:00:00' }
  let people: Record<'user' | 'other' | 'admin' | 'helpdesk' | 'manager' | 'agentCalls' | 'nobody', Caller>
  const ids: Record<string, number> = {}

  beforeAll(async () => {
    people = {
      user: eve,
      other: await app.person(['connect.group_user']),
      admin: ada,
      helpdesk: hugo,
      manager: await app.person(['base.group_erp_manager']),
      agentCalls: await app.person(['connect.group_agent_calls']),
      nobody: await app.person([]),
    }
    const meet = (caller: Caller, name: string) =>
      caller.ask<number>('calendar.event', 'create', { vals_list: { name, ...START } })
    ids.mine = await meet(people.user, 'Visit: Heizungs\u00adkeller')
    ids.theirs = await meet(people.other, 'Visit of the heizungskeller')
    const write = async (values: object) => {
      const conversation = await insertRow(app.db, 'connect_conversation', {
        ...{ channel: 'sms', ours: '+15550100110', theirs: `+4179555000${Object.keys(ids).length}` },
        last_open: 'last_open' in values ? values.last_open : null,
      })
      const { last_open: _open, ...message } = values as Record<string, unknown>
      const parties = { from_number: '+41795550001', to_number: '+15550100110', direction: 'incoming' }
      return insertRow(app.db, 'connect_message', { ...parties, status: 'received', conversation, ...message })
    }
    ids.open = await write({ body: 'Der Heizungskeller\nsteht unter Wasser, Groß’ Leitung!', last_open: 1 })
    ids.private = await write({
      ...{ body: 'heizungskeller, for your eyes only', direction: 'outgoing' },
      sender_user: people.other.userId,
    })
  })

  it.each(['user', 'other', 'admin', 'helpdesk', 'manager', 'agentCalls', 'nobody'] as const)(
    'for %s are those that their lists show, and no others',
    async (name) => {
      const caller = people[name]
      const hits = await search(caller, 'heizungskel', 20)
      for (const [model, field] of [
        ['calendar.event', 'name'],
        ['connect.message', 'body'],
      ] as const) {
        const domain = [[field, 'ilike', 'heizungskeller']]
        const { status, body } = await caller.call(model, 'search', { domain, order: 'id desc' })
        const listed = status === 200 ? body : []
        expect([model, hits.filter((hit) => hit.model === model).map(({ id }) => id)]).toEqual([model, listed])
      }
    },
  )

  it('the matrix is not empty', async () => {
    const of = async (caller: Caller) => (await found(caller, 'heizungskeller')).map(({ id }) => id)
    expect(await of(people.admin)).toEqual([ids.theirs, ids.mine, ids.private, ids.open])
    expect(await of(people.user)).toEqual([ids.mine, ids.open])
    expect(await of(people.helpdesk)).toEqual([])
  })

  it.each(['heizungskeller wasser', 'WASSER groß', 'leitung'])('a message is found by %s', async (text) => {
    const [hit] = await search(people.user, text)
    expect(hit).toMatchObject({ model: 'connect.message', id: ids.open, matched: 'text' })
    expect(hit?.detail).toBe('Der Heizungskeller steht unter Wasser, Groß’ Leitung!')
  })

  it('a meeting tells when it begins, and is found by its number', async () => {
    const [hit] = await search(people.user, 'visit heiz')
    expect(hit).toMatchObject({ model: 'calendar.event', id: ids.mine, matched: 'name', detail: START.start })
    expect(await found(people.user, `#${ids.mine}`)).toContainEqual({
      ...{ model: 'calendar.event', id: ids.mine, matched: 'id' },
    })
    expect(await found(people.other, `#${ids.mine}`)).toEqual([])
  })

  it('a long message is cut where it is a detail', async () => {
    await app.db.query(
      sql`update connect_message set body = repeat('leitung 🚲 ', 200) where id = ${ids.open ?? 0}::bigint`,
    )
    const [hit] = await search(people.user, 'leitung')
    expect(hit?.detail).toMatch(/^(?:leitung 🚲 ?)+ ?(?:leitung)? …$|…$/)
    expect([...(hit?.detail ?? '')].length).toBeLessThan(170)
  })

  it('the words of meetings are looked up in an index', async () => {
    const plan = await app.db.transaction(async (tx) => {
      // With a handful of rows any other way is as short.
      await tx.query(sql`set local enable_seqscan = off`)
      const words = wordsIn(sql`coalesce(name, '')`)
      return tx.query(
        sql`explain (format json) select id from calendar_event where ${words} @@ to_tsquery('simple', 'x:*')`,
      )
    })
    expect(JSON.stringify(plan)).toContain('calendar_event_words_index')
  })
})

it('what somebody may not read is not found', async () => {
  expect(await found(eve, 'leaking')).toEqual([])
  expect(await found(eve, SID)).toEqual([])
  expect(await found(hugo, SID)).toEqual([])
})

it.each(["'", ':*', '& | !', '%_\\', '<script>', '💥', "zoe' & (x", 'x'.repeat(200)])(
  'a text such as %s is looked for and obeyed by nothing',
  async (text) => {
    expect(await search(ada, text)).toBeInstanceOf(Array)
  },
)

it('a search without a text, without a key, or for too much is refused', async () => {
  await expect(search(ada, '')).rejects.toThrow('Send \\"text\\"')
  await expect(search(ada, 'zoe', 1_000)).rejects.toThrow('Send \\"text\\"')
  expect((await app.post('/api/search', { text: 'zoe' })).status).toBe(401)
})

// One text finds records of every kind, among what whoever asks may read.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { sql } from '../../../src/database/drizzle.ts'
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

it.each(['zoe', 'mill', 'ZOE o mil', 'boilers', 'zoe.m@boilers.example'])('a contact is found by %s', async (text) => {
  expect(await found(eve, text)).toEqual([{ model: 'res.partner', id: zoe, matched: 'name' }])
})

it.each(['+41313808316', '0041 31 380 83 16', '+41 (31) 380-83-16', '3808316', '0041 (31) 380'])(
  'a contact is found by the number %s',
  async (text) => {
    expect(await found(hugo, text)).toEqual([{ model: 'res.partner', id: zoe, matched: 'number' }])
  },
)

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

// The set-up makes an agent from the answers of a few questions, with all that belongs to it, or nothing.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '../../src/database/drizzle.ts'
import { type Caller, TestApp } from '../support/test-app.ts'

const AGENT = 'connect.voiceai_agent'
const OWNER = ['connect.group_admin', 'base.group_erp_manager', 'base.group_user']
const WEEK = ['0', '1', '2', '3', '4'].map((dayofweek) => ({ dayofweek, hour_from: 9, hour_to: 17.5 }))
const EVERYTHING = ['answer', 'message', 'book', 'tickets', 'hand_over']

let app: TestApp
let owner: Caller
let voice: number
let number: number

interface Made {
  agent: number
  extension: number | null
  business_hours: number | null
  number: number | null
}

beforeAll(async () => {
  app = await TestApp.start()
  owner = await app.person(OWNER, { name: 'Olga Miller' })
  const [settings] = await owner.ask<number[]>('connect.settings', 'search')
  await owner.ask('connect.settings', 'write', {
    ids: [settings],
    vals: { company_name: 'Miller & Sons', tz: 'Europe/Zurich' },
  })
  number = await owner.ask<number>('connect.telco.number', 'create', { vals_list: { phone_number: '+41315550100' } })
})
afterAll(() => app.stop())

const setUp = (answers: object) => owner.ask<Made>(AGENT, 'set_up', answers)
async function one<Row>(model: string, id: number | null, fields: string[]): Promise<Row> {
  const [row] = await owner.ask<Row[]>(model, 'read', { ids: [id], fields })
  if (row === undefined) throw new Error(`there is no ${model} ${id}`)
  return row
}
const count = (model: string) => owner.ask<number>(model, 'search_count')

test('an agent is refused while there are no voices, and nothing of it stays', async () => {
  const answer = await owner.call(AGENT, 'set_up', { openings: WEEK, may: EVERYTHING })
  expect([answer.status, answer.body]).toMatchObject([
    422,
    { message: 'There are no voices yet. Sync voice agents first.' },
  ])
  expect([await count(AGENT), await count('connect.user'), await count('connect.telco.business_hours')]).toEqual([
    0, 0, 0,
  ])
  await app.db.query(
    sql`insert into connect_voiceai_voice (voice_id, name, language) values ('v1', 'Ann', 'en'), ('v2', 'Uwe', 'de')`,
  )
  const [german] = await owner.ask<number[]>('connect.voiceai_voice', 'search', { domain: [['name', '=', 'Uwe']] })
  voice = german ?? 0
})

test('all answers make prompt, greeting, tools, transfer, hours and the destination of the number', async () => {
  const made = await setUp({
    does: 'We mend boilers in Bern. A visit costs 120 francs.',
    openings: WEEK,
    may: EVERYTHING,
    mobile: '+41 79 555 01 99',
    language: 'de',
    number,
  })
  const agent = await one<{ prompt: string; tools: number[] }>(AGENT, made.agent, [])
  expect(agent).toMatchObject({
    name: 'Miller & Sons',
    voice: [voice, 'Uwe'],
    language: 'de',
    first_message: 'Guten Tag, hier ist Miller & Sons. Wie kann ich Ihnen helfen?',
    fallback_exten: [made.extension, '100'],
  })
  expect(agent.prompt).toContain('A visit costs 120 francs.')
  expect(agent.prompt).toContain('Montag: 09:00–17:30')
  expect(agent.prompt).toContain('Sonntag: geschlossen')
  expect(agent.prompt).toContain(`Benutzer-Kennung ${owner.userId}`)
  expect(agent.prompt).toContain('Nebenstelle 100 (transfer_to_exten)')
  const tools = await owner.ask<{ name: string }[]>('connect.voiceai_agent_tool', 'read', {
    ids: agent.tools,
    fields: ['name'],
  })
  expect(tools.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['transfer_to_exten', 'calendar_create_event', 'helpdesk_create_ticket', 'end_call']),
  )
  expect(await one('connect.telco.exten', made.extension, ['number', 'is_published'])).toMatchObject({
    number: '100',
    is_published: true,
  })
  const [person] = await owner.ask<object[]>('connect.user', 'search_read', { domain: [['user', '=', owner.userId]] })
  expect(person).toMatchObject({ mobile_enabled: true, mobile_number: '+41795550199', language: 'de-DE' })
  expect(person).toMatchObject({
    voicemail_enabled: true,
    voicemail_prompt: expect.stringContaining('Bitte hinterlassen Sie eine Nachricht nach dem Signalton.'),
  })
  expect(await one('connect.telco.business_hours', made.business_hours, ['tz', 'opening_ids'])).toMatchObject({
    tz: 'Europe/Zurich',
    opening_ids: { length: 5 },
  })
  const [calendar] = await owner.ask<object[]>('resource.calendar', 'search_read', {
    domain: [['user_id', '=', owner.userId]],
  })
  expect(calendar).toMatchObject({ tz: 'Europe/Zurich', attendance_ids: { length: 5 } })
  const led = await one<{ closed_exten: [number, string] }>('connect.telco.number', number, [])
  expect(led).toMatchObject({ destination: 'voiceai_agent', voiceai_agent: [made.agent, 'Miller & Sons'] })
  expect(led).toMatchObject({ business_hours: [made.business_hours, 'Miller & Sons'] })
  expect(await one('connect.telco.exten', led.closed_exten[0], ['dst'])).toMatchObject({
    dst: `${AGENT},${made.agent}`,
  })
})

test('every question of the set-up may be left out', async () => {
  const made = await setUp({})
  expect(made).toMatchObject({ extension: null, business_hours: null, number: null })
  expect(await one(AGENT, made.agent, [])).toMatchObject({
    language: 'en',
    voice: [expect.any(Number), 'Ann'],
    first_message: 'Hello, this is Miller & Sons. How can I help you?',
    fallback_exten: null,
  })
})

test('callers leave no message for somebody who wants none, and a voicemail that is on stays on', async () => {
  const bob = await app.person(['base.group_user'], { name: 'Bob' })
  const voicemail = async () => {
    const domain = [['user', '=', bob.userId]]
    const [row] = await owner.ask<{ voicemail_enabled: boolean }[]>('connect.user', 'search_read', { domain })
    return row?.voicemail_enabled
  }
  const answers = { may: ['hand_over'], person: bob.userId }
  await setUp({ ...answers, voicemail: false })
  expect(await voicemail()).toBe(false)
  await setUp(answers)
  await setUp({ ...answers, voicemail: false })
  expect(await voicemail()).toBe(true)
})

test('an agent that is made after another one gets a name that people can tell apart', async () => {
  const names = []
  for (const answers of [{}, {}, { name: 'Night desk' }]) {
    names.push((await one<{ name: string }>(AGENT, (await setUp(answers)).agent, ['name'])).name)
  }
  expect(new Set(names).size).toBe(3)
  expect(names).toEqual([
    expect.stringMatching(/^Miller & Sons \d$/),
    expect.stringMatching(/^Miller & Sons \d$/),
    'Night desk',
  ])
})

test('the texts of the set-up are read before the agent is made, and what somebody writes counts instead', async () => {
  const answers = { may: ['answer', 'hand_over'], language: 'en' }
  const texts = await owner.ask<{ prompt: string; first_message: string }>(AGENT, 'set_up_texts', answers)
  expect(texts.prompt).toContain('transfer the call to extension 100')
  const made = await setUp({
    ...answers,
    name: 'Front desk',
    prompt: 'Say hello.',
    first_message: 'Hi!',
    announces_ai: true,
  })
  expect(await one(AGENT, made.agent, [])).toMatchObject({
    name: 'Front desk',
    prompt: 'Say hello.',
    first_message: 'Hi!',
    announces_ai: true,
  })
})

test.each([
  ['hours that overlap', { openings: [...WEEK, { dayofweek: '0', hour_from: 16, hour_to: 18 }] }, 422],
  ['a person who is no user', { person: 999_999, may: ['hand_over'] }, 422],
  ['a mobile that is none', { may: ['hand_over'], mobile: 'my phone' }, 422],
  ['a voice that there is not', { voice: 999_999 }, 422],
  ['a language that no agent speaks', { language: 'xx' }, 422],
  ['a number that there is not', { number: 999_999 }, 404],
])('a set-up of an agent with %s is refused and leaves nothing', async (_what, answers, status) => {
  const before = [await count(AGENT), await count('connect.telco.exten'), await count('connect.telco.business_hours')]
  const answer = await owner.call(AGENT, 'set_up', answers)
  expect([answer.status, answer.body]).toMatchObject([status, { message: expect.any(String) }])
  const after = [await count(AGENT), await count('connect.telco.exten'), await count('connect.telco.business_hours')]
  expect(after).toEqual(before)
})

test('a Connect user sets up no agent', async () => {
  const eve = await app.person(['connect.group_user', 'base.group_user'])
  expect((await eve.call(AGENT, 'set_up', {})).status).toBe(403)
  expect((await eve.call(AGENT, 'set_up_texts', {})).status).toBe(403)
})

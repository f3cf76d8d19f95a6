// After a person is erased, nothing that the service stores or writes finds their name, number, address or words.
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { SCENARIOS } from '../../../emulators/scenarios/catalogue.ts'
import { runScenario } from '../../../emulators/scenarios/scenario.ts'
import { sql } from '../../../src/database/drizzle.ts'
import { startWorld, type TestWorld } from '../../emulators/scenario-world.ts'
import { dumpOf } from '../../support/dump.ts'
import { eventually } from '../../support/test-app.ts'

const NAME = 'Zoe Miller'
const NUMBER = '+14155550210'
const EMAIL = 'zoe@miller.example'
const SENTENCE = 'My boiler leaks'
/** How else what may not be found is written. */
const TRACES = [/zoe.{0,6}miller/i, /415[^0-9a-z]{0,3}555[^0-9a-z]{0,3}0210/i, /zoe(?:@|%40)miller/i, /boiler leaks/i]

let world: TestWorld
let contact: number

beforeAll(async () => {
  world = await startWorld({}, {})
  const scenario = SCENARIOS.find(({ name }) => name === 'agent-helpdesk')
  if (scenario === undefined) throw new Error('there is no such scenario')
  expect((await runScenario(scenario, world)).complaints).toEqual([])
  const [found] = await world.app.admin.ask<number[]>('res.partner', 'search', { domain: [['name', '=', NAME]] })
  contact = found ?? 0
  await leaveMore()
}, 120_000)
afterAll(() => world.stop())

/** Whatever else may hold what is a person's. */
async function leaveMore(): Promise<void> {
  const { admin, db, config } = world.app
  await admin.ask('res.partner', 'write', { ids: [contact], vals: { email: EMAIL, mobile: '+41791112233' } })
  await admin.ask('res.partner', 'message_post', { ids: [contact], body: `${NAME} says: ${SENTENCE}.` })
  const file = await world.app.request(`/api/attachment?name=${encodeURIComponent(`${NAME}.txt`)}`, {
    method: 'POST',
    headers: { authorization: `bearer ${admin.key}`, 'content-type': 'application/octet-stream' },
    body: `${NAME}, ${NUMBER}: ${SENTENCE}`,
  })
  const { id: sent } = file.body as { id: number }
  await admin.ask('res.partner', 'message_post', { ids: [contact], body: 'A letter', attachment_ids: [sent] })
  expect(filesWith(config.mediaDir)).toHaveLength(1)
  const other = await admin.ask<number>('res.partner', 'create', { vals_list: { name: 'Will Young' } })
  await admin.ask('helpdesk.ticket', 'create', {
    vals_list: { name: 'About a neighbour', description: `${NAME} ((415) 555-0210) told me`, partner_id: other },
  })
  await admin.ask('calendar.event', 'create', {
    vals_list: {
      name: `Visit ${NAME}`,
      start: '2026-12-01 09:00:00',
      stop: '2026-12-01 10:00:00',
      partner_ids: [contact, other],
    },
  })
  await admin.ask('connect.favorite', 'create', { vals_list: { phone_number: NUMBER, partner: contact } })
  await db.query(sql`insert into connect_debug (model, message) values ('x', ${`call from ${NUMBER}`})`)
  await db.query(sql`insert into connect_message (from_number, to_number, body, direction, status, partner)
    values ('+41791112233', '+14155550110', ${`${SENTENCE}, yours ${NAME}`}, 'incoming', 'received', ${contact}::bigint)`)
  await db.query(sql`insert into connect_delivery (area, route, verdict, received_at, body) values
    ('telco', '/telco/webhook/message', 'handled', now(), ${`From=%2B14155550210&Body=${SENTENCE.replaceAll(' ', '+')}`})`)
  await db.query(sql`insert into connect_inbox (kind, state, received_at, attempts, payload) values
    ('post_call', 'dead', now(), 9, ${JSON.stringify({ caller: NUMBER, said: SENTENCE })})`)
  const spool = path.join(config.dataDir, 'spool')
  mkdirSync(spool, { recursive: true })
  writeFileSync(path.join(spool, '000000000000001-00.json.refused'), JSON.stringify({ caller: NUMBER, said: SENTENCE }))
}

function found(text: string): string[] {
  return text.split('\n').filter((line) => TRACES.some((trace) => trace.test(line)))
}

/** Every file below a folder in which one of the traces is, with what stands around it. */
function filesWith(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).flatMap((name) => {
    const file = path.join(folder, name)
    const text = statSync(file).isFile() ? readFileSync(file, 'latin1') : ''
    const at = Math.max(...TRACES.map((trace) => text.search(trace)))
    return at < 0 ? [] : [`${name}: ${JSON.stringify(text.slice(Math.max(0, at - 300), at + 300))}`]
  })
}

it('erasing counts before, wants the name, and leaves nothing of the person anywhere', async () => {
  const { admin, db, config } = world.app
  const calls = await world.app.count('connect_call')
  expect(found(await dumpOf(world.app.db)).length).toBeGreaterThan(10)
  if (db.kind === 'embedded') expect(filesWith(db.place).length).toBeGreaterThan(0)
  const all = JSON.stringify(await admin.ask('res.partner', 'export_person', { ids: [contact] }))
  expect(TRACES.map((trace) => trace.test(all))).toEqual([true, true, true, true])

  const preview = await admin.ask<{ counts: Record<string, number> }>('res.partner', 'erase_preview', {
    ids: [contact],
  })
  expect(preview.counts).toMatchObject({ 'connect.call': 1, 'connect.recording': 1, 'res.partner': 1 })
  expect((await admin.call('res.partner', 'erase', { ids: [contact], confirm: 'Zoe' })).status).toBe(422)
  expect(await world.app.count('connect_recording')).toBeGreaterThan(0)

  const { erasure, counts } = await admin.ask<{ erasure: number; counts: Record<string, number> }>(
    'res.partner',
    'erase',
    { ids: [contact], confirm: NAME },
  )
  expect(counts).toEqual(preview.counts)
  interface Receipt {
    state: string
    remains: string[] | null
    counts: Record<string, number>
  }
  const receipt = await eventually(async () => {
    const [row] = await admin.ask<Receipt[]>('connect.erasure', 'read', { ids: [erasure] })
    return row?.state === 'done' && row.remains !== null ? row : undefined
  })
  expect(receipt.remains).toEqual([])
  expect(receipt.counts.spool).toBe(1)
  expect(await world.app.count('connect_call')).toBe(calls)
  const left = await dumpOf(world.app.db)
  expect(found(left)).toEqual([])
  expect(left).toContain('About a neighbour')
  expect(left).toContain('Will Young')
  expect(filesWith(config.dataDir)).toEqual([])
  if (db.kind === 'embedded') expect(filesWith(db.place)).toEqual([])
  const [call] = await admin.ask<object[]>('connect.call', 'search_read', {
    fields: ['caller', 'partner', 'summary', 'outcome'],
  })
  expect(call).toMatchObject({ caller: null, partner: null, summary: null, outcome: 'agent' })
}, 120_000)

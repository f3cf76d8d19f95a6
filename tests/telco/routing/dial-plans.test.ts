// The dial plan in memory: a change counts at once and whole in every process, and a start without the database has the last one.
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '../../../src/database/drizzle.ts'
import { SealedFile } from '../../../src/platform/secrets/sealed-file.ts'
import { routeDomain, routeNumber } from '../../../src/telco/routing/decide/destination.ts'
import { decideFromMemory, undecidedCall } from '../../../src/telco/routing/decide-calls.ts'
import { DialPlans } from '../../../src/telco/routing/dial-plans.ts'
import { CUSTOMER, Exchange, HOST, MAIN_NUMBER } from './exchange.ts'

let exchange: Exchange
let alice = 0
let bob = 0
let number = 0
let dataDir = ''

beforeAll(async () => {
  dataDir = mkdtempSync(path.join(os.tmpdir(), 'connect-dial-plan-'))
  exchange = await Exchange.start()
  alice = await exchange.user('alice')
  bob = await exchange.user('bob')
  number = await exchange.number(MAIN_NUMBER, { destination: 'user', user: alice })
})
afterAll(async () => {
  await exchange.stop()
  rmSync(dataDir, { recursive: true, force: true })
})

/** As a process has it that hears no notification. */
function aProcess(file?: SealedFile): DialPlans {
  const { platform } = exchange.app.app
  return new DialPlans({ db: exchange.app.db, settings: platform.settings, log: platform.log, file })
}
const planOf = (plans: DialPlans) => exchange.open((env) => plans.inForce(env))
const version = async () =>
  (await exchange.app.db.query<{ version: number }>(sql`select version::int as version from connect_dial_plan`))[0]
    ?.version ?? 0

const sealed = () =>
  new SealedFile({ dataDir, name: 'last-dial-plan', cipher: exchange.app.app.platform.cipher, database: 'here' })

describe('a change of what decides where calls go', () => {
  test('a change is in force for the next call of every process, though no notification comes', async () => {
    const processes = [aProcess(), aProcess()]
    for (const each of processes) expect((await planOf(each)).numbers.get(MAIN_NUMBER)?.user).toBe(alice)
    await exchange.write('connect.telco.number', number, { user: bob })
    for (const each of processes) expect((await planOf(each)).numbers.get(MAIN_NUMBER)?.user).toBe(bob)
    await exchange.write('connect.telco.number', number, { user: alice })
    for (const each of processes) expect((await planOf(each)).numbers.get(MAIN_NUMBER)?.user).toBe(alice)
  })

  test('a plan is read once for a change, and not again for calls without one', async () => {
    const plans = aProcess()
    const first = await planOf(plans)
    expect(await planOf(plans)).toBe(first)
    await exchange.write('connect.telco.number', number, { language: 'de-DE' })
    const second = await planOf(plans)
    expect(second).not.toBe(first)
    expect(await planOf(plans)).toBe(second)
  })

  test('a plan counts that a standby has, which took over without the last change', async () => {
    const plans = aProcess()
    await exchange.write('connect.telco.number', number, { user: bob })
    expect((await planOf(plans)).numbers.get(MAIN_NUMBER)?.user).toBe(bob)
    const at = await version()
    // What is lost with the server is the change and its count, and the next change is counted by the same number.
    await exchange.write('connect.telco.number', number, { user: alice })
    await exchange.app.db.query(sql`update connect_dial_plan set version = ${at - 1}`)
    await plans.changed()
    expect((await planOf(plans)).numbers.get(MAIN_NUMBER)?.user).toBe(alice)
    await exchange.app.db.query(sql`update connect_dial_plan set version = ${at}`)
    expect((await planOf(plans)).numbers.get(MAIN_NUMBER)?.user).toBe(alice)
  })

  test('a change counts when it is committed, and one that is taken back counts for nothing', async () => {
    const plans = aProcess()
    const before = await planOf(plans)
    const at = await version()
    await expect(
      exchange.app.db.transaction(async (tx) => {
        await tx.query(sql`update connect_telco_number set "user" = ${bob}::bigint where id = ${number}::bigint`)
        throw new Error('taken back')
      }),
    ).rejects.toThrow('taken back')
    expect(await version()).toBe(at)
    expect(await planOf(plans)).toBe(before)
  })

  test('each table that the plan is read from counts once in a transaction, however many rows change', async () => {
    const tables = [
      ...[
        'connect_telco_number',
        'connect_telco_exten',
        'connect_telco_domain',
        'connect_telco_callflow',
        'connect_user',
      ],
      ...['connect_telco_callflow_choice', 'connect_telco_callflow_ring_users_rel', 'connect_telco_business_hours'],
      ...['connect_telco_opening', 'connect_telco_holiday', 'connect_telco_markup', 'connect_telco_outgoing_callerid'],
      ...['connect_telco_user_callflow', 'connect_voiceai_agent', 'connect_voiceai_file'],
      'connect_telco_callflow_ring_mobiles_rel',
    ]
    const exten = await exchange.extension('101', `connect.user,${alice}`)
    const hours = await exchange.create('connect.telco.business_hours', { name: 'Office', tz: 'Europe/Zurich' })
    await exchange.create('connect.telco.opening', { business_hours: hours, dayofweek: '0', hour_from: 8, hour_to: 12 })
    await exchange.create('connect.telco.holiday', { business_hours: hours, name: 'Day', date_from: '2026-12-25' })
    await exchange.create('connect.telco.outgoing_callerid', { number: '+14155550111', friendly_name: 'Main' })
    await exchange.create('connect.telco.markup', { name: 'Hello', markup: '<Response><Say>Hi</Say></Response>' })
    const mobile = await exchange.create('connect.telco.exten', { number: '102', mobile_number: '+41791234567' })
    await exchange.flow({
      ring_users: [alice],
      ring_mobiles: [mobile],
      choices: [[0, 0, { choice_digits: '1', exten }]],
      gather_input: true,
    })
    await exchange.agent()
    await exchange.app.db.query(sql`insert into connect_voiceai_file (text, filename) values ('Hi', 'hi.mp3')`)
    for (const table of tables) {
      const at = await version()
      const name = sql.identifier(table)
      const column = sql.identifier(table.endsWith('_rel') ? 'callflow_id' : 'id')
      const rows = await exchange.app.db.query(sql`update ${name} set ${column} = ${column} returning 1 as one`)
      expect(rows.length, table).toBeGreaterThan(0)
      expect(await version(), table).toBe(at + 1)
    }
  })
})

describe('a process that starts without its database', () => {
  const call = async (route = routeNumber, form: Record<string, string> = {}) => {
    const { callId: _call, ...request } = await exchange.request({ callId: 0, form })
    return undecidedCall(request, undefined, route)
  }

  test('a process without its database has the plan and the settings that were saved last, and the file is encrypted and only for its owner', async () => {
    const before = aProcess(sealed())
    await before.changed()
    await exchange.write('connect.telco.number', number, { user: bob })
    await before.changed()
    await before.saved()
    const file = path.join(dataDir, 'last-dial-plan.sealed')
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(readFileSync(file, 'utf8')).not.toMatch(/bob|5550199/)

    const { last } = aProcess(sealed())
    if (last === undefined) throw new Error('nothing was saved')
    const markup = decideFromMemory({ ...last, now: new Date() }, await call())
    expect(markup).toContain('<Identity>bob@')
    expect(markup).toContain(`callerId="${CUSTOMER}"`)
    expect(aProcess().last).toBeUndefined()
    await exchange.write('connect.telco.number', number, { user: alice })
  })

  test('a file that another release wrote in another shape is no plan, and keeps no process from starting', async () => {
    for (const strange of [
      { row: { version: 1, numbers: [null] }, settings: {} },
      { row: {} },
      { row: 7 },
      [],
      'x',
      null,
    ]) {
      await sealed().write(strange)
      expect(aProcess(sealed()).last, JSON.stringify(strange)).toBeUndefined()
    }
  })

  test('a process without its database calls outside for a colleague, and never for a stranger, whom nobody counts', async () => {
    const callerId = await exchange.create('connect.telco.outgoing_callerid', {
      number: '+14155550122',
      friendly_name: 'Default',
    })
    await exchange.app.db.query(
      sql`update connect_telco_outgoing_callerid set is_default = true where id = ${callerId}::bigint`,
    )
    const plans = aProcess()
    await planOf(plans)
    const { last } = plans
    if (last === undefined) throw new Error('no plan was read')
    const asked = { ...last, now: new Date() }
    const to = { To: 'sip:+14155550777@x', Called: 'sip:+14155550777@x' }
    const colleague = await call(routeDomain, { From: `sip:alice@${HOST}`, ...to })
    expect(decideFromMemory(asked, colleague)).toContain('>+14155550777</Number>')
    const stranger = await call(routeDomain, { From: 'sip:mallory@elsewhere.example', ...to })
    expect(decideFromMemory(asked, stranger)).not.toContain('<Dial')
  })
})

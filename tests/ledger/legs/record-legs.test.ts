import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../../src/database/drizzle.ts'
import { parseCallEvent } from '../../../src/ledger/legs/leg-event.ts'
import { type RecordedLeg, recordLegs } from '../../../src/ledger/legs/record-legs.ts'
import { envOf } from '../../../src/platform/api/rpc.ts'
import { recordStatements } from '../../support/plans.ts'
import { inLists, randomFrom, shuffled } from '../../support/random-lists.ts'
import { TestApp } from '../../support/test-app.ts'
import { type Form, SCENARIOS } from '../scenarios.ts'

const ORDERS = 12
/** Events that are recorded at once. */
const LIST_MAX = 6

let app: TestApp

beforeAll(async () => {
  app = await TestApp.start()
})
afterAll(() => app.stop())

describe.each(SCENARIOS)('$name', ({ callbacks }) => {
  it('leaves the same rows for every order and any repeats', async () => {
    const random = randomFrom(callbacks.length)
    let first: unknown
    for (let round = 0; round < ORDERS; round += 1) {
      // The first round is the order of the provider, the others are not.
      const order = round === 0 ? [...callbacks] : shuffled(withRepeats(callbacks, random), random)
      // Every third round hands several events over at once.
      for (const forms of inLists(order, round % 3 === 2 ? LIST_MAX : 1, random)) await record(...forms)
      const rows = await ledger()
      first ??= rows
      expect(rows).toEqual(first)
      expect(await app.count('connect_call')).toBe(1)
      await clear()
    }
  })
})

describe('legs of one call at the same time', () => {
  it('make one call', async () => {
    const [scenario] = SCENARIOS
    const forms = scenario?.callbacks ?? []
    await Promise.all([...forms, ...forms, ...forms].map((form) => record(form)))
    expect(await app.count('connect_call')).toBe(1)
    expect(await app.count('connect_channel')).toBe(new Set(forms.map((form) => form.CallSid)).size)
  })
})

describe('events of several calls in one list', () => {
  it('leave the same rows as one after another, and are answered in their order', async () => {
    await clear()
    const forms = SCENARIOS.flatMap(({ name, callbacks }) => callbacks.map((form) => ofScenario(name, form)))
    for (const form of forms) await record(form)
    const one = await ledger()
    await clear()
    const answers = await record(...shuffled([...forms], randomFrom(forms.length)))
    expect(await ledger()).toEqual(one)
    const calls = await app.db.query<{ id: number }>(sql`select id from connect_call`)
    expect(new Set(answers.map(({ callId }) => callId))).toEqual(new Set(calls.map(({ id }) => id)))
    const again = await record(...forms)
    const legs = await app.db.query<{ sid: string; call: number }>(sql`select sid, call from connect_channel`)
    const callOf = new Map(legs.map(({ sid, call }) => [sid, call]))
    expect(again.map(({ callId }) => callId)).toEqual(forms.map((form) => callOf.get(form.CallSid ?? '')))
  })
})

describe('two calls that turn out to be one', () => {
  it('two calls that turn out to be one are a call of everybody whom either of them called', async () => {
    await clear()
    const caller = { AccountSid: 'AC1', From: '+14155550100', To: '+14155550199', Direction: 'inbound' }
    const rung = { AccountSid: 'AC1', From: '+14155550100', To: '+14155550123', Direction: 'outbound-dial' }
    const [one] = await record({ ...caller, CallSid: 'CAone', CallStatus: 'in-progress' })
    const [other] = await record({ ...rung, CallSid: 'CAother', CallStatus: 'ringing' })
    expect(other?.callId).not.toBe(one?.callId)
    const person = await app.person([])
    const phone = await app.admin.ask<number>('connect.user', 'create', {
      vals_list: { user: person.userId, username: 'bob', sip_enabled: false, client_enabled: false },
    })
    const [first, second] = [one?.callId ?? 0, other?.callId ?? 0]
    await app.db.query(sql`insert into connect_call_called_users_rel (call_id, user_id)
      select c, ${person.userId}::bigint from unnest(array[${first}::bigint, ${second}::bigint]) c`)
    await app.db.query(sql`insert into connect_call_called_users_rel (call_id, user_id)
      values (${second}::bigint, ${app.admin.userId}::bigint)`)
    await app.db.query(sql`insert into connect_call_called_pbx_users_rel (call_id, pbx_user_id)
      values (${second}::bigint, ${phone}::bigint)`)
    await record({ ...rung, CallSid: 'CAother', ParentCallSid: 'CAone', CallStatus: 'completed' })
    const calls = await app.admin.ask<object[]>('connect.call', 'search_read', {
      fields: ['called_users', 'called_pbx_users'],
    })
    expect(calls).toEqual([
      {
        id: first,
        called_users: [app.admin.userId, person.userId].toSorted((a, b) => a - b),
        called_pbx_users: [phone],
      },
    ])
  })
})

describe('lists of events of the same calls at the same time', () => {
  const forms = SCENARIOS.flatMap(({ name, callbacks }) => callbacks.map((form) => ofScenario(name, form)))

  it('lists of events in opposite orders end in the same rows, no matter who comes first', async () => {
    await clear()
    for (const form of forms) await record(form)
    const one = await ledger()
    for (let round = 0; round < ORDERS; round += 1) {
      await clear()
      const random = randomFrom(round + 1)
      const order = shuffled([...forms], random)
      const lists = [...inLists(order, LIST_MAX, random), ...inLists(order.toReversed(), LIST_MAX, random)]
      await Promise.all(lists.map((list) => record(...list)))
      expect(await ledger()).toEqual(one)
    }
  })

  it('locks are waited for once in a transaction, and in one order, so that nobody waits in a circle', async () => {
    await clear()
    const random = randomFrom(forms.length)
    const ran = await recordStatements(app.db, async () => {
      for (const list of inLists(shuffled([...forms], random), LIST_MAX, random)) await record(...list)
    })
    const waits = ran.filter(({ name }) => name === 'ledger_lock' || name === 'leg_family')
    const locks = waits.filter(({ name }) => name === 'ledger_lock').map(({ values: [keys] }) => keys as string[])
    expect(locks.some((keys) => keys.length > 2)).toBe(true)
    for (const keys of locks) expect(keys).toEqual([...new Set(keys)].sort())
    // Each transaction locks, and then reads: never does a lock follow what was read.
    expect(waits.filter(({ name }, at) => name === 'ledger_lock' && waits[at + 1]?.name !== 'leg_family')).toEqual([])
  })
})

/** The legs of each scenario are others. */
function ofScenario(name: string, form: Form): Form {
  const own = (sid: string | undefined) => (sid === undefined ? {} : { sid: `${name} ${sid}`.slice(0, 64) })
  const { sid: CallSid } = own(form.CallSid)
  const { sid: ParentCallSid } = own(form.ParentCallSid)
  return { ...form, ...(CallSid && { CallSid }), ...(ParentCallSid && { ParentCallSid }) }
}

async function record(...forms: readonly Form[]): Promise<RecordedLeg[]> {
  const events = forms.map((form) => parseCallEvent(form)).filter((event) => event !== undefined)
  const { platform, identities } = app.app
  const [settings, identity] = [await platform.settings.get(), await identities.webhook()]
  return app.db.transaction((tx) => recordLegs(envOf({ platform, settings, identity }, tx), events))
}

async function clear(): Promise<void> {
  await app.db.query(sql`delete from connect_channel`)
  await app.db.query(sql`delete from connect_call`)
}

/** Everything of the ledger but ids and times of writing. */
async function ledger(): Promise<unknown> {
  const calls = await app.db.query(
    sql`select caller, called, direction, call_type, status, duration, partner, caller_pbx_user, answered_pbx_user,
          has_error, error_code, error_message, call_sid, outcome, legs_outcome, legs_strip, started_at, answered_at,
          ended_at, wait_seconds, end_reason from connect_call order by call_sid`,
  )
  const legs = await app.db.query(
    sql`select l.sid, l.parent_sid, p.sid as parent, l.caller, l.called, l."to", l.caller_number, l.called_number,
          l.technical_direction, l.status, l.duration, l.call_type, l.started_at, l.answered_at, l.ended_at, l.error_code,
          l.call is not null as has_call from connect_channel l left join connect_channel p on p.id = l.parent_channel order by l.sid`,
  )
  return { calls, legs }
}

function withRepeats(forms: readonly Form[], random: () => number): Form[] {
  return forms.flatMap((form) => (random() < 0.4 ? [form, form] : [form]))
}

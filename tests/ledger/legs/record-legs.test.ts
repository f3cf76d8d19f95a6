import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../../src/database/drizzle.ts'
import { parseCallEvent } from '../../../src/ledger/legs/leg-event.ts'
import { recordCallEvent } from '../../../src/ledger/legs/record-legs.ts'
import { envOf } from '../../../src/platform/api/rpc.ts'
import { TestApp } from '../../support/test-app.ts'
import { type Form, SCENARIOS } from '../scenarios.ts'

const ORDERS = 12

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
      for (const form of order) await record(form)
      const rows = await ledger()
      first ??= rows
      expect(rows).toEqual(first)
      expect(await app.count('connect_call')).toBe(1)
      await app.db.query(sql`delete from connect_channel`)
      await app.db.query(sql`delete from connect_call`)
    }
  })
})

describe('legs of one call at the same time', () => {
  it('make one call', async () => {
    const [scenario] = SCENARIOS
    const forms = scenario?.callbacks ?? []
    await Promise.all([...forms, ...forms, ...forms].map(record))
    expect(await app.count('connect_call')).toBe(1)
    expect(await app.count('connect_channel')).toBe(new Set(forms.map((form) => form.CallSid)).size)
  })
})

async function record(form: Form): Promise<void> {
  const event = parseCallEvent(form)
  if (event === undefined) return
  const { platform, identities } = app.app
  const [settings, identity] = [await platform.settings.get(), await identities.webhook()]
  await app.db.transaction((tx) => recordCallEvent(envOf({ platform, settings, identity }, tx), event))
}

/** Everything of the ledger but ids and times of writing. */
async function ledger(): Promise<unknown> {
  const calls = await app.db.query(
    sql`select caller, called, direction, call_type, status, duration, partner, caller_pbx_user, answered_pbx_user,
          has_error, error_code, error_message, call_sid from connect_call order by call_sid`,
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

function shuffled<Item>(items: Item[], random: () => number): Item[] {
  return items
    .map((item) => ({ item, at: random() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ item }) => item)
}

/** A small generator with a seed, so that a failure can be repeated. */
function randomFrom(seed: number): () => number {
  let state = seed * 2654435761
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}

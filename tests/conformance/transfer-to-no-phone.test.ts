// An agent puts callers through to people of whom no phone rings.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { domainOf } from '../../web/calls/calls-search.ts'
import { FakeTelcoClient } from '../fixtures/telco-client.ts'
import { callback, type Leg, newSid, Office } from '../support/telco-office.ts'
import type { Caller } from '../support/test-app.ts'

const CONNECT_USER = ['connect.group_user']
const AGENT = 'sip:agent@sip.rtc.elevenlabs.io:5060;transport=tcp'
const REFUSED = { error: 'This extension cannot take calls at the moment.' }

const client = new FakeTelcoClient()
let office: Office
let callers = 0

beforeAll(async () => {
  office = await Office.start({ telcoClient: client })
})
beforeEach(() => {
  client.redirects.length = 0
})
afterAll(() => office.stop())

/** A colleague without a phone, reached by an extension that agents may transfer to. */
async function withoutPhone(number: string, values: object = {}) {
  const person = await office.app.person(CONNECT_USER, { name: `Person ${number}` })
  const user = await office.create('connect.user', { user: person.userId, client_enabled: false, ...values })
  return { person, user, number }
}

/** A call that an agent has answered; `over` ends it. */
async function withAgent(): Promise<{ root: Leg; over: (...more: Leg[]) => Promise<void> }> {
  callers += 1
  const root: Leg = { sid: newSid(), from: `+1415555${String(3_000 + callers)}` }
  const agent: Leg = { sid: newSid(), parent: root.sid, direction: 'outbound-dial', from: root.from ?? '', to: AGENT }
  await office.reports(callback(root, 'in-progress'), callback(agent, 'in-progress', { seconds: 1 }))
  return {
    root,
    async over() {
      await office.reports(
        callback(agent, 'completed', { sequence: 2, seconds: 30, CallDuration: '29' }),
        callback(root, 'completed', { sequence: 3, seconds: 40, CallDuration: '40' }),
      )
    },
  }
}

function transfer({ sid }: Leg, exten: string) {
  return office.app.tool('/connect_voiceai/transfer', { channel_sid: sid, exten })
}

const shown = ['outcome', 'called_users', 'needs_callback', 'not_taken_over']

async function waitsFor(who: Caller, call: number): Promise<boolean> {
  const waiting = await who.ask<{ ids: number[] }[]>('connect.call', 'to_call_back', { limit: 100 })
  return waiting.some(({ ids }) => ids.includes(call))
}

async function expectToWait(root: Leg, person: Caller & { userId: number }): Promise<number> {
  const call = await office.call(root.sid, shown)
  expect(call).toMatchObject({ outcome: 'agent', called_users: [person.userId], needs_callback: true })
  expect(call).toMatchObject({ not_taken_over: true })
  expect(await waitsFor(person, call.id)).toBe(true)
  return call.id
}

describe('a caller whom an agent puts through to a person of whom no phone rings', () => {
  it('waits to be called back by that person, who is told, though the transfer was refused', async () => {
    const { person, user } = await withoutPhone('301')
    const other = await office.app.person(CONNECT_USER, { name: 'Olive' })
    await office.extension('301', 'connect.user', user, { is_published: true })
    const { root, over } = await withAgent()
    const answer = await transfer(root, '301')
    expect([answer.status, answer.body]).toEqual([503, REFUSED])
    expect(client.redirects).toEqual([])
    // Asked again it is the same.
    expect((await transfer(root, '301')).status).toBe(503)
    await over()
    const call = await expectToWait(root, person)
    expect(await waitsFor(other, call)).toBe(false)
    const missed = { domain: [['kind', '=', 'missed']], fields: ['ref'] }
    expect(await person.ask('connect.notice', 'search_read', missed)).toHaveLength(1)
    const found = await office.app.admin.ask<number[]>('connect.call', 'search', {
      domain: domainOf({ outcome: 'not_taken_over' }, new Date(), 'UTC'),
    })
    expect(found).toContain(call)
    const { sentence } = await person.ask<{ sentence: string }>('connect.call', 'explain', { ids: [call] })
    expect(sentence).toBe('The agent wanted to transfer the caller to Person 301, but no phone rings there.')
  })

  it('waits where the caller was asked for a message and left none', async () => {
    const { person, user } = await withoutPhone('302', { voicemail_enabled: true })
    await office.extension('302', 'connect.user', user, { is_published: true })
    const { root, over } = await withAgent()
    expect((await transfer(root, '302')).status).toBe(200)
    expect(client.redirects[0]?.markup).toContain('<Record')
    await over()
    await expectToWait(root, person)
  })

  it('waits where it is a group of whom nobody can ring', async () => {
    const { person, user } = await withoutPhone('303')
    const flow = await office.flow({ ring_users: [user] })
    await office.extension('304', 'connect.telco.callflow', flow, { is_published: true })
    const { root, over } = await withAgent()
    expect((await transfer(root, '304')).status).toBe(200)
    await over()
    await expectToWait(root, person)
  })

  it('waits for nobody where a colleague took the call after all', async () => {
    const { person, user } = await withoutPhone('305')
    await office.user('carla', '306')
    await office.extension('305', 'connect.user', user, { is_published: true })
    const { root, over } = await withAgent()
    expect((await transfer(root, '305')).status).toBe(503)
    const carla: Leg = { ...root, sid: newSid(), parent: root.sid, direction: 'outbound-dial', to: 'client:carla' }
    await office.reports(
      callback(carla, 'in-progress', { seconds: 31 }),
      callback(carla, 'completed', { sequence: 2, seconds: 39, CallDuration: '8' }),
    )
    await over()
    const call = await office.call(root.sid, shown)
    expect(call).toMatchObject({ outcome: 'agent_person', needs_callback: false, not_taken_over: false })
    expect(await waitsFor(person, call.id)).toBe(false)
  })
})

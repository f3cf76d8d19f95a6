// What the request after a dial says of the leg that was dialled, beside what that leg reports of itself.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CUSTOMER, callback, type Form, HANGUP, type Leg, newSid, Office, requestOf } from '../support/telco-office.ts'

const MOBILE = '+41791234567'

let office: Office
let alice: { id: number; loginId: number }
let gus: { id: number; loginId: number }
let flow: number

beforeAll(async () => {
  office = await Office.start()
  await office.settings({ mobile_countries: 'CH' })
  alice = await office.user('alice', '101')
  gus = await office.user('gus', '102', { mobile_enabled: true, mobile_number: MOBILE })
  flow = await office.flow({ ring_users: [alice.id] })
})
afterAll(() => office.stop())

function dialled(root: Leg, to: string): Leg {
  return { sid: newSid(), parent: root.sid, direction: 'outbound-dial', from: root.from ?? CUSTOMER, to }
}

function afterDial(root: Leg, leg: Leg, form: Form): Form {
  return { ...requestOf(root), CallStatus: 'in-progress', DialCallSid: leg.sid, ...form }
}

async function legExists(sid: string): Promise<boolean> {
  return (await office.list('connect.channel', [['sid', '=', sid]], ['id'])).length > 0
}

describe('a phone that refused', () => {
  const ways = (['user', ''] as const).flatMap((model) =>
    [{}, { DialBridged: 'false' }].flatMap((bridged) =>
      [true, false].flatMap((isFirst) => [
        { model, bridged, isFirst, status: 'busy', reason: 'refused', why: 'refused', outcome: 'busy' },
        { model, bridged, isFirst, status: 'failed', reason: 'not_reached', why: 'not_reached', outcome: 'failed' },
      ]),
    ),
  )
  const routeOf = (model: string) => (model === '' ? 'callaction' : `connect.user/call_action/${alice.id}`)

  it.each(ways)('a call whose phone refused ended for that, though the dial says so too: %j', async (way) => {
    const root: Leg = { sid: newSid() }
    const leg = dialled(root, 'client:alice@acme.sip.twilio.com')
    await office.reports(callback(root, 'ringing'))
    const action = afterDial(root, leg, { DialCallStatus: way.status, ...way.bridged })
    if (way.isFirst) await office.voice(routeOf(way.model), action)
    await office.reports(callback(leg, way.status, { seconds: 9 }))
    if (!way.isFirst) await office.voice(routeOf(way.model), action)
    await office.reports(callback(root, 'completed', { sequence: 3, seconds: 40, CallDuration: '40' }))
    const call = await office.call(root.sid, ['outcome', 'end_reason'])
    expect(call).toMatchObject({ outcome: 'missed', end_reason: way.reason })
    expect(await office.app.admin.ask('connect.call', 'explain', { ids: [call.id] })).toMatchObject({ code: way.why })
  })

  it.each(ways)('a colleague whose phone refused is no one who did not answer: %j', async (way) => {
    const root: Leg = { sid: newSid(), from: 'sip:gus@acme.sip.twilio.com', to: 'sip:101@acme.sip.twilio.com' }
    const leg = dialled(root, 'client:alice@acme.sip.twilio.com')
    await office.reports(callback(root, 'ringing'), callback(leg, way.status, { seconds: 9 }))
    await office.voice(routeOf(way.model), afterDial(root, leg, { DialCallStatus: way.status, ...way.bridged }))
    await office.reports(callback(root, 'completed', { sequence: 3, seconds: 40, CallDuration: '40' }))
    const call = await office.call(root.sid, ['direction', 'outcome', 'end_reason'])
    expect(call).toMatchObject({ direction: 'internal', outcome: way.outcome, end_reason: way.reason })
  })
})

describe('a mobile whose key was answered and not stored, as while the database was away', () => {
  const routes = ['user', 'flow', 'callaction'] as const
  const routeOf = (route: (typeof routes)[number]) =>
    ({
      user: `connect.user/call_action/${gus.id}`,
      flow: `connect.telco.callflow/call_action/${flow}`,
      callaction: 'callaction',
    })[route]

  async function ring(route: (typeof routes)[number], { isFirst, form }: { isFirst: boolean; form: Form }) {
    const root: Leg = { sid: newSid() }
    const leg = dialled(root, MOBILE)
    const action = afterDial(root, leg, { DialCallStatus: 'completed', ...form })
    await office.reports(callback(root, 'ringing'), callback(leg, 'initiated', { seconds: 1 }))
    if (isFirst) await office.voice(routeOf(route), action)
    await office.reports(callback(leg, 'completed', { sequence: 1, seconds: 60, CallDuration: '50' }))
    if (!isFirst) await office.voice(routeOf(route), action)
    await office.reports(callback(root, 'completed', { sequence: 3, seconds: 61, CallDuration: '61' }))
    return office.call(root.sid, ['outcome', 'end_reason', 'answered_user', 'needs_callback'])
  }

  const ways = routes.flatMap((route) => [true, false].map((isFirst) => ({ route, isFirst })))

  it.each(ways)(
    'a mobile whose key was not stored is a person who answered where the dial connected two people: %j',
    async ({ route, isFirst }) => {
      const call = await ring(route, { isFirst, form: { DialBridged: 'true', DialCallDuration: '50' } })
      expect(call).toMatchObject({ outcome: 'person', end_reason: 'ended', needs_callback: false })
      expect(call.answered_user).toEqual([gus.loginId, expect.any(String)])
    },
  )

  it.each(ways)('a mobile is not answered by its voicemail, which the dial connected with nobody: %j', async (way) => {
    const call = await ring(way.route, { ...way, form: { DialBridged: 'false' } })
    expect(call).toMatchObject({ outcome: 'missed', answered_user: null, needs_callback: true })
  })
})

describe('a leg that only the request after its dial names', () => {
  const connected = { DialCallStatus: 'completed', DialBridged: 'true', DialCallDuration: '37' }
  const models = ['connect.user', 'connect.telco.callflow', 'connect.callflow', 'connect.telco.exten']

  it.each(models)('nothing is written for a call that is not known, and an id that nobody has: %s', async (model) => {
    const root: Leg = { sid: newSid() }
    const leg = dialled(root, MOBILE)
    const answer = await office.voice(`${model}/call_action/999999`, afterDial(root, leg, connected))
    expect(answer).toBe(HANGUP)
    expect(await Promise.all([root.sid, leg.sid].map(legExists))).toEqual([false, false])
  })

  it('no leg begins for an id that nobody has, in a call that is known', async () => {
    const root: Leg = { sid: newSid() }
    const leg = dialled(root, MOBILE)
    await office.reports(callback(root, 'ringing'))
    expect(await office.voice('connect.user/call_action/999999', afterDial(root, leg, connected))).toBe(HANGUP)
    expect(await legExists(leg.sid)).toBe(false)
  })

  it('no leg begins for a call that is not known', async () => {
    const root: Leg = { sid: newSid() }
    const leg = dialled(root, MOBILE)
    await office.voice(`connect.user/call_action/${alice.id}`, afterDial(root, leg, connected))
    expect(await legExists(leg.sid)).toBe(false)
  })

  it('a flow that rang, by its new name and its old one, makes the leg known', async () => {
    for (const model of ['connect.telco.callflow', 'connect.callflow']) {
      const root: Leg = { sid: newSid() }
      const leg = dialled(root, MOBILE)
      await office.reports(callback(root, 'ringing'))
      await office.voice(`${model}/call_action/${flow}`, afterDial(root, leg, connected))
      expect(await office.leg(leg.sid, ['status', 'duration'])).toMatchObject({ status: 'completed', duration: 37 })
    }
  })
})

// Call status callbacks: docs/reference/contract.md#telephony-webhooks, docs/reference/domain.md#call-status.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ledgerCounts } from '../support/telco.ts'
import { CUSTOMER, callback, newSid, Office, OUR_NUMBER, requestOf, storedTime } from '../support/telco-office.ts'
import { eventually } from '../support/test-app.ts'

let office: Office

beforeAll(async () => {
  office = await Office.start()
})
afterAll(() => office.stop())

describe('the answer', () => {
  it('callstatus answers the id of the call as text', async () => {
    const sid = newSid()
    const text = await office.report('callstatus', callback({ sid }, 'ringing'))
    const call = await office.call(sid, [])
    expect(text).toBe(String(call.id))
  })

  it('callstatus answers the same for every leg of the call', async () => {
    const root = { sid: newSid() }
    const id = await office.reports(callback(root, 'ringing'))
    const child = { sid: newSid(), parent: root.sid, direction: 'outbound-dial' as const, to: '+14155550177' }
    expect(await office.reports(callback(child, 'initiated'))).toBe(id)
  })

  it('callstatus answers False when no call could be determined, and the leg waits for its parent', async () => {
    const child = { sid: newSid(), parent: newSid(), direction: 'outbound-dial' as const }
    expect(await office.reports(callback(child, 'initiated'))).toBe('False')
    expect(await office.leg(child.sid, ['call', 'parent_sid', 'parent_channel'])).toMatchObject({
      call: null,
      parent_sid: child.parent,
      parent_channel: null,
    })
  })

  it.each([{}, { CallSid: '' }, { CallSid: '   ' }, { CallSid: 'C'.repeat(65) }])(
    'is False without a usable CallSid (%o), and nothing is written',
    async (fields) => {
      const before = await ledgerCounts(office.app)
      const { CallSid: _none, ...form } = callback({ sid: 'x' }, 'completed')
      expect(await office.report('callstatus', { ...form, ...fields })).toBe('False')
      expect(await ledgerCounts(office.app)).toEqual(before)
    },
  )

  it('a callstatus is logged as a delivery that belongs to the call', async () => {
    const sid = newSid()
    const id = await office.reports(callback({ sid }, 'ringing'))
    const delivery = await eventually(async () => {
      const rows = await office.list('connect.delivery', [['call_sid', '=', sid]], ['verdict', 'call_ref', 'reply'])
      return rows[0]
    })
    expect(delivery).toMatchObject({ verdict: 'handled', call_ref: Number(id), reply: id })
  })
})

describe('a status for an unknown CallSid', () => {
  it('creates the leg and its call', async () => {
    const sid = newSid()
    const seconds = 37
    await office.reports(callback({ sid }, 'completed', { seconds, CallDuration: '37', Duration: '1' }))
    expect(await office.leg(sid, LEG)).toMatchObject({
      sid,
      status: 'completed',
      technical_direction: 'inbound',
      caller: CUSTOMER,
      called: OUR_NUMBER,
      to: OUR_NUMBER,
      caller_number: CUSTOMER,
      called_number: OUR_NUMBER,
      duration: 37,
      duration_human: '00:37',
      call_type: 'phone',
      ended_at: storedTime(seconds),
    })
    expect(await office.call(sid, CALL)).toMatchObject({
      status: 'completed',
      direction: 'incoming',
      caller: CUSTOMER,
      called: OUR_NUMBER,
      duration: 37,
      call_sid: sid,
      has_error: false,
    })
  })

  it.each([
    ['inbound', 'incoming'],
    ['outbound-api', 'outgoing'],
    ['outbound-dial', 'outgoing'],
  ] as const)('a status for an unknown CallSid of the direction %s makes an %s call', async (direction, expected) => {
    const sid = newSid()
    await office.reports(callback({ sid, direction }, 'ringing'))
    expect(await office.call(sid, ['direction'])).toMatchObject({ direction: expected })
  })

  it('a form that names no status makes no leg', async () => {
    const sid = newSid()
    expect(await office.report('callstatus', { CallSid: sid })).toBe('False')
    expect(await office.list('connect.channel', [['sid', '=', sid]], ['status'])).toEqual([])
  })

  it.each(['Completed', 'COMPLETED', ' completed'])('the status %j of a call is read as completed', async (status) => {
    const sid = newSid()
    await office.reports({ ...callback({ sid }, 'completed', { seconds: 4 }), CallStatus: status })
    expect(await office.leg(sid, ['status'])).toMatchObject({ status: 'completed' })
  })
})

const LEG = [
  ...['sid', 'status', 'technical_direction', 'caller', 'called', 'to', 'caller_number', 'called_number', 'duration'],
  ...['duration_human', 'call_type', 'ended_at', 'answered_at', 'started_at', 'call', 'parent_channel'],
]
const CALL = ['status', 'direction', 'caller', 'called', 'duration', 'call_sid', 'has_error', 'call_type', 'channels']

describe('order and repeats', () => {
  it('a repeated callback changes nothing', async () => {
    const root = { sid: newSid() }
    const form = callback(root, 'completed', { sequence: 3, seconds: 40, CallDuration: '40' })
    const id = await office.reports(form)
    const before = [await office.leg(root.sid, LEG), await office.call(root.sid, CALL), await ledgerCounts(office.app)]
    expect(await office.reports(form, form)).toBe(id)
    expect([
      await office.leg(root.sid, LEG),
      await office.call(root.sid, CALL),
      await ledgerCounts(office.app),
    ]).toEqual(before)
  })

  it('a late ringing does not reopen a completed leg', async () => {
    const root = { sid: newSid() }
    const child = { sid: newSid(), parent: root.sid, direction: 'outbound-dial' as const, to: '+14155550177' }
    await office.reports(
      callback(root, 'ringing'),
      callback(child, 'completed', { sequence: 3, seconds: 40, CallDuration: '30' }),
      callback(root, 'completed', { sequence: 1, seconds: 41, CallDuration: '41' }),
      callback(child, 'ringing', { sequence: 1, seconds: 5 }),
      callback(child, 'in-progress', { sequence: 2, seconds: 10 }),
      requestOf(root),
    )
    expect(await office.leg(child.sid, LEG)).toMatchObject({
      status: 'completed',
      duration: 30,
      started_at: storedTime(5),
      answered_at: storedTime(10),
      ended_at: storedTime(40),
    })
    expect(await office.call(root.sid, CALL)).toMatchObject({ status: 'completed', duration: 41 })
  })

  it('an end is never followed by another one of a smaller duration', async () => {
    const root = { sid: newSid() }
    await office.reports(
      callback(root, 'completed', { sequence: 3, CallDuration: '41' }),
      callback(root, 'completed', { sequence: 4, CallDuration: '7' }),
    )
    expect(await office.leg(root.sid, LEG)).toMatchObject({ duration: 41 })
  })

  it('the earliest answer counts', async () => {
    const root = { sid: newSid() }
    await office.reports(
      callback(root, 'in-progress', { sequence: 2, seconds: 20 }),
      callback(root, 'in-progress', { sequence: 1, seconds: 12 }),
    )
    expect(await office.leg(root.sid, LEG)).toMatchObject({ status: 'in-progress', answered_at: storedTime(12) })
  })

  it('keeps what is known when a callback leaves it blank', async () => {
    const root = { sid: newSid() }
    const blank = { From: '', To: '', Caller: '', Called: '', Direction: '', CallDuration: '' }
    await office.reports(callback(root, 'ringing'), callback(root, 'in-progress', blank))
    expect(await office.leg(root.sid, LEG)).toMatchObject({
      caller: CUSTOMER,
      called: OUR_NUMBER,
      to: OUR_NUMBER,
      technical_direction: 'inbound',
    })
  })

  it('takes `answered`, the name of the event, for the status in-progress', async () => {
    const sid = newSid()
    await office.reports(callback({ sid }, 'answered'))
    expect(await office.leg(sid, LEG)).toMatchObject({ status: 'in-progress' })
  })

  it('ignores a status that nobody knows, but not the leg', async () => {
    const sid = newSid()
    await office.reports(callback({ sid }, 'ringing'), callback({ sid }, 'teleported'))
    expect(await office.leg(sid, LEG)).toMatchObject({ status: 'ringing' })
  })
})

describe('a leg whose parent', () => {
  const dialled = { direction: 'outbound-dial' as const, to: '+14155550177' }

  it('a leg whose parent is not known yet is linked and joined when that shows up', async () => {
    const root = { sid: newSid() }
    const child = { sid: newSid(), parent: root.sid, ...dialled }
    const grandchild = { sid: newSid(), parent: child.sid, ...dialled }
    expect(await office.reports(callback(grandchild, 'completed', { CallDuration: '5' }))).toBe('False')
    expect(await office.reports(callback(child, 'completed', { CallDuration: '8' }))).toBe('False')
    const id = await office.reports(callback(root, 'in-progress'))
    const legs = await office.list('connect.channel', [['call', '=', Number(id)]], ['sid', 'parent_channel'])
    const parents = new Map(legs.map((leg) => [leg.sid, (leg.parent_channel as [number, string] | null)?.[1]]))
    expect(parents).toEqual(
      new Map([
        [root.sid, undefined],
        [child.sid, root.sid],
        [grandchild.sid, child.sid],
      ]),
    )
    // The last event of a leg finds the call like any other.
    expect(await office.reports(callback(grandchild, 'completed', { sequence: 1 }))).toBe(id)
  })

  it('a leg whose parent was left out at first becomes part of the call, with all that hangs on it', async () => {
    const root = { sid: newSid() }
    const child = { sid: newSid(), ...dialled }
    const grandchild = { sid: newSid(), parent: child.sid, ...dialled }
    const wrong = await office.reports(callback(child, 'ringing'), callback(grandchild, 'ringing'))
    await office.report('recordingstatus', {
      RecordingSid: newSid('RE'),
      CallSid: child.sid,
      RecordingStatus: 'completed',
      RecordingUrl: 'https://api.twilio.com/2010-04-01/Accounts/AC1/Recordings/RE1',
    })
    await office.app.admin.ask('connect.call', 'message_post', { ids: [Number(wrong)], body: 'Remember this' })
    const id = await office.reports(callback(root, 'in-progress'))
    expect(id).not.toBe(wrong)
    expect(await office.reports(callback({ ...child, parent: root.sid }, 'in-progress'))).toBe(id)
    const legs = await office.list('connect.channel', [['call', '=', Number(id)]], ['sid'])
    expect(legs.map((leg) => leg.sid).toSorted()).toEqual([root.sid, child.sid, grandchild.sid].toSorted())
    expect(await office.list('connect.call', [['id', '=', Number(wrong)]], [])).toEqual([])
    expect(await office.only('connect.recording', [['call_sid', '=', child.sid]], ['call'])).toMatchObject({
      call: [Number(id), expect.any(String)],
    })
    expect(await office.posts('connect.call', Number(id))).toEqual(['<p>Remember this</p>'])
  })

  it('a leg whose parent was left out at first makes one call with the others, also when all are told at once', async () => {
    for (let round = 0; round < 8; round += 1) {
      const root = { sid: newSid() }
      const child = { sid: newSid(), parent: root.sid, ...dialled }
      const grandchild = { sid: newSid(), parent: child.sid, ...dialled }
      const late = { sid: newSid(), parent: root.sid, ...dialled }
      const ended = { sequence: 3, CallDuration: '9' }
      const { parent: _none, ...orphan } = child
      const forms = [root, orphan, child, grandchild, late].flatMap((leg) => [
        callback(leg, 'ringing'),
        callback(leg, 'completed', ended),
      ])
      await Promise.all(forms.map((form) => office.report('callstatus', form)))
      const call = await office.call(root.sid, ['channels', 'status', 'duration'])
      expect(call).toMatchObject({ status: 'completed', duration: 9 })
      const legs = await office.list('connect.channel', [['call', '=', call.id]], ['sid'])
      expect(new Set(legs.map((leg) => leg.sid))).toEqual(
        new Set([root, child, grandchild, late].map((leg) => leg.sid)),
      )
    }
    expect(await office.list('connect.inbox', [], ['error'])).toEqual([])
  })

  it('names itself as its parent begins a call', async () => {
    const sid = newSid()
    expect(await office.reports(callback({ sid, parent: sid }, 'ringing'))).toMatch(/^\d+$/)
  })

  it('a leg whose parent is its own child neither hangs nor makes a call', async () => {
    const [one, two] = [newSid(), newSid()]
    expect(await office.reports(callback({ sid: one, parent: two }, 'ringing'))).toBe('False')
    expect(await office.reports(callback({ sid: two, parent: one }, 'ringing'))).toBe('False')
  })
})

describe('the status of a call', () => {
  const legOf = (root: string) => ({
    sid: newSid(),
    parent: root,
    direction: 'outbound-dial' as const,
    to: '+1415555017',
  })

  it.each([
    ['completed when any leg completed, though the last one was canceled', ['completed', 'canceled'], 'completed'],
    ['what the legs say when nobody answered', ['no-answer', 'busy'], 'busy'],
  ])('the status of a call is %s', async (_what, ends, expected) => {
    const root = { sid: newSid() }
    await office.reports(callback(root, 'ringing'))
    for (const [at, end] of ends.entries()) {
      await office.reports(callback(legOf(root.sid), end, { seconds: 10 + at, CallDuration: '0' }))
    }
    await office.reports(callback(root, expected === 'completed' ? 'completed' : 'no-answer', { CallDuration: '30' }))
    expect(await office.call(root.sid, CALL)).toMatchObject({ status: expected, duration: 30 })
  })

  it('the status of a call is in-progress while a leg still talks, and its duration that of the first leg', async () => {
    const root = { sid: newSid() }
    const leg = legOf(root.sid)
    await office.reports(callback(root, 'ringing'), callback(leg, 'in-progress', { sequence: 1 }))
    expect(await office.call(root.sid, CALL)).toMatchObject({ status: 'in-progress', duration: 0 })
    await office.reports(
      callback(leg, 'completed', { sequence: 2, CallDuration: '90' }),
      callback(root, 'completed', { CallDuration: '100' }),
    )
    expect(await office.call(root.sid, CALL)).toMatchObject({ status: 'completed', duration: 100 })
  })
})

describe('a provider error', () => {
  const failed = { CallDuration: '0', ErrorCode: '13224', ErrorMessage: 'number <b>not</b> supported' }
  const ERROR = ['has_error', 'error_code', 'error_message']

  it('a provider error of a leg shows on the call', async () => {
    const root = { sid: newSid() }
    const leg = { sid: newSid(), parent: root.sid, direction: 'outbound-dial' as const }
    await office.reports(callback(root, 'ringing'), callback(leg, 'failed', failed), callback(root, 'completed'))
    const expected = { has_error: true, error_code: '13224', error_message: 'number <b>not</b> supported' }
    expect(await office.call(root.sid, ERROR)).toMatchObject(expected)
  })

  it.each(['32009', '0', ''])('"%s" is none: a telephone that is not registered is no fault', async (ErrorCode) => {
    const sid = newSid()
    await office.reports(callback({ sid }, 'failed', { ...failed, ErrorCode }))
    expect(await office.call(sid, ERROR)).toMatchObject({ has_error: false, error_code: null, error_message: null })
  })
})

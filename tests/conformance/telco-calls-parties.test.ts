// Who took part in a call: docs/reference/domain.md#parties-of-a-call, docs/reference/domain.md#contact-by-number.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../src/database/drizzle.ts'
import { CUSTOMER, callback, type Leg, newSid, Office, OUR_NUMBER, SIP_HOST } from '../support/telco-office.ts'

const PARTIES = [
  ...['direction', 'caller', 'called', 'partner', 'caller_user', 'caller_pbx_user', 'answered_user', 'status'],
  ...['answered_pbx_user', 'called_users', 'called_pbx_users', 'call_type'],
]
const sip = (username: string): string => `sip:${username}@${SIP_HOST}`
const client = (username: string): string => `client:${username}@${SIP_HOST}`

let office: Office
let alice: { id: number; loginId: number }
let bob: { id: number; loginId: number }

beforeAll(async () => {
  office = await Office.start()
  alice = await office.user('alice', '101')
  bob = await office.user('bob', '102', { missed_calls_notify: true })
  await office.settings({ country_id: await countryId('CH') })
})
afterAll(() => office.stop())

async function countryId(code: string): Promise<number> {
  return (await office.only('res.country', [['code', '=', code]], [])).id
}

/** A leg that was dialled out of another one. */
function dialled(root: Leg, to: string, from = CUSTOMER): Leg {
  return { sid: newSid(), parent: root.sid, direction: 'outbound-dial', from, to }
}

const linked = (id: number) => [id, expect.any(String)]

describe('numbers of a leg', () => {
  it.each([
    ['+14155550123', '+14155550123'],
    ['anonymous', ''],
    [`sip:alice@${SIP_HOST}`, '101'],
    [`client:alice@${SIP_HOST}`, '101'],
    [`alice@${SIP_HOST}`, '101'],
    [`sip:stranger@${SIP_HOST}`, 'stranger'],
    ['client:12345678', '12345678'],
    ['client:someone', ''],
    ['whatsapp:+14155550123', '+14155550123'],
    ['whatsapp:DE.815799212877', 'DE.815799212877'],
  ])('%s is the number "%s"', async (from, number) => {
    const leg = { sid: newSid(), from }
    await office.reports(callback(leg, 'ringing'))
    const kept = await office.leg(leg.sid, ['caller_number', 'called_number'])
    expect([kept.caller_number ?? '', kept.called_number]).toEqual([number, OUR_NUMBER])
  })

  it('an extension that the provider wrote with a plus is bare again; unknown short numbers keep it', async () => {
    const [known, unknown] = [
      { sid: newSid(), from: '+101' },
      { sid: newSid(), from: '+199' },
    ]
    await office.reports(callback(known, 'ringing'), callback(unknown, 'ringing'))
    expect(await office.leg(known.sid, ['caller', 'caller_number'])).toMatchObject({ caller: '101' })
    expect(await office.leg(unknown.sid, ['caller', 'caller_number'])).toMatchObject({ caller: '+199' })
  })

  it('numbers of a leg are not replaced by the address of the device that rings', async () => {
    const leg = dialled({ sid: newSid() }, '+14155550177')
    await office.reports(
      callback({ sid: leg.parent ?? '' }, 'ringing'),
      callback(leg, 'ringing'),
      callback({ ...leg, to: client('alice') }, 'in-progress'),
    )
    expect(await office.leg(leg.sid, ['called'])).toMatchObject({ called: '+14155550177' })
  })
})

describe('an incoming call', () => {
  it('knows whom it rang, and who answered, from the legs that reached somebody', async () => {
    const root = { sid: newSid() }
    const [toAlice, toBob] = [dialled(root, client('alice')), dialled(root, sip('bob'))]
    await office.reports(
      callback(root, 'ringing'),
      callback(toAlice, 'initiated', { seconds: 1 }),
      callback(toBob, 'initiated', { seconds: 1 }),
      callback(toBob, 'in-progress', { seconds: 8, sequence: 1 }),
      callback(toAlice, 'canceled', { seconds: 8, sequence: 1 }),
      callback(toBob, 'completed', { seconds: 48, sequence: 2, CallDuration: '40' }),
      callback(root, 'completed', { seconds: 49, CallDuration: '49' }),
    )
    expect(await office.call(root.sid, PARTIES)).toMatchObject({
      direction: 'incoming',
      caller: CUSTOMER,
      called: OUR_NUMBER,
      status: 'completed',
      caller_user: null,
      answered_user: linked(bob.loginId),
      answered_pbx_user: linked(bob.id),
      called_users: [alice.loginId, bob.loginId].toSorted((a, b) => a - b),
      called_pbx_users: [alice.id, bob.id].toSorted((a, b) => a - b),
    })
    expect(await office.leg(toBob.sid, ['called_user', 'called_pbx_user'])).toMatchObject({
      called_user: linked(bob.loginId),
      called_pbx_user: linked(bob.id),
    })
  })

  it('an incoming call over WhatsApp keeps numbers without the prefix, and stays one', async () => {
    const root = { sid: newSid(), from: `whatsapp:${CUSTOMER}`, to: `whatsapp:${OUR_NUMBER}` }
    await office.reports(callback(root, 'ringing'), callback({ sid: root.sid }, 'in-progress'))
    const expected = { call_type: 'whatsapp', caller: CUSTOMER, called: OUR_NUMBER }
    expect(await office.leg(root.sid, ['call_type', 'caller', 'called', 'to'])).toMatchObject(expected)
    expect(await office.call(root.sid, PARTIES)).toMatchObject({ ...expected, direction: 'incoming' })
  })
})

describe('a call by one of us', () => {
  it('a call by one of us to the outside is outgoing, with the contact of the called number', async () => {
    const partner = await office.contact('Carla', { phone: '+41313808316' })
    const root = { sid: newSid(), from: sip('alice'), to: `sip:+41313808316@${SIP_HOST}` }
    const out = dialled(root, '+41313808316', OUR_NUMBER)
    await office.reports(callback(root, 'ringing'), callback(out, 'in-progress', { sequence: 1 }))
    expect(await office.call(root.sid, PARTIES)).toMatchObject({
      direction: 'outgoing',
      caller: '101',
      called: '+41313808316',
      partner: linked(partner),
      caller_user: linked(alice.loginId),
      caller_pbx_user: linked(alice.id),
    })
  })

  it('a call by one of us to a colleague is internal', async () => {
    const root = { sid: newSid(), from: client('alice'), to: `sip:102@${SIP_HOST}` }
    const ringing = dialled(root, client('bob'), '101')
    await office.reports(callback(root, 'ringing'))
    expect(await office.call(root.sid, PARTIES)).toMatchObject({ direction: 'outgoing' })
    await office.reports(callback(ringing, 'in-progress', { sequence: 1 }))
    expect(await office.call(root.sid, PARTIES)).toMatchObject({
      direction: 'internal',
      caller: '101',
      called: '102',
      caller_user: linked(alice.loginId),
      called_users: [bob.loginId],
    })
  })

  it('a call by one of us by a click shows the number that the person called', async () => {
    const root: Leg = { sid: newSid(), direction: 'outbound-api', from: OUR_NUMBER, to: client('alice') }
    await office.reports(callback(root, 'in-progress', { sequence: 1 }))
    await office.reports(callback(dialled(root, '+14155550123', OUR_NUMBER), 'in-progress', { sequence: 1 }))
    expect(await office.call(root.sid, PARTIES)).toMatchObject({
      direction: 'outgoing',
      called: '+14155550123',
      caller_user: linked(alice.loginId),
    })
  })
})

describe('the contact of a call', () => {
  let count = 4_000_000
  const newNumber = (): string => {
    count += 1
    return `+4131${count}`
  }

  it.each([
    ['national', (e164: string) => `0${e164.slice(3)}`],
    ['international', (e164: string) => e164],
    ['with 00', (e164: string) => `00${e164.slice(1)}`],
    ['with blanks', (e164: string) => `${e164.slice(0, 3)} ${e164.slice(3, 5)} ${e164.slice(5)}`],
    ['as a WhatsApp address', (e164: string) => `whatsapp:${e164}`],
  ])('the contact of a call is found by a number written %s', async (_form, write) => {
    const e164 = newNumber()
    const partner = await office.contact('Dora', { phone: e164 })
    const root = { sid: newSid(), from: write(e164) }
    await office.reports(callback(root, 'ringing'))
    expect(await office.call(root.sid, ['partner'])).toMatchObject({ partner: linked(partner) })
    expect(await office.leg(root.sid, ['partner'])).toMatchObject({ partner: linked(partner) })
  })

  it('the contact of a call is found by a mobile number that the contact has in national form', async () => {
    const partner = await office.contact('Emil', { mobile: '079 500 09 92' })
    const root = { sid: newSid(), from: '+41795000992' }
    await office.reports(callback(root, 'ringing'))
    expect(await office.call(root.sid, ['partner'])).toMatchObject({ partner: linked(partner) })
  })

  it('the contact of a call is nobody for a withheld number', async () => {
    await office.contact('Anonymous', { phone: 'anonymous' })
    const root = { sid: newSid(), from: 'anonymous' }
    await office.reports(callback(root, 'ringing'))
    expect(await office.call(root.sid, ['partner'])).toMatchObject({ partner: null })
  })

  it('the contact of a call is the same whatever the order of the legs', async () => {
    const numbers = [newNumber(), newNumber()]
    const [first] = [
      await office.contact('First', { phone: numbers[0] }),
      await office.contact('Second', { phone: numbers[1] }),
    ]
    for (const order of [
      [0, 1],
      [1, 0],
    ]) {
      const root = { sid: newSid(), from: 'anonymous' }
      const legs = [0, 1].map((at) => callback(dialled(root, numbers[at] ?? ''), 'ringing', { seconds: 1 + at }))
      await office.reports(callback(root, 'ringing'), ...order.map((at) => legs[at] ?? {}))
      expect(await office.call(root.sid, ['partner'])).toMatchObject({ partner: linked(first) })
    }
  })

  it('the contact of a call that somebody gave the call stays', async () => {
    const chosen = await office.contact('Chosen')
    const called = newNumber()
    await office.contact('Other', { phone: called })
    const root = { sid: newSid(), from: 'anonymous' }
    const id = await office.reports(callback(root, 'ringing'))
    await office.write('connect.call', Number(id), { partner: chosen })
    await office.reports(callback(dialled(root, called), 'ringing'), callback(root, 'completed'))
    expect(await office.call(root.sid, ['partner'])).toMatchObject({ partner: linked(chosen) })
  })
})

describe('a finished call', () => {
  async function finished(ends: string, from: string): Promise<{ id: number; again(): Promise<string> }> {
    const root = { sid: newSid(), from }
    const leg = dialled(root, client('bob'), from)
    const forms = [
      callback(root, 'ringing'),
      callback(leg, 'initiated', { seconds: 1 }),
      callback(leg, ends, { sequence: 2, seconds: 31, CallDuration: '21' }),
      callback(root, ends, { sequence: 1, seconds: 32, CallDuration: '32' }),
    ]
    return { id: Number(await office.reports(...forms)), again: () => office.reports(...forms, ...forms.toReversed()) }
  }

  it('a finished call is registered with its contact once, with everything that matters, escaped', async () => {
    const partner = await office.contact('<b>Fritz</b>', { phone: '+14155550301' })
    const call = await finished('completed', '+14155550301')
    await call.again()
    const posts = await office.posts('res.partner', partner)
    expect(posts).toHaveLength(1)
    const [note = ''] = posts
    for (const part of [
      'Incoming',
      String(call.id),
      'completed',
      'Tuesday, 25 August 2026 at 09:00',
      '+14155550301',
      '00:32',
    ]) {
      expect(note).toContain(part)
    }
    expect(note).toContain('&lt;b&gt;Fritz&lt;/b&gt;')
    expect(note).toContain('Answered by: bob')
    expect(note).toContain('Dialled: bob')
    expect(await office.posts('connect.call', call.id)).toEqual([])
  })

  it('a finished call still tells whose phone rang when that phone is gone and a late report changes its note', async () => {
    const partner = await office.contact('Frida', { phone: '+14155550309' })
    const { id } = await office.user('gone', '109')
    const root = { sid: newSid(), from: '+14155550309' }
    const leg = dialled(root, client('gone'), root.from)
    await office.reports(callback(root, 'ringing'), callback(leg, 'no-answer'), callback(root, 'no-answer'))
    await office.app.admin.ask('connect.user', 'unlink', { ids: [id] })
    await office.reports(callback(root, 'completed', { sequence: 3, seconds: 40, CallDuration: '40' }))
    const posts = await office.posts('res.partner', partner)
    expect(posts).toHaveLength(1)
    expect(posts[0]).toContain('00:40')
    expect(posts[0]).toContain('Dialled: gone')
  })

  it('a finished call is not registered while a leg is alive', async () => {
    const partner = await office.contact('Gina', { phone: '+14155550302' })
    const root = { sid: newSid(), from: '+14155550302' }
    const leg = dialled(root, client('bob'), '+14155550302')
    await office.reports(callback(root, 'ringing'), callback(leg, 'in-progress'), callback(root, 'completed'))
    expect(await office.posts('res.partner', partner)).toEqual([])
    await office.reports(callback(leg, 'completed', { sequence: 3 }))
    expect(await office.posts('res.partner', partner)).toHaveLength(1)
  })

  it('a finished call that was missed has one comment for those who want to know', async () => {
    const partner = await office.contact('Hans', { phone: '+14155550303' })
    const call = await finished('no-answer', '+14155550303')
    await call.again()
    expect(await office.posts('connect.call', call.id)).toEqual(['<p>Missed call from +14155550303. For: bob.</p>'])
    const [note = ''] = await office.posts('res.partner', partner)
    expect(note).toContain('missed')
  })

  it.each(['anonymous', '+266696687', '+86282452253', 'Restricted', 'sip:anonymous@anonymous.invalid'])(
    'a missed call of %j is one of a withheld number, in words',
    async (caller) => {
      const call = await finished('no-answer', caller)
      expect(await office.posts('connect.call', call.id)).toEqual([
        '<p>Missed call from a withheld number. For: bob.</p>',
      ])
    },
  )

  it('a finished call that was missed leaves one notice for whom it rang, until it turns out to have been answered', async () => {
    const root = { sid: newSid(), from: '+14155550306' }
    const [first, second] = [dialled(root, client('alice')), dialled(root, sip('alice'))]
    const missed = [callback(root, 'ringing'), callback(first, 'no-answer'), callback(root, 'completed')]
    const id = await office.reports(...missed)
    const notices = () =>
      office.app.db.query(
        sql`select n.kind, n.detail, n.read_at, u.name from connect_notice n join res_users u on u.id = n."user"
            where n.res_model = 'connect.call' and n.res_id = ${Number(id)}::bigint`,
      )
    const notice = { kind: 'missed', detail: '+14155550306', read_at: null, name: 'alice' }
    expect(await notices()).toEqual([notice])
    await office.app.db.query(sql`update connect_notice set read_at = '2026-01-01 00:00:00'`)
    await office.reports(...missed)
    expect(await notices()).toMatchObject([{ kind: 'missed', read_at: expect.anything() }])
    await office.reports(callback(second, 'completed', { CallDuration: '12' }))
    expect(await notices()).toEqual([])
  })

  it('once a missed caller is called back or marked as called back, everybody has read that they were missed', async () => {
    const theirs = '+14155550307'
    const ring = async (): Promise<number> => {
      const root = { sid: newSid(), from: theirs }
      const legs = [dialled(root, client('alice')), dialled(root, sip('bob'))].map((leg) => callback(leg, 'no-answer'))
      return Number(await office.reports(callback(root, 'ringing'), ...legs, callback(root, 'completed')))
    }
    const unread = async (call: number) => {
      const rows = await office.app.db.query(
        sql`select u.name from connect_notice n join res_users u on u.id = n."user"
            where n.res_model = 'connect.call' and n.res_id = ${call}::bigint and n.read_at is null order by u.name`,
      )
      return rows.map(({ name }) => name)
    }
    const fixes = async (call: number) => {
      const why = await office.app.admin.ask<{ fixes: { code: string }[] }>('connect.call', 'explain', { ids: [call] })
      return why.fixes.map(({ code }) => code)
    }
    const marked = await ring()
    expect(await unread(marked)).toEqual(['alice', 'bob'])
    expect(await fixes(marked)).toEqual(['fix_call_back'])
    await office.app.admin.ask('connect.call', 'callback_done', { ids: [marked] })
    expect(await unread(marked)).toEqual([])
    expect(await fixes(marked)).toEqual([])
    await office.app.admin.ask('connect.call', 'callback_undone', { ids: [marked] })
    expect(await unread(marked)).toEqual(['alice', 'bob'])
    const again = await ring()
    const own = { sid: newSid(), direction: 'outbound-api', from: OUR_NUMBER, to: client('alice') } as const
    const theirLeg = dialled(own, theirs, OUR_NUMBER)
    await office.reports(callback(own, 'in-progress'), callback(theirLeg, 'ringing'))
    expect(await unread(again)).toEqual(['alice', 'bob'])
    await office.reports(callback(theirLeg, 'in-progress'), callback(theirLeg, 'completed', { CallDuration: '9' }))
    await office.reports(callback(own, 'completed', { CallDuration: '12' }))
    expect([await unread(marked), await unread(again)]).toEqual([[], []])
    expect(await fixes(again)).toEqual([])
  })

  it('a finished call that was missed by people who do not want to know has none', async () => {
    const root = { sid: newSid(), from: '+14155550304' }
    const leg = dialled(root, client('alice'))
    const id = await office.reports(callback(root, 'ringing'), callback(leg, 'no-answer'), callback(root, 'no-answer'))
    expect(await office.posts('connect.call', Number(id))).toEqual([])
  })

  it('a finished call that turns out to have been answered is not missed any more', async () => {
    const root = { sid: newSid(), from: '+14155550305' }
    const [first, second] = [dialled(root, client('bob')), dialled(root, sip('bob'))]
    const id = await office.reports(
      callback(root, 'ringing'),
      callback(first, 'no-answer'),
      callback(root, 'completed'),
    )
    expect(await office.posts('connect.call', Number(id))).toHaveLength(1)
    await office.reports(callback(second, 'completed', { CallDuration: '12' }))
    expect(await office.posts('connect.call', Number(id))).toEqual([])
  })
})

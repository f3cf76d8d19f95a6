import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { sql } from '../../../src/database/drizzle.ts'
import { parseCallEvent } from '../../../src/ledger/legs/leg-event.ts'
import { recordLegs } from '../../../src/ledger/legs/record-legs.ts'
import { GROUP } from '../../../src/platform/access/identity.ts'
import { checkMarkup } from '../../../src/telco/markup/check.ts'
import { asWebhook } from '../../support/effects.ts'
import { aRecording, FakeTelco, refusal } from '../../support/fake-telco.ts'
import { streamOf } from '../../support/live-stream.ts'
import { aPbxUser, setUpTelco } from '../../support/telco.ts'
import { type Caller, eventually, TestApp } from '../../support/test-app.ts'

const CUSTOMER = '+14155550100'
const OURS = '+14155550199'

let fake: FakeTelco
let app: TestApp
let anna: Caller & { id: number }
let bert: Caller & { id: number }
let stranger: Caller

beforeAll(async () => {
  fake = await FakeTelco.start()
  app = await TestApp.start({ env: { TELCO_BASE_URL: fake.url } })
  await setUpTelco(app)
  await setKey('SK1')
  anna = await aUser('anna', '101', {})
  bert = await aUser('bert', '102', { client_enabled: false, sip_enabled: true })
  stranger = await app.person([GROUP.internal])
  await app.admin.ask('connect.telco.outgoing_callerid', 'create', {
    vals_list: { number: OURS, friendly_name: 'Main', callerid_type: 'number', is_default: true },
  })
  await app.admin.ask('res.partner', 'create', { vals_list: { name: 'Zoe', phone: CUSTOMER } })
})
afterAll(async () => {
  await app.stop()
  await fake.stop()
})
beforeEach(async () => {
  fake.reset()
  await app.db.query(sql`delete from connect_channel`)
  await app.db.query(sql`delete from connect_call`)
})

async function aUser(username: string, extension: string, values: object): Promise<Caller & { id: number }> {
  const { id, loginId } = await aPbxUser(app, { username, extension, values })
  return { ...(await app.callerOf(loginId)), id }
}

/** The API key of the account, with which web phones sign in. */
async function setKey(key: string | null): Promise<void> {
  const vals = { telco_api_key: key, telco_api_secret: key === null ? null : 'the secret' }
  await app.admin.ask('connect.settings', 'write', { ids: [1], vals })
}

async function record(form: Record<string, string>): Promise<void> {
  const event = parseCallEvent(form)
  if (event === undefined) throw new Error('no event')
  await asWebhook(app, (env) => recordLegs(env, [event]))
}

/** A call from outside that anna has answered. */
async function aCall(): Promise<number> {
  await record({
    CallSid: 'CA1',
    Direction: 'inbound',
    CallStatus: 'ringing',
    Caller: CUSTOMER,
    Called: OURS,
    To: OURS,
  })
  await record({
    CallSid: 'CA2',
    ParentCallSid: 'CA1',
    Direction: 'outbound-dial',
    CallStatus: 'in-progress',
    Caller: CUSTOMER,
    Called: 'client:anna@acme.sip.twilio.com',
    To: 'client:anna@acme.sip.twilio.com',
    SequenceNumber: '1',
  })
  const [call] = await app.db.query<{ id: number }>(sql`select id from connect_call`)
  return call?.id ?? 0
}

async function leg(sid: string): Promise<Record<string, unknown>> {
  const [row] = await app.db.query(sql`select * from connect_channel where sid = ${sid}`)
  return row ?? {}
}

describe('click-to-call', () => {
  it("rings the caller's own first phone, then the number", async () => {
    const answer = await anna.ask<{ call_id: number; channel_sid: string }>('connect.user', 'originate', {
      number: '+1 (415) 555-0100',
    })
    const [asked] = fake.asked('POST', /^\/Calls\.json$/)
    const markup = asked?.form.get('Twiml') ?? ''
    expect(asked?.form.get('To')).toMatch(
      /^client:anna@acme\.sip\.twilio\.com\?autoAnswer=yes&Partner=\d+&CallerName=Zoe&From=/,
    )
    expect(asked?.form.get('From')).toBe(OURS)
    expect(asked?.form.get('StatusCallback')).toContain('/telco/webhook/callstatus#e=ashburn')
    expect(markup).toContain(`callerId="${OURS}" timeLimit="7200" record="record-from-answer"`)
    expect(markup).toContain(`>${CUSTOMER}</Number>`)
    expect(checkMarkup(markup)).toEqual([])
    const [call] = await app.db.query(
      sql`select c.*, p.name as contact from connect_call c left join res_partner p on p.id = c.partner`,
    )
    expect(call).toMatchObject({ id: answer.call_id, direction: 'outgoing', caller_user: anna.userId, contact: 'Zoe' })
    expect(await leg(answer.channel_sid)).toMatchObject({
      technical_direction: 'outbound-api',
      status: 'queued',
      call: answer.call_id,
      caller_user: anna.userId,
    })
  })

  it('rings a SIP phone where that is what the caller has', async () => {
    await bert.ask('connect.user', 'originate', { number: CUSTOMER })
    expect(fake.asked('POST', /Calls/)[0]?.form.get('To')).toBe('sip:bert@acme.sip.twilio.com')
  })

  it('rings the first phone of the caller, also a web phone while the settings have no API key', async () => {
    const both = await aUser('both', '111', { sip_enabled: true, client_priority: '1', sip_priority: '2' })
    await setKey(null)
    await both.ask('connect.user', 'originate', { number: CUSTOMER })
    expect(fake.asked('POST', /Calls/)[0]?.form.get('To')).toMatch(/^client:both@/)
    await setKey('SK1')
  })

  it('names the number that was to be called where the own phone could not be reached, and offers to call it', async () => {
    const { call_id: id, channel_sid: sid } = await anna.ask<{ call_id: number; channel_sid: string }>(
      ...(['connect.user', 'originate', { number: CUSTOMER }] as const),
    )
    const own = 'client:anna@acme.sip.twilio.com'
    const ringing = { CallSid: sid, Direction: 'outbound-api', Caller: OURS, Called: own, To: own }
    await record({ ...ringing, CallStatus: 'failed', SipResponseCode: '404', SequenceNumber: '1' })
    const [call] = await anna.ask<object[]>('connect.call', 'read', { ids: [id], fields: ['called', 'outcome'] })
    expect(call).toMatchObject({ called: CUSTOMER, outcome: 'failed' })
    // So does the note on the contact.
    const [note] = await app.db.query<{ body: string }>(
      sql`select body from mail_message where model = 'res.partner' order by id desc limit 1`,
    )
    expect(note?.body).toContain(`Called: ${CUSTOMER}`)
    expect(await anna.ask('connect.call', 'explain', { ids: [id] })).toMatchObject({
      code: 'own_phone_not_reached',
      sentence: expect.stringMatching(
        /^Your own phone could not be reached.*, so the call to \+14155550100 was not made\.$/,
      ),
      fixes: [
        { sentence: 'Check first that your own phone is on and signed in.', action: { kind: 'own_phone' } },
        { sentence: 'Call +14155550100 again.', action: { kind: 'call_back', number: CUSTOMER } },
      ],
    })
    const { moments } = await anna.ask<{ moments: { sentence: string }[] }>('connect.call', 'timeline', { ids: [id] })
    const told = moments.map(({ sentence }) => sentence)
    expect(told).toContain("anna's own phone is called first")
    expect(told.join()).not.toContain('anna → anna')
    // Anybody else reads whose phone it was.
    expect(await app.admin.ask('connect.call', 'explain', { ids: [id] })).toMatchObject({
      sentence: expect.stringMatching(/^The own phone of anna could not be reached/),
      fixes: [{ sentence: 'Call +14155550100 again.' }],
    })
  })

  it('hanging up the own phone before the number is dialled is no answer of anybody, and says so', async () => {
    const { call_id: id, channel_sid: sid } = await anna.ask<{ call_id: number; channel_sid: string }>(
      ...(['connect.user', 'originate', { number: CUSTOMER }] as const),
    )
    const own = 'client:anna@acme.sip.twilio.com'
    const ringing = { CallSid: sid, Direction: 'outbound-api', Caller: OURS, Called: own, To: own }
    const fields = ['called', 'outcome', 'end_reason', 'answered_at']
    const read = async () => (await anna.ask<object[]>('connect.call', 'read', { ids: [id], fields }))[0]
    await record({ ...ringing, CallStatus: 'in-progress', SequenceNumber: '1' })
    expect(await read()).toMatchObject({ called: CUSTOMER, outcome: 'in_progress', answered_at: null })
    await record({ ...ringing, CallStatus: 'completed', CallDuration: '3', SequenceNumber: '2' })
    expect(await read()).toEqual({
      ...{ id, called: CUSTOMER, outcome: 'no_answer', end_reason: 'not_dialled', answered_at: null },
    })
    expect(await anna.ask('connect.call', 'explain', { ids: [id] })).toMatchObject({
      code: 'own_phone_hung_up',
      sentence: 'You picked up your own phone, and the call ended before anyone was rung at +14155550100.',
      fixes: [{ action: { kind: 'call_back', number: CUSTOMER } }],
    })
  })

  it.each([
    [
      ...(['canceled', 'given_up', 'own_phone_given_up'] as const),
      'You hung up while your own phone was still ringing, so the call to +14155550100 was not made.',
      'anna hung up while their own phone was still ringing, so the call to +14155550100 was not made.',
    ],
    [
      ...(['busy', 'busy', 'own_phone'] as const),
      'You did not pick up your own phone, so the call to +14155550100 was not made.',
      'anna did not pick up their own phone, so the call to +14155550100 was not made.',
    ],
  ])(
    'an own phone that is %s says nothing of the customer, who was not called',
    async (status, outcome, code, mine, theirs) => {
      const { call_id: id, channel_sid: sid } = await anna.ask<{ call_id: number; channel_sid: string }>(
        ...(['connect.user', 'originate', { number: CUSTOMER }] as const),
      )
      const own = 'client:anna@acme.sip.twilio.com'
      // What the phone is told of the customer is no name that the network shows.
      const leg = { CallSid: sid, Direction: 'outbound-api', Caller: OURS, Called: own, To: own, CallerName: 'Zoe' }
      await record({ ...leg, CallStatus: 'ringing', SequenceNumber: '1' })
      await record({ ...leg, CallStatus: status, SequenceNumber: '2' })
      const fields = ['outcome', 'end_reason', 'caller_name']
      expect(await anna.ask('connect.call', 'read', { ids: [id], fields })).toMatchObject([
        { outcome, end_reason: 'not_dialled', caller_name: null },
      ])
      // Nor does the note on the contact.
      const [note] = await app.db.query<{ body: string }>(
        sql`select body from mail_message where model = 'res.partner' order by id desc limit 1`,
      )
      expect(note?.body).toContain(`Outgoing call ${id}: not made`)
      expect(await anna.ask('connect.call', 'explain', { ids: [id] })).toMatchObject({ code, sentence: mine })
      expect(await app.admin.ask('connect.call', 'explain', { ids: [id] })).toMatchObject({ code, sentence: theirs })
    },
  )

  it.each([
    [
      'completed',
      'You talked with Zoe, and one of you hung up.',
      'Zoe and the caller talked, and one of them hung up.',
    ],
    [
      'canceled',
      /^You hung up after \d+ s, before anyone answered \(Zoe\)\.$/,
      /^anna hung up after \d+ s, before anyone/,
    ],
    ['busy', 'Zoe was busy, or declined the call.', 'Zoe was busy, or declined the call.'],
  ])('a call to a contact that ends %s names the contact, and speaks to who called', async (status, mine, theirs) => {
    const { call_id: id, channel_sid: sid } = await anna.ask<{ call_id: number; channel_sid: string }>(
      ...(['connect.user', 'originate', { number: CUSTOMER }] as const),
    )
    const own = { CallSid: sid, Direction: 'outbound-api', Caller: OURS, Called: 'client:anna@acme.sip.twilio.com' }
    const dialled = {
      CallSid: `${sid}x`,
      ParentCallSid: sid,
      Direction: 'outbound-dial',
      Caller: OURS,
      Called: CUSTOMER,
    }
    await record({ ...own, CallStatus: 'in-progress', SequenceNumber: '1' })
    if (status === 'completed') await record({ ...dialled, CallStatus: 'in-progress', SequenceNumber: '1' })
    await record({ ...dialled, CallStatus: status, SequenceNumber: '2' })
    await record({ ...own, CallStatus: 'completed', SequenceNumber: '2' })
    const told = (sentence: string | RegExp) =>
      typeof sentence === 'string' ? { sentence } : { sentence: expect.stringMatching(sentence) }
    expect(await anna.ask('connect.call', 'explain', { ids: [id] })).toMatchObject(told(mine))
    expect(await app.admin.ask('connect.call', 'explain', { ids: [id] })).toMatchObject(told(theirs))
    const [note] = await app.db.query<{ body: string }>(
      sql`select body from mail_message where model = 'res.partner' order by id desc limit 1`,
    )
    expect(note?.body).toContain(`Outgoing call ${id}: ${status}`)
  })

  it('a colleague who may not read the call hears that the caller waits no more', async () => {
    const incoming = { Direction: 'inbound', Caller: CUSTOMER, Called: OURS, To: OURS }
    const toBert = 'client:bert@acme.sip.twilio.com'
    await record({ CallSid: 'CA9', CallStatus: 'in-progress', ...incoming })
    const rung = { ParentCallSid: 'CA9', Direction: 'outbound-dial', Caller: CUSTOMER, Called: toBert, To: toBert }
    await record({ CallSid: 'CA10', CallStatus: 'no-answer', ...rung })
    await record({ CallSid: 'CA9', CallStatus: 'completed', CallDuration: '9', SequenceNumber: '2', ...incoming })
    const waiting = () => bert.ask<{ ids: number[]; number: string }[]>('connect.call', 'to_call_back', {})
    const [waits] = await waiting()
    expect(waits).toMatchObject({ number: CUSTOMER })
    const stream = await streamOf(app, bert.userId)
    const talked = { Direction: 'outbound-api', Caller: OURS, Called: CUSTOMER, To: CUSTOMER }
    await record({ CallSid: 'CA11', CallStatus: 'completed', CallDuration: '5', SequenceNumber: '2', ...talked })
    const change = await stream.hearChange(({ model, ids }) => model === 'connect.call' && ids?.length === 1)
    stream.close()
    expect([change.ids, await waiting()]).toEqual([waits?.ids, []])
  })

  it('picking up the own phone alone is no talk with a caller who waits to be called back', async () => {
    await record({
      CallSid: 'CA9',
      Direction: 'inbound',
      CallStatus: 'no-answer',
      Caller: CUSTOMER,
      Called: OURS,
      To: OURS,
    })
    const waiting = () => app.admin.ask<{ number: string }[]>('connect.call', 'to_call_back', {})
    expect(await waiting()).toMatchObject([{ number: CUSTOMER }])
    const { channel_sid: sid } = await anna.ask<{ channel_sid: string }>('connect.user', 'originate', {
      number: CUSTOMER,
    })
    const own = 'client:anna@acme.sip.twilio.com'
    const ringing = { CallSid: sid, Direction: 'outbound-api', Caller: OURS, Called: own, To: own }
    await record({ ...ringing, CallStatus: 'completed', CallDuration: '3', SequenceNumber: '2' })
    expect(await waiting()).toMatchObject([{ number: CUSTOMER }])
    const dialled = { ParentCallSid: sid, Direction: 'outbound-dial', Caller: OURS, Called: CUSTOMER, To: CUSTOMER }
    await record({ CallSid: 'CA10', ...dialled, CallStatus: 'completed', CallDuration: '2', SequenceNumber: '2' })
    expect(await waiting()).toEqual([])
  })

  it('a caller who waits to be called back is shown to colleagues as being called, from the click to the end of the call', async () => {
    const missed = { CallSid: 'CA9', Direction: 'inbound', Caller: CUSTOMER, Called: OURS, To: OURS }
    await record({ ...missed, CallStatus: 'ringing', SequenceNumber: '1' })
    const rung = {
      ParentCallSid: 'CA9',
      Direction: 'outbound-dial',
      Caller: CUSTOMER,
      Called: 'sip:bert@acme.sip.twilio.com',
    }
    await record({ CallSid: 'CA9b', ...rung, CallStatus: 'no-answer', SequenceNumber: '1' })
    await record({ ...missed, CallStatus: 'completed', SequenceNumber: '2' })
    const waiting = () => bert.ask<{ ids: number[]; calling: unknown }[]>('connect.call', 'to_call_back', {})
    const [waits] = await waiting()
    expect(waits).toMatchObject({ calling: null })
    const heard: { model: string; ids: number[] | null }[] = []
    await app.db.listen('connect_records', (payload) => heard.push(JSON.parse(payload)))
    const isTold = () => heard.some(({ model, ids }) => model === 'connect.call' && ids?.includes(waits?.ids[0] ?? 0))
    const { channel_sid: sid, call_id: call } = await anna.ask<{ channel_sid: string; call_id: number }>(
      ...(['connect.user', 'originate', { number: CUSTOMER }] as const),
    )
    expect(await waiting()).toMatchObject([{ number: CUSTOMER, calling: [anna.userId, 'anna'] }])
    await eventually(async () => isTold() || undefined)
    // The call itself is no business of theirs.
    expect(await bert.ask('connect.call', 'search', { domain: [['id', '=', call]] })).toEqual([])
    heard.length = 0
    const own = { CallSid: sid, Direction: 'outbound-api', Caller: OURS, Called: 'client:anna@acme.sip.twilio.com' }
    await record({ ...own, CallStatus: 'no-answer', SequenceNumber: '1' })
    expect(await waiting()).toMatchObject([{ number: CUSTOMER, calling: null }])
    await eventually(async () => isTold() || undefined)
  })

  it('connects with an extension, under the caller own', async () => {
    await anna.ask('connect.user', 'originate', { number: '102' })
    const [asked] = fake.asked('POST', /Calls/)
    const markup = asked?.form.get('Twiml') ?? ''
    expect(asked?.form.get('From')).toBe('101')
    expect(markup).toContain('sip:bert@acme.sip.twilio.com')
    expect(markup).toContain('callerId="101"')
    expect(checkMarkup(markup)).toEqual([])
  })

  it('calls on WhatsApp from a sender that is online, while the own phone shows a voice number', async () => {
    await expect(anna.ask('connect.user', 'originate', { number: CUSTOMER, whatsapp: true })).rejects.toThrow(
      'no WhatsApp sender',
    )
    await app.db.query(
      sql`insert into connect_whatsapp_sender (number, sid, status) values ('+14155550188', 'XE1', 'ONLINE')`,
    )
    await anna.ask('connect.user', 'originate', { number: CUSTOMER, whatsapp: true })
    const [asked] = fake.asked('POST', /Calls/)
    expect(asked?.form.get('From')).toBe(OURS)
    expect(asked?.form.get('Twiml')).toContain('callerId="whatsapp:+14155550188"')
    expect(asked?.form.get('Twiml')).toContain(`>${CUSTOMER}</WhatsApp>`)
    expect((await app.db.query(sql`select call_type from connect_call`))[0]).toEqual({ call_type: 'whatsapp' })
  })

  it('click-to-call is one call, whichever of the answer and the callbacks comes first', async () => {
    fake.on('POST', /^\/Calls\.json$/, ({ form }) => {
      void record({
        CallSid: 'CA7',
        Direction: 'outbound-api',
        CallStatus: 'ringing',
        Caller: form.get('From') ?? '',
        Called: 'client:anna@acme.sip.twilio.com',
        To: 'client:anna@acme.sip.twilio.com',
        SequenceNumber: '1',
      })
      return {
        status: 201,
        body: {
          sid: 'CA7',
          status: 'queued',
          date_created: null,
          date_updated: null,
          start_time: null,
          end_time: null,
        },
      }
    })
    await anna.ask('connect.user', 'originate', { number: CUSTOMER })
    expect(await app.count('connect_call')).toBe(1)
    expect(await leg('CA7')).toMatchObject({ caller_user: anna.userId })
  })

  it.each([
    ['103', 'There is no extension 103'],
    ['not a number', 'must be an extension'],
    ['+1', 'There is no extension 1'],
    ['112', 'Emergency numbers cannot be called'],
    ['+49 112', 'Emergency numbers cannot be called'],
    ['999', 'Emergency numbers cannot be called'],
    ['9112', 'Emergency numbers cannot be called'],
    ['0041 144', 'Emergency numbers cannot be called'],
    ['116117', 'Emergency numbers cannot be called'],
    ['+12345678901234567890', 'must be an extension'],
  ])('click-to-call to %j is refused with a sentence, and nothing is called', async (number, sentence) => {
    await expect(anna.ask('connect.user', 'originate', { number })).rejects.toThrow(sentence)
    expect(fake.requests).toEqual([])
  })

  it('click-to-call that the provider refuses leaves no call, and says why without a secret', async () => {
    fake.on('POST', /Calls/, refusal(400, 21214, 'The number cannot be reached'))
    const answer = await anna.call('connect.user', 'originate', { number: CUSTOMER })
    expect([answer.status, answer.text]).toEqual([422, expect.stringContaining('The number cannot be reached')])
    expect(await app.count('connect_call')).toBe(0)
    fake.on('POST', /Calls/, { status: 500, body: 'busy' })
    expect((await anna.call('connect.user', 'originate', { number: CUSTOMER })).status).toBe(503)
  })

  it('click-to-call is from no telephone but the own', async () => {
    expect((await anna.call('connect.user', 'originate', { ids: [bert.id], number: CUSTOMER })).status).toBe(404)
    expect((await stranger.call('connect.user', 'originate', { number: CUSTOMER })).status).toBe(403)
    await app.admin.ask('connect.user', 'originate', { ids: [bert.id], number: CUSTOMER })
    expect(fake.asked('POST', /Calls/)).toHaveLength(1)
  })
})

describe('the web phone', () => {
  it('signs in with a token for its own name only', async () => {
    await setKey(null)
    expect(await anna.ask('connect.user', 'web_phone_token')).toEqual({ token: false })
    await setKey('SK1')
    const answer = await anna.ask<{ token: string }>('connect.user', 'web_phone_token')
    const claims = partOfToken(answer.token, 1)
    expect(claims).toMatchObject({
      iss: 'SK1',
      grants: { identity: 'anna@acme.sip.twilio.com', voice: { incoming: { allow: true } } },
    })
    expect(claims.exp - claims.iat).toBe(3_600)
    expect(answer).toMatchObject({
      record_calls: true,
      extension: '101',
      caller_id: '101',
      identity: 'anna@acme.sip.twilio.com',
    })
    expect(JSON.stringify(answer)).not.toContain('the secret')
  })

  it.each(['us1', 'ie1', 'au1'])('names the region %s, where its calls are handled', async (region) => {
    await app.admin.ask('connect.settings', 'write', { ids: [1], vals: { telco_region: region } })
    const { token } = await anna.ask<{ token: string }>('connect.user', 'web_phone_token')
    expect(partOfToken(token, 0)).toMatchObject({ twr: region, cty: 'twilio-fpa;v=1' })
    await app.admin.ask('connect.settings', 'write', { ids: [1], vals: { telco_region: 'us1' } })
  })

  it('the web phone has no token for somebody without a web phone or a Connect group', async () => {
    expect(await bert.ask('connect.user', 'web_phone_token')).toEqual({ token: false })
    expect(await stranger.ask('connect.user', 'web_phone_token')).toEqual({ token: false })
  })
})

describe('forwarding', () => {
  it('sends the other party on, with the target where it arrives', async () => {
    const id = await aCall()
    await anna.ask('connect.call', 'forward', { ids: [id], number: '+14155550133' })
    const [asked] = fake.asked('POST', /^\/Calls\/CA1\.json$/)
    expect(asked?.form.get('Twiml')).toContain(
      '<Redirect method="POST">https://pbx.example.com/telco/webhook/domain?forward_to=%2B14155550133#e=ashburn</Redirect>',
    )
    expect(checkMarkup(asked?.form.get('Twiml') ?? '')).toEqual([])
  })

  it('transfers to an extension at once', async () => {
    const id = await aCall()
    await anna.ask('connect.call', 'transfer', { ids: [id], exten: '102' })
    expect(fake.asked('POST', /^\/Calls\/CA1\.json$/)[0]?.form.get('Twiml')).toContain('sip:bert@acme.sip.twilio.com')
    expect((await anna.call('connect.call', 'transfer', { ids: [id], exten: '998' })).status).toBe(404)
    for (const asked of [
      { method: 'transfer', exten: '112' },
      { method: 'forward', number: '911' },
    ]) {
      const { method, ...args } = asked
      await expect(anna.ask('connect.call', method, { ids: [id], ...args })).rejects.toThrow(/Emergency numbers/)
    }
  })

  it('forwarding of a call that one made redirects whom one called', async () => {
    await record({
      CallSid: 'CA1',
      Direction: 'inbound',
      CallStatus: 'ringing',
      Caller: 'client:anna@acme.sip.twilio.com',
      Called: CUSTOMER,
      To: CUSTOMER,
    })
    await record({
      CallSid: 'CA2',
      ParentCallSid: 'CA1',
      Direction: 'outbound-dial',
      CallStatus: 'in-progress',
      Caller: OURS,
      Called: CUSTOMER,
      To: CUSTOMER,
    })
    const [call] = await app.db.query<{ id: number }>(sql`select id from connect_call`)
    await anna.ask('connect.call', 'forward', { ids: [call?.id], number: '102' })
    expect(fake.asked('POST', /^\/Calls\/CA2\.json$/)).toHaveLength(1)
  })

  it('forwarding is refused when nobody else is on the line, and when the call is over', async () => {
    await record({
      CallSid: 'CA1',
      Direction: 'inbound',
      CallStatus: 'ringing',
      Caller: 'client:anna@acme.sip.twilio.com',
      Called: CUSTOMER,
      To: CUSTOMER,
    })
    const [call] = await app.db.query<{ id: number }>(sql`select id from connect_call`)
    const alone = await anna.call('connect.call', 'forward', { ids: [call?.id], number: '102' })
    expect([alone.status, alone.text]).toEqual([409, expect.stringContaining('No one else is on the line')])
    await record({ CallSid: 'CA1', CallStatus: 'completed', SequenceNumber: '3' })
    expect((await anna.call('connect.call', 'forward', { ids: [call?.id], number: '102' })).text).toContain(
      'The call is over',
    )
    fake.on('POST', /Calls/, refusal(400, 21220, 'Call is not in-progress'))
    expect(fake.requests).toEqual([])
  })

  it('forwarding is for those who are in the call, and for administrators', async () => {
    const id = await aCall()
    expect((await bert.call('connect.call', 'forward', { ids: [id], number: '102' })).status).toBe(404)
    await app.admin.ask('connect.call', 'forward', { ids: [id], number: '102' })
    expect(fake.asked('POST', /^\/Calls\/CA1\.json$/)).toHaveLength(1)
  })
})

describe('hanging up', () => {
  it('ends every leg, and one that is over already is no hindrance', async () => {
    const id = await aCall()
    fake.on('POST', /^\/Calls\/CA2\.json$/, refusal(400, 21220, 'Call is not in-progress. Cannot end.'))
    expect(await anna.ask('connect.call', 'hang_up', { ids: [id] })).toBe(true)
    const asked = fake.asked('POST', /^\/Calls\/CA\d\.json$/)
    expect(asked.map(({ path, form }) => [path, form.get('Status')])).toEqual([
      ['/Calls/CA1.json', 'completed'],
      ['/Calls/CA2.json', 'completed'],
    ])
  })

  it('hanging up says so when the provider could not be asked, and when the call is over', async () => {
    const id = await aCall()
    fake.on('POST', /Calls/, { status: 500, body: 'busy' })
    expect((await anna.call('connect.call', 'hang_up', { ids: [id] })).status).toBe(503)
    fake.reset()
    for (const [sid, at] of [
      ['CA2', '2'],
      ['CA1', '3'],
    ] as const) {
      await record({ CallSid: sid, CallStatus: 'completed', SequenceNumber: at })
    }
    const over = await anna.call('connect.call', 'hang_up', { ids: [id] })
    expect([over.status, over.text]).toEqual([409, expect.stringContaining('The call is over')])
    expect(fake.requests).toEqual([])
  })

  it('hanging up is for those who are in the call, and for administrators', async () => {
    const id = await aCall()
    expect((await bert.call('connect.call', 'hang_up', { ids: [id] })).status).toBe(404)
    expect((await stranger.call('connect.call', 'hang_up', { ids: [id] })).status).toBe(403)
    expect(fake.requests).toEqual([])
    await app.admin.ask('connect.call', 'hang_up', { ids: [id] })
    expect(fake.asked('POST', /^\/Calls\/CA1\.json$/)).toHaveLength(1)
  })
})

describe('recording', () => {
  const running = (...sids: string[]) => ({
    body: { recordings: sids.map((sid) => aRecording(sid, { status: 'in-progress' })), next_page_uri: null },
  })

  it('starts on the first leg, and is reported', async () => {
    const id = await aCall()
    const answer = await anna.ask<{ recording_sid: string }>('connect.call', 'start_recording', { ids: [id] })
    const [asked] = fake.asked('POST', /^\/Calls\/CA1\/Recordings\.json$/)
    expect(answer).toMatchObject({ state: 'on', channel_sid: 'CA1' })
    expect(asked?.form.get('RecordingStatusCallback')).toContain('/telco/webhook/recordingstatus')
    expect(await leg('CA1')).toMatchObject({ recording_state: 'on', recording_control_ref: answer.recording_sid })
  })

  it('recording that is going on already is not started twice', async () => {
    const id = await aCall()
    fake.on('GET', /CA2\/Recordings/, running('RE5'))
    expect(await anna.ask('connect.call', 'start_recording', { ids: [id] })).toEqual({
      state: 'on',
      channel_sid: 'CA2',
      recording_sid: 'RE5',
    })
    expect(fake.asked('POST', /Recordings/)).toEqual([])
  })

  it('stops on the leg that is really recorded', async () => {
    const id = await aCall()
    fake.on('GET', /CA2\/Recordings/, running('RE5'))
    expect(await anna.ask('connect.call', 'stop_recording', { ids: [id] })).toMatchObject({ state: 'off' })
    expect(fake.asked('POST', /^\/Calls\/CA2\/Recordings\/RE5\.json$/)).toHaveLength(1)
    expect(await leg('CA2')).toMatchObject({ recording_state: 'off' })
  })

  it('recording is what the provider says it is', async () => {
    const id = await aCall()
    fake.on('GET', /CA1\/Recordings/, running('RE6'))
    expect(await anna.ask('connect.call', 'recording_state', { ids: [id] })).toMatchObject({
      state: 'on',
      recording_sid: 'RE6',
    })
    expect(await anna.ask('connect.call', 'recording_state', { ids: [id] })).toMatchObject({ state: 'off' })
    expect(await leg('CA1')).toMatchObject({ recording_state: 'off' })
  })

  it('recording is started once by several who press at once', async () => {
    const id = await aCall()
    const list = () => (fake.asked('POST', /Recordings/).length > 0 ? running('RE7') : running())
    fake.on('GET', /Recordings/, list, 100)
    const answers = await Promise.all([1, 2, 3].map(() => anna.call('connect.call', 'start_recording', { ids: [id] })))
    const statuses = answers.map(({ status }) => status)
    expect(statuses).toContain(200)
    for (const { status, body } of answers.filter((answer) => answer.status !== 200)) {
      expect([status, body]).toEqual([
        409,
        expect.objectContaining({
          context: expect.objectContaining({ code: 'recording-being-started-stopped-at-this' }),
        }),
      ])
    }
    expect(fake.asked('POST', /Recordings/)).toHaveLength(1)
    expect(await leg('CA1')).toMatchObject({ recording_state: 'on' })
  })

  it('recording that fails is an error on the leg, and may be tried again', async () => {
    const id = await aCall()
    fake.on('POST', /Recordings/, refusal(400, 21220, 'not eligible'))
    expect((await anna.call('connect.call', 'start_recording', { ids: [id] })).status).toBe(409)
    expect(await leg('CA1')).toMatchObject({
      recording_state: 'error',
      recording_control_error: expect.stringContaining('not eligible'),
    })
    await anna.ask('connect.call', 'start_recording', { ids: [id] })
    expect(await leg('CA1')).toMatchObject({ recording_state: 'on', recording_control_error: null })
  })

  it('recording is refused on a call that is over, and to others', async () => {
    const id = await aCall()
    expect((await bert.call('connect.call', 'start_recording', { ids: [id] })).status).toBe(404)
    for (const CallSid of ['CA1', 'CA2']) await record({ CallSid, CallStatus: 'completed', SequenceNumber: '9' })
    expect((await anna.call('connect.call', 'start_recording', { ids: [id] })).status).toBe(409)
    expect(fake.requests).toEqual([])
  })
})

/** A part of a JWT: 0 its header, 1 its claims. */
function partOfToken(token: string, part: 0 | 1): Record<string, unknown> & { exp: number; iat: number } {
  return JSON.parse(Buffer.from(token.split('.')[part] ?? '', 'base64url').toString())
}

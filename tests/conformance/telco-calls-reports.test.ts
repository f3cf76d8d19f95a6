// Reports that steer no call, shaped as in docs/reference/providers.md#shapes-of-reports:
// docs/reference/contract.md#events, docs/reference/domain.md#recording-reports,
// docs/reference/domain.md#voicemail-reports, docs/reference/domain.md#incoming-messages,
// docs/reference/domain.md#message-reports, docs/reference/domain.md#caller-id-validation.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../src/database/drizzle.ts'
import { insertRow } from '../support/rows.ts'
import { ACCOUNT_SID, ledgerCounts } from '../support/telco.ts'
import {
  CUSTOMER,
  callback,
  type Form,
  newSid,
  Office,
  OUR_NUMBER,
  providerTime,
  storedTime,
} from '../support/telco-office.ts'

const API = `https://api.twilio.com/2010-04-01/Accounts/${ACCOUNT_SID}`
const EMPTY = '<Response/>'

let office: Office
let alice: { id: number; loginId: number }

beforeAll(async () => {
  office = await Office.start()
  alice = await office.user('alice', '101')
})
afterAll(() => office.stop())

/** The fields of a recording callback. */
function recording(sid: string, callSid: string, fields: Form = {}): Form {
  return {
    AccountSid: ACCOUNT_SID,
    CallSid: callSid,
    RecordingSid: sid,
    RecordingUrl: `${API}/Recordings/${sid}`,
    RecordingStatus: 'completed',
    RecordingDuration: '36',
    RecordingChannels: '2',
    RecordingSource: 'DialVerb',
    RecordingStartTime: providerTime(6),
    ErrorCode: '0',
    ...fields,
  }
}

const RECORDING = [
  ...['sid', 'call_sid', 'status', 'duration', 'media_url', 'source', 'start_time', 'call', 'channel', 'partner'],
  ...['caller_number', 'called_number', 'caller_user', 'called_user'],
]
const linked = (id: number) => [id, expect.any(String)]

describe('recordingstatus', () => {
  it('keeps a recording with the links of its leg, and answers True', async () => {
    const partner = await office.contact('Carla', { phone: '+14155550501' })
    const root = { sid: newSid(), from: '+14155550501' }
    const leg = {
      sid: newSid(),
      parent: root.sid,
      direction: 'outbound-dial' as const,
      from: root.from,
      to: 'client:alice@x',
    }
    await office.reports(callback(root, 'ringing'), callback(leg, 'in-progress', { sequence: 1, seconds: 6 }))
    const sid = newSid('RE')
    expect(await office.report('recordingstatus', recording(sid, root.sid))).toBe('True')
    const call = await office.call(root.sid, [])
    const { id: channel } = await office.leg(root.sid, [])
    expect(await office.only('connect.recording', [['sid', '=', sid]], RECORDING)).toMatchObject({
      call_sid: root.sid,
      status: 'completed',
      duration: 36,
      media_url: `${API}/Recordings/${sid}`,
      source: 'DialVerb',
      start_time: storedTime(6),
      call: linked(call.id),
      channel: linked(channel),
      partner: linked(partner),
      caller_number: root.from,
      called_number: OUR_NUMBER,
      called_user: linked(alice.loginId),
    })
  })

  it('recordingstatus of an unknown leg is kept without links, and linked when the leg shows up', async () => {
    const [sid, callSid] = [newSid('RE'), newSid()]
    expect(await office.report('recordingstatus', recording(sid, callSid))).toBe('True')
    const find = () => office.only('connect.recording', [['sid', '=', sid]], RECORDING)
    expect(await find()).toMatchObject({ call: null, channel: null, partner: null })
    const id = await office.reports(callback({ sid: callSid }, 'completed'))
    expect(await find()).toMatchObject({ call: linked(Number(id)), caller_number: CUSTOMER })
  })

  it('recordingstatus of a dialled leg gets its call when that shows up, which the report of the call does not name', async () => {
    const root = newSid()
    const leg = {
      sid: newSid(),
      parent: root,
      direction: 'outbound-dial' as const,
      from: CUSTOMER,
      to: 'client:alice@x',
    }
    const sid = newSid('RE')
    await office.reports(callback(leg, 'in-progress', { seconds: 6 }))
    await office.report('recordingstatus', recording(sid, leg.sid))
    const find = () => office.only('connect.recording', [['sid', '=', sid]], RECORDING)
    expect(await find()).toMatchObject({ call: null, called_user: linked(alice.loginId) })
    const id = await office.reports(callback({ sid: root }, 'in-progress'))
    expect(await find()).toMatchObject({ call: linked(Number(id)) })
  })

  it('a repeated recordingstatus is an update, whatever the order', async () => {
    const [sid, callSid] = [newSid('RE'), newSid()]
    const done = recording(sid, callSid)
    const { RecordingUrl: _none, ...running } = recording(sid, callSid, { RecordingStatus: 'in-progress' })
    for (const form of [done, running, done, running]) await office.report('recordingstatus', form)
    expect(await office.only('connect.recording', [['sid', '=', sid]], RECORDING)).toMatchObject({
      status: 'completed',
      duration: 36,
    })
  })

  it('recordingstatus without a RecordingSid is True, and nothing is written', async () => {
    const before = await ledgerCounts(office.app)
    expect(await office.report('recordingstatus', recording('', newSid()))).toBe('True')
    expect(await ledgerCounts(office.app)).toEqual(before)
  })

  it('recordingstatus without a CallSid is False, and nothing is written', async () => {
    const { CallSid: _none, ...form } = recording(newSid('RE'), newSid())
    const before = await ledgerCounts(office.app)
    expect(await office.report('recordingstatus', form)).toBe('False')
    expect(await office.report('recordingstatus', { ...form, CallSid: ' ' })).toBe('False')
    expect(await ledgerCounts(office.app)).toEqual(before)
  })

  it.each(['javascript:alert(1)', 'ftp://x/RE1', '//x/RE1', 'not an address', `https://x/${'a'.repeat(3_000)}`])(
    'keeps no address but of the web: %s',
    async (RecordingUrl) => {
      const sid = newSid('RE')
      await office.report('recordingstatus', recording(sid, newSid(), { RecordingUrl }))
      expect(await office.only('connect.recording', [['sid', '=', sid]], ['media_url'])).toMatchObject({
        media_url: null,
      })
    },
  )
})

describe('vm_recordingstatus', () => {
  const VOICEMAIL = ['voicemail_url', 'voicemail_duration', 'status']

  it('shows the voicemail on the call, whose status stays, and answers True', async () => {
    const root = { sid: newSid() }
    await office.reports(callback(root, 'completed'))
    const form = recording(newSid('RE'), root.sid, { RecordingDuration: '21', RecordingSource: 'RecordVerb' })
    expect(await office.report('vm_recordingstatus', form)).toBe('True')
    expect(await office.call(root.sid, VOICEMAIL)).toMatchObject({
      voicemail_url: form.RecordingUrl,
      voicemail_duration: 21,
      status: 'completed',
    })
  })

  it('several vm_recordingstatus of a call show the latest, also when they have no sid and no time of their own', async () => {
    for (const sids of [['', ''], [newSid('RE'), newSid('RE')].toSorted().toReversed()]) {
      const root = { sid: newSid() }
      await office.reports(callback(root, 'completed'))
      for (const [at, sid] of sids.entries()) {
        const { RecordingStartTime: _none, ...form } = recording(sid, root.sid, { RecordingDuration: String(at + 5) })
        // Each of them comes twice, as a callback may.
        const reported = { ...form, RecordingUrl: `https://api.twilio.com/${root.sid}/voice${at}` }
        for (const again of [reported, reported]) await office.report('vm_recordingstatus', again)
      }
      expect(await office.call(root.sid, VOICEMAIL)).toMatchObject({
        voicemail_url: `https://api.twilio.com/${root.sid}/voice1`,
        voicemail_duration: 6,
      })
      const [kept] = await office.app.db.query(
        sql`select array_agg(duration order by id) as seconds from connect_voicemail where call_sid = ${root.sid}`,
      )
      expect(kept).toEqual({ seconds: [5, 6] })
    }
  })

  it('a voicemail reported without a duration has none', async () => {
    const root = { sid: newSid() }
    await office.reports(callback(root, 'in-progress'))
    const { RecordingDuration: _none, ...form } = recording(newSid('RE'), root.sid)
    await office.report('vm_recordingstatus', form)
    expect(await office.call(root.sid, VOICEMAIL)).toMatchObject({ voicemail_duration: 0, status: 'in-progress' })
  })

  it('vm_recordingstatus without a CallSid is a spoken error, and nothing is written', async () => {
    const { CallSid: _none, ...form } = recording(newSid('RE'), newSid())
    const before = await office.app.count('connect_voicemail')
    expect(await office.voice('vm_recordingstatus', form)).toMatch(/^<Response><Say>.+<\/Say><Hangup\/><\/Response>$/)
    expect(await office.app.count('connect_voicemail')).toBe(before)
  })

  it('vm_recordingstatus of an unknown leg changes no call', async () => {
    const before = await ledgerCounts(office.app)
    expect(await office.report('vm_recordingstatus', recording(newSid('RE'), newSid()))).toBe('True')
    expect(await ledgerCounts(office.app)).toEqual(before)
  })
})

const MESSAGE = [
  ...['message_sid', 'from_number', 'to_number', 'body', 'num_media', 'message_type', 'status', 'direction', 'partner'],
  ...['res_model', 'res_id', 'parent_message', 'media_url', 'media_content_type', 'has_error', 'error_code'],
]

function sms(sid: string, fields: Form = {}): Form {
  return {
    MessageSid: sid,
    SmsSid: sid,
    SmsMessageSid: sid,
    SmsStatus: 'received',
    AccountSid: ACCOUNT_SID,
    ApiVersion: '2010-04-01',
    From: CUSTOMER,
    To: OUR_NUMBER,
    Body: 'Hello',
    NumMedia: '0',
    NumSegments: '1',
    ...fields,
  }
}
const message = (sid: string) => office.only('connect.message', [['message_sid', '=', sid]], MESSAGE)

describe('message', () => {
  it('a message is kept, with its contact, in their chatter, escaped, and answered with nothing to send back', async () => {
    const partner = await office.contact('Dora', { phone: '+14155550601' })
    const sid = newSid('SM')
    const form = sms(sid, {
      From: '+14155550601',
      Body: '<script>alert("x")</script> & more',
      NumMedia: '1',
      MediaUrl0: `${API}/ME1`,
      MediaContentType0: 'image/jpeg',
    })
    expect(await office.voice('message', form)).toBe(EMPTY)
    expect(await message(sid)).toMatchObject({
      from_number: '+14155550601',
      to_number: OUR_NUMBER,
      body: '<script>alert("x")</script> & more',
      num_media: 1,
      message_type: 'mms',
      status: 'received',
      direction: 'incoming',
      partner: linked(partner),
      res_model: 'res.partner',
      res_id: partner,
      media_url: `${API}/ME1`,
      media_content_type: 'image/jpeg',
    })
    const [post = ''] = await office.posts('res.partner', partner)
    expect(post).toContain('&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt; &amp; more')
    expect(post).not.toContain('<script')
  })

  it('a repeated message, also at once, is one message, one contact and one post', async () => {
    const sid = newSid('SM')
    const form = sms(sid, { From: '+14155550602' })
    const answers = await Promise.all([1, 2, 3, 4].map(() => office.voice('message', form)))
    expect(new Set(answers)).toEqual(new Set([EMPTY]))
    const { partner } = await message(sid)
    const [id, name] = partner as [number, string]
    expect(name).toBe('+14155550602')
    expect(await office.list('res.partner', [['phone', '=', '+14155550602']], [])).toHaveLength(1)
    expect(await office.posts('res.partner', id)).toHaveLength(1)
  })

  it('message over WhatsApp loses the prefix, and is found as the reply that it is', async () => {
    const [first, reply] = [newSid('SM'), newSid('SM')]
    const parties = {
      From: 'whatsapp:+380501234567',
      To: `whatsapp:${OUR_NUMBER}`,
      ProfileName: 'Zoe',
      WaId: '380501234567',
    }
    await office.voice('message', sms(first, parties))
    await office.voice('message', sms(reply, { ...parties, ORIGINALREPLIEDMESSAGESID: first }))
    const { id } = await message(first)
    expect(await message(reply)).toMatchObject({
      message_type: 'WhatsApp',
      from_number: '+380501234567',
      parent_message: linked(id),
    })
  })

  it('message over WhatsApp of a Mexican mobile is of the contact who has the number without the 1, and one conversation', async () => {
    const [asked, sid] = [newSid('SM'), newSid('SM')]
    const partner = await office.contact('Frida', { mobile: '+52 55 1234 5678' })
    await office.app.db.query(
      sql`insert into connect_message (message_sid, from_number, to_number, status, direction, res_model, res_id)
          values (${asked}, ${OUR_NUMBER}, '+525512345678', 'sent', 'outgoing', 'res.partner', ${partner}::bigint)`,
    )
    await office.voice('message', sms(sid, { From: 'whatsapp:+5215512345678', To: `whatsapp:${OUR_NUMBER}` }))
    expect(await message(sid)).toMatchObject({
      from_number: '+525512345678',
      partner: linked(partner),
      res_model: 'res.partner',
      res_id: partner,
    })
    expect(await office.posts('res.partner', partner)).toHaveLength(1)
  })

  it('uses the defaults of the number for a contact nobody has', async () => {
    const number = await office.number('+14155550620', {})
    await office.create('connect.telco.message_configuration', {
      number,
      destination: 'res.partner',
      default_values: '{"lang": "de_DE", "name": "New one"}',
    })
    const sid = newSid('SM')
    await office.voice('message', sms(sid, { From: '+14155550621', To: '+14155550620' }))
    const { partner } = await message(sid)
    const id = (partner as [number, string])[0]
    expect(await office.only('res.partner', [['id', '=', id]], ['name', 'phone', 'lang'])).toMatchObject({
      name: 'New one',
      phone: '+14155550621',
      lang: 'de_DE',
    })
  })

  it.each([
    ['another account', { AccountSid: 'AC99999999999999999999999999999999' }],
    ['no id', { MessageSid: '', SmsSid: '' }],
    ['no sender', { From: '' }],
    ['the status of a message nobody knows', { SmsStatus: 'delivered' }],
  ])('a message of %s is ignored, and answered all the same', async (_what, fields) => {
    const before = await ledgerCounts(office.app)
    expect(await office.voice('message', sms(newSid('SM'), fields))).toBe(EMPTY)
    expect(await ledgerCounts(office.app)).toEqual(before)
  })
})

describe('message_status', () => {
  async function sent(): Promise<string> {
    const sid = newSid('SM')
    const partner = await office.contact('Receiver')
    const values = {
      message_sid: sid,
      from_number: OUR_NUMBER,
      to_number: CUSTOMER,
      body: 'Hi',
      res_model: 'res.partner',
      res_id: partner,
    }
    await insertRow(office.app.db, 'connect_message', {
      ...values,
      status: 'draft',
      status_rank: 0,
      direction: 'outgoing',
    })
    return sid
  }
  const status = (sid: string, MessageStatus: string, fields: Form = {}): Promise<string> =>
    office.report('message_status', { MessageSid: sid, SmsSid: sid, MessageStatus, AccountSid: ACCOUNT_SID, ...fields })

  it('moves a message on and never back, and answers OK', async () => {
    const sid = await sent()
    for (const each of ['sent', 'read', 'delivered', 'sent', 'queued']) expect(await status(sid, each)).toBe('OK')
    expect(await message(sid)).toMatchObject({ status: 'read', has_error: false })
  })

  it('message_status of a failure keeps why and tells so in the chatter, once', async () => {
    const sid = await sent()
    const why = { ErrorCode: '30003', ErrorMessage: 'Unreachable <handset>' }
    await status(sid, 'failed', why)
    await status(sid, 'failed', why)
    const kept = await message(sid)
    expect(kept).toMatchObject({ status: 'failed', has_error: true, error_code: '30003' })
    const posts = await office.posts('res.partner', Number(kept.res_id))
    expect(posts).toHaveLength(1)
    expect(posts[0]).toContain('Unreachable &lt;handset&gt;')
  })

  it('message_status by SmsSid and SmsStatus is the same', async () => {
    const sid = await sent()
    expect(await office.report('message_status', { MessageSid: '', SmsSid: sid, SmsStatus: 'delivered' })).toBe('OK')
    expect(await message(sid)).toMatchObject({ status: 'delivered' })
  })

  it('message_status of a message that came in is news like any other, and leaves it an incoming one', async () => {
    const sid = newSid('SM')
    await office.voice('message', sms(sid, { From: '+14155550650' }))
    expect(await status(sid, 'failed', { ErrorCode: '30003' })).toBe('OK')
    expect(await message(sid)).toMatchObject({ status: 'failed', direction: 'incoming', error_code: '30003' })
    await office.voice('message', sms(sid, { From: '+14155550650' }))
    expect(await message(sid)).toMatchObject({ status: 'failed' })
  })

  it.each([{}, { MessageSid: 'SMunknown', MessageStatus: 'sent' }, { MessageStatus: 'sent' }, { MessageSid: 'SM1' }])(
    '%o is OK, and nothing is written',
    async (form) => {
      const before = await ledgerCounts(office.app)
      expect(await office.report('message_status', form as Form)).toBe('OK')
      expect(await ledgerCounts(office.app)).toEqual(before)
    },
  )
})

describe('outgoing_callerid', () => {
  const CALLER_ID = ['status', 'sid']
  const result = (number: string, VerificationStatus: string, fields: Form = {}): Promise<string> =>
    office.report('outgoing_callerid', {
      ...callback({ sid: newSid(), direction: 'outbound-api', from: '+14157234000', to: number }, 'completed'),
      VerificationStatus,
      ...fields,
    })
  const kept = (id: number) => office.only('connect.telco.outgoing_callerid', [['id', '=', id]], CALLER_ID)
  const create = (number: string, callerid_type: string) =>
    office.create('connect.telco.outgoing_callerid', { number, friendly_name: number, callerid_type })

  it('success validates the number, and answers True', async () => {
    const id = await create('+14155550801', 'outgoing_callerid')
    expect(await kept(id)).toMatchObject({ status: 'not validated', sid: null })
    const sid = newSid('PN')
    expect(await result('+14155550801', 'success', { OutgoingCallerIdSid: sid })).toBe('True')
    expect(await kept(id)).toMatchObject({ status: 'validated', sid })
  })

  it('success validates a number that the provider names in another form than ours is stored in', async () => {
    const id = await create('+5491123450801', 'outgoing_callerid')
    expect(await result('+541123450801', 'success', { OutgoingCallerIdSid: newSid('PN') })).toBe('True')
    expect(await kept(id)).toMatchObject({ status: 'validated' })
  })

  it('success validates only the number that the provider names where the other form of it is stored too', async () => {
    const [other, named] = [
      await create('+541123450806', 'outgoing_callerid'),
      await create('+5491123450806', 'outgoing_callerid'),
    ]
    const sid = newSid('PN')
    expect(await result('+5491123450806', 'success', { OutgoingCallerIdSid: sid })).toBe('True')
    expect(await kept(named)).toMatchObject({ status: 'validated', sid })
    expect(await kept(other)).toMatchObject({ status: 'not validated', sid: null })
  })

  it('anything else is a failed validation', async () => {
    const id = await create('+14155550802', 'outgoing_callerid')
    expect(await result('+14155550802', 'failed')).toBe('True')
    expect(await kept(id)).toMatchObject({ status: 'validation failed', sid: null })
  })

  it('a failed outgoing_callerid fails a number that somebody called validated, but not one that the provider validated', async () => {
    const number = '+14155550805'
    const id = await office.create('connect.telco.outgoing_callerid', {
      ...{ number, friendly_name: number, callerid_type: 'outgoing_callerid', status: 'validated' },
    })
    await result('+14155550805', 'failed')
    expect(await kept(id)).toMatchObject({ status: 'validation failed' })
    const sid = newSid('PN')
    await result('+14155550805', 'success', { OutgoingCallerIdSid: sid })
    await result('+14155550805', 'failed')
    expect(await kept(id)).toMatchObject({ status: 'validated', sid })
  })

  it('about a number that is not validated here is False, and changes nothing', async () => {
    const id = await create('+14155550803', 'number')
    const before = await kept(id)
    expect(await result('+14155550803', 'failed')).toBe('False')
    expect(await result('+14155559999', 'success')).toBe('False')
    expect(await kept(id)).toEqual(before)
  })

  it('outgoing_callerid is no call of ours: the ledger stays as it is', async () => {
    await create('+14155550804', 'outgoing_callerid')
    const before = await ledgerCounts(office.app)
    await result('+14155550804', 'success')
    expect(await ledgerCounts(office.app)).toEqual(before)
  })
})

describe('debug mode', () => {
  const traces = () => office.list('connect.debug', [], ['model', 'message'])

  it('leaves a line of what was asked and answered, and none without it', async () => {
    await office.reports(callback({ sid: newSid() }, 'ringing'))
    expect(await traces()).toEqual([])
    await office.settings({ debug_mode: true })
    const sid = newSid()
    const id = await office.reports(callback({ sid }, 'ringing'))
    await office.settings({ debug_mode: false })
    const [line, ...others] = await traces()
    expect(others).toEqual([])
    expect(line?.message).toContain(`CallSid=${sid}`)
    expect(line?.message).toContain('POST /telco/webhook/callstatus')
    expect(line?.message).toContain(`-> 200 ${id}`)
  })
})

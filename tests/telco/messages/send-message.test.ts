import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { sql } from '../../../src/database/drizzle.ts'
import { recordMessageStatuses } from '../../../src/ledger/messages/record-message-status.ts'
import { GROUP } from '../../../src/platform/access/identity.ts'
import { ProviderUnavailable } from '../../../src/ports/telco-client.ts'
import { openLater } from '../../../src/telco/calls/open-later.ts'
import { CredentialsRefused } from '../../../src/telco/client/failures.ts'
import { sendMessageJob } from '../../../src/telco/messages/deliver-message.ts'
import { receiveMessages } from '../../../src/telco/messages/receive-message.ts'
import { aSid } from '../../fixtures/records.ts'
import { asWebhook, aTelcoRequest } from '../../support/effects.ts'
import { FakeTelco, refusal } from '../../support/fake-telco.ts'
import { ACCOUNT_SID, setUpTelco } from '../../support/telco.ts'
import { type Caller, eventually, TestApp } from '../../support/test-app.ts'

const OURS = '+14155550199'
const THEIRS = '+14155550100'

let fake: FakeTelco
let app: TestApp
let anna: Caller
let bert: Caller
let now = new Date('2026-03-01T12:00:00Z')

beforeAll(async () => {
  fake = await FakeTelco.start()
  app = await TestApp.start({ env: { TELCO_BASE_URL: fake.url }, clock: () => now })
  await setUpTelco(app)
  anna = await app.person([GROUP.internal, GROUP.connectUser])
  bert = await app.person([GROUP.internal, GROUP.connectUser])
  await app.db.query(sql`insert into connect_telco_number (phone_number) values (${OURS}), ('+14155550200')`)
})
afterAll(async () => {
  await app.stop()
  await fake.stop()
})
beforeEach(async () => {
  now = new Date('2026-03-01T12:00:00Z')
  fake.reset()
  await app.db.query(sql`delete from mail_message`)
  await app.db.query(sql`delete from connect_message`)
  await app.db.query(sql`delete from connect_whatsapp_sender`)
})

async function message(id: number): Promise<Record<string, unknown>> {
  const [row] = await app.db.query(sql`select * from connect_message where id = ${id}::bigint`)
  return row ?? {}
}

function reaches(id: number, status: string): Promise<Record<string, unknown>> {
  return eventually(async () => {
    const row = await message(id)
    return row.status === status && row
  })
}

/** Waits until the provider has taken it: it is queued before the provider is asked, and what is asked late meets the next test. */
function taken(id: number): Promise<Record<string, unknown>> {
  return eventually(async () => {
    const row = await message(id)
    return row.message_sid !== null && row
  })
}

function send(args: object, caller = anna): Promise<number> {
  return caller.ask<number>('connect.message', 'send', { to: THEIRS, body: 'Hello', ...args })
}

async function aSender(
  values: { number?: string; status?: string; is_default?: boolean; no_sync?: boolean } = {},
): Promise<number> {
  const { number = OURS, status = 'ONLINE', is_default: isDefault = false, no_sync: noSync = false } = values
  const [row] = await app.db.query<{ id: number }>(
    sql`insert into connect_whatsapp_sender (number, sid, status, is_default, no_sync)
        values (${number}, ${`XE${number}`}, ${status}, ${isDefault}, ${noSync}) returning id`,
  )
  return row?.id ?? 0
}

async function anIncoming(hoursAgo: number, to = OURS): Promise<void> {
  const at = new Date(now.getTime() - hoursAgo * 3_600_000).toISOString().slice(0, 19).replace('T', ' ')
  await app.db.query(
    sql`insert into connect_message (from_number, to_number, message_type, status, direction, create_date)
        values (${THEIRS}, ${to}, 'WhatsApp', 'received', 'incoming', ${at}::timestamp)`,
  )
}

it('messages of a day end at the limit of the person and of all, and none goes to a barred number', async () => {
  const settings = (vals: object) => app.admin.ask('connect.settings', 'write', { ids: [1], vals })
  await app.db.query(sql`delete from connect_outgoing_count`)
  await settings({ messages_a_day: 3, messages_a_day_of_user: 2 })
  await expect(send({ to: '+19005550100' })).rejects.toThrow('blocked for calls and messages')
  await taken(await send({}))
  await taken(await send({}))
  await expect(send({})).rejects.toThrow('You have reached your daily limit of messages')
  await taken(await send({}, bert))
  await expect(send({}, bert)).rejects.toThrow('The daily limit of messages is reached')
  now = new Date('2026-03-02T00:00:01Z')
  await taken(await send({}, bert))
  await settings({ messages_a_day: 0, messages_a_day_of_user: 0 })
})

describe('an answer goes to the address that wrote', () => {
  const receive = (From: string, fields: Record<string, string> = {}) =>
    asWebhook(app, (env) =>
      receiveMessages(env, [
        aTelcoRequest({
          MessageSid: aSid('SM'),
          AccountSid: ACCOUNT_SID,
          SmsStatus: 'received',
          From,
          To: From.startsWith('whatsapp:') ? `whatsapp:${OURS}` : OURS,
          Body: 'Hi',
          NumMedia: '0',
          ...fields,
        }),
      ]),
    )
  const sentTo = async (id: number) => {
    await taken(id)
    const form = Object.fromEntries(fake.asked('POST', /Messages/).at(-1)?.form ?? [])
    return { to: form.To, from: form.From }
  }

  it.each([
    ['262966', '262966', 'sms'],
    ['72345678', '72345678', 'sms'],
    ['116117', '116117', 'sms'],
    ['118118', '118 118', 'sms'],
    ['whatsapp:+556196665555', '+55 61 99666-5555', 'WhatsApp'],
    ['whatsapp:+5215512345678', '+525512345678', 'WhatsApp'],
    ['+541123456789', '+5491123456789', 'sms'],
    ['+22507123456', '+2250707123456', 'sms'],
    ['whatsapp:US.13491208655302741918', 'US.13491208655302741918', 'WhatsApp'],
    ['whatsapp:DE.ENT.4f2a99', 'DE.ENT.4f2a99', 'WhatsApp'],
  ])('%s, when somebody answers %s', async (wrote, to, channel) => {
    await aSender({ is_default: true })
    await app.db.query(sql`update connect_settings set country_id = (select id from res_country where code = 'DE')`)
    await app.db.script("notify connect_settings, ''")
    await receive(wrote)
    const id = await send({ to, message_type: channel })
    expect(await sentTo(id)).toMatchObject({ to: wrote })
    const talks = await app.db.query(
      sql`select distinct conversation from connect_message where id = ${id}::bigint or direction = 'incoming'`,
    )
    expect(talks).toHaveLength(1)
  })

  it.each([
    ['262966', '\u200e262966\u200f'],
    ['262966', '26\u202f29\u202f66'],
    ['+999123456789', '+999 123-456 789'],
  ])('an answer goes to %s, which wrote, though it is typed as %j', async (wrote, to) => {
    await receive(wrote)
    expect(await sentTo(await send({ to, from: OURS }))).toMatchObject({ to: wrote })
    expect(await anna.ask('connect.message', 'sending_obstacle', { to })).toMatchObject({ cannot_answer: false })
  })

  it.each([
    ['+5215512345678', '+5215512345678'],
    ['+551187654321', '+5511987654321'],
    ['+5511987654321', '+551187654321'],
    ['+541123456789', '+5491123456789'],
  ])('a message to the sender %s, named as %s, is answered from it', async (sender, named) => {
    await aSender({ number: sender })
    await receive('whatsapp:+4915112345671', { To: `whatsapp:${named}` })
    const [came] = await app.db.query<{ to_number: string }>(sql`select to_number from connect_message`)
    expect(came).toEqual({ to_number: sender })
    for (const from of [sender, named]) {
      const id = await send({ to: '+4915112345671', from, message_type: 'WhatsApp' })
      expect(await sentTo(id)).toMatchObject({ from: `whatsapp:${sender}` })
    }
    expect(await app.db.query(sql`select distinct conversation from connect_message`)).toHaveLength(1)
  })

  it('an answer goes out on RCS, from the address that they wrote to', async () => {
    await receive('rcs:+4915112345678', { To: 'rcs:acme_agent' })
    expect(await sentTo(await send({ to: '0151 12345678' }))).toEqual({
      to: 'rcs:+4915112345678',
      from: 'rcs:acme_agent',
    })
  })

  it('somebody who writes by SMS and on RCS is answered the way that the conversation goes, and else the way they wrote last', async () => {
    const [number, bare, agent] = ['+4915112345670', '0151 12345670', 'rcs:acme_agent']
    const onRcs = { to: `rcs:${number}`, from: agent }
    const bySms = { to: number, from: OURS }
    await receive(`rcs:${number}`, { To: agent })
    expect(await sentTo(await send({ to: bare, from: OURS }))).toEqual(bySms)
    await receive(number)
    expect(await sentTo(await send({ to: bare }))).toEqual(bySms)
    expect(await sentTo(await send({ to: number, from: agent }))).toEqual(onRcs)
    expect(await sentTo(await send({ to: `rcs:${number}` }))).toEqual(onRcs)
    await receive(`rcs:${number}`, { To: agent })
    expect(await sentTo(await send({ to: bare }))).toEqual(onRcs)
    expect(await sentTo(await send({ to: number, from: OURS }))).toEqual(bySms)
    await expect(send({ to: number, from: 'rcs:other_agent' })).rejects.toThrow('the one named is not ours')
    const talks = await app.db.query(
      sql`select distinct c.ours, c.theirs from connect_conversation c join connect_message m on m.conversation = c.id order by 1`,
    )
    expect(talks).toEqual([
      { ours: OURS, theirs: number },
      { ours: agent, theirs: number },
    ])
  })

  it('STOP on RCS holds for its agent, is said before writing, and a barred number is barred there too', async () => {
    const [number, agent] = ['+4915112345671', 'rcs:acme_agent']
    await receive(`rcs:${number}`, { To: agent, Body: 'STOP', OptOutType: 'STOP' })
    await expect(send({ to: number, from: agent })).rejects.toThrow(`opted out of texts from ${agent}`)
    const said = { to: number, from: agent, message_type: 'sms' }
    expect(await anna.ask('connect.message', 'sending_obstacle', said)).toMatchObject({
      opted_out_at: expect.any(String),
    })
    expect(await sentTo(await send({ to: number, from: OURS }))).toEqual({ to: number, from: OURS })
    await receive('rcs:+19005550101', { To: agent })
    await expect(send({ to: '+19005550101' })).rejects.toThrow('blocked for calls and messages')
  })

  it('somebody who shows a number no more is still the same person, and is answered by the id', async () => {
    await aSender({ is_default: true })
    await receive('whatsapp:+4915112345679', { ExternalUserId: 'whatsapp:DE.456' })
    await receive('whatsapp:DE.456', { ExternalUserId: 'whatsapp:DE.456' })
    await receive('', { ExternalUserId: 'whatsapp:DE.456', To: `whatsapp:${OURS}` })
    const rows = await app.db.query(sql`select distinct partner, conversation, from_number from connect_message`)
    expect(rows).toMatchObject([{ from_number: '+4915112345679' }])
    expect(await sentTo(await send({ to: '+4915112345679', message_type: 'WhatsApp' }))).toMatchObject({
      to: 'whatsapp:DE.456',
    })
  })

  it('a sender that is only a name cannot be answered, and that is said', async () => {
    await receive('ADAC')
    const refused = await anna.call('connect.message', 'send', { to: 'ADAC', body: 'Hello' })
    expect(refused).toMatchObject({ status: 422, text: expect.stringContaining('cannot be answered') })
  })
})

describe('a text', () => {
  it('goes from draft to the provider, and its status comes back to it', async () => {
    const id = await send({ to: '+1 (415) 555-0100' })
    const row = await taken(id)
    expect(row).toMatchObject({
      from_number: OURS,
      to_number: THEIRS,
      message_type: 'sms',
      direction: 'outgoing',
      sender_user: anna.userId,
    })
    const [asked] = fake.asked('POST', /Messages/)
    expect(Object.fromEntries(asked?.form ?? [])).toMatchObject({
      To: THEIRS,
      From: OURS,
      Body: 'Hello',
      StatusCallback: `https://pbx.example.com/telco/webhook/message_status?ref=${id}-1#e=ashburn&rc=2&rp=ct,rt,5xx`,
    })
    await asWebhook(app, (env) =>
      recordMessageStatuses(env, [aTelcoRequest({ MessageSid: String(row.message_sid), MessageStatus: 'delivered' })]),
    )
    expect(await message(id)).toMatchObject({ status: 'delivered' })
  })

  it('a text is kept with the contact, in the words and name of who wrote', async () => {
    const partner = await app.admin.ask<number>('res.partner', 'create', {
      vals_list: { name: 'Zoe', phone: '+14155550155' },
    })
    const id = await send({ to: '+14155550155', body: 'a < b' })
    expect(await message(id)).toMatchObject({ partner, res_model: 'res.partner', res_id: partner })
    const [post] = await app.db.query(
      sql`select body, message_type, connect_message from mail_message where res_id = ${partner}::bigint`,
    )
    expect(post).toEqual({ body: '<p>a &lt; b</p>', message_type: 'sms', connect_message: id })
  })

  it('goes on where the conversation is only when its writer may post there, else on the contact', async () => {
    const to = '+14155550156'
    const partner = await app.admin.ask<number>('res.partner', 'create', { vals_list: { name: 'Zora', phone: to } })
    const ticket = await app.admin.ask<number>('helpdesk.ticket', 'create', { vals_list: { name: 'Closed to Anna' } })
    const theirs = await app.db.query<{ id: number }>(
      sql`insert into connect_message (from_number, to_number, message_type, status, direction, res_model, res_id)
          values (${to}, ${OURS}, 'sms', 'received', 'incoming', 'helpdesk.ticket', ${ticket}::bigint) returning id`,
    )
    expect(theirs).toHaveLength(1)
    expect(await message(await send({ to, from: OURS }))).toMatchObject({ res_model: 'res.partner', res_id: partner })
    expect(await app.db.query(sql`select 1 from mail_message where model = 'helpdesk.ticket'`)).toEqual([])
    const agent = await app.person([GROUP.connectUser, GROUP.helpdeskUser])
    await app.db.query(sql`update connect_message set res_model = 'helpdesk.ticket', res_id = ${ticket}::bigint`)
    const onTicket = await send({ to, from: OURS }, agent)
    expect(await message(onTicket)).toMatchObject({ res_model: 'helpdesk.ticket', res_id: ticket })
  })

  it('goes out from the number that the receiver wrote to', async () => {
    await app.db.query(
      sql`insert into connect_message (from_number, to_number, message_type, status, direction)
          values (${THEIRS}, '+14155550200', 'sms', 'received', 'incoming')`,
    )
    expect(await message(await send({}))).toMatchObject({ from_number: '+14155550200' })
  })

  it('a text with pictures is an MMS', async () => {
    const id = await send({ body: '', media_urls: ['https://a.example/1.png'] })
    await taken(id)
    expect(await message(id)).toMatchObject({ message_type: 'mms', num_media: 1, media_url: 'https://a.example/1.png' })
  })

  it.each([
    ['must be a phone number', { to: 'ring me' }],
    ['must be a phone number', { to: 'n/a:1' }],
    ['is empty', { body: '  ' }],
    ['1600 characters', { body: 'x'.repeat(1_601) }],
    ['not ours', { from: '+14155550000' }],
    ['media_urls', { media_urls: ['javascript:alert(1)'] }],
    ['Only WhatsApp messages can use', { template_id: 1 }],
    ['no WhatsApp sender', { message_type: 'WhatsApp' }],
    ['cannot be kept with', { res_model: 'connect.settings', res_id: 1 }],
    ['not allowed', { res_model: 'helpdesk.ticket', res_id: 1 }],
    ['no record', { res_model: 'res.partner', res_id: 2_000_000 }],
  ])('a text is refused with the sentence "… %s …", and nothing is kept', async (sentence, args) => {
    await expect(send(args)).rejects.toThrow(sentence)
    expect(await app.count('connect_message')).toBe(0)
    expect(await app.count('mail_message')).toBe(0)
  })

  it('a text is for Connect users', async () => {
    const stranger = await app.person([GROUP.internal])
    expect((await stranger.call('connect.message', 'send', { to: THEIRS, body: 'x' })).status).toBe(403)
  })

  it('a text cannot be given a status or an id by hand', async () => {
    for (const vals of [{ status: 'delivered' }, { message_sid: 'SM1' }, { sender_user: bert.userId }]) {
      const answer = await anna.call('connect.message', 'create', {
        vals_list: { from_number: OURS, to_number: THEIRS, ...vals },
      })
      expect(answer.status).toBe(422)
    }
    const id = await anna.ask<number>('connect.message', 'create', {
      vals_list: { from_number: OURS, to_number: THEIRS },
    })
    expect(await message(id)).toMatchObject({ status: 'draft', direction: 'outgoing', sender_user: anna.userId })
  })
})

describe('trouble', () => {
  it('trouble that is a refusal fails the message with its reason, which can be sent again', async () => {
    fake.on('POST', /Messages/, refusal(400, 21610, 'Attempt to send to unsubscribed recipient'))
    const id = await send({})
    expect(await reaches(id, 'failed')).toMatchObject({ has_error: true, error_code: '21610' })
    expect((await bert.call('connect.message', 'retry', { ids: [id] })).status).toBe(404)
    await anna.ask('connect.message', 'retry', { ids: [id] })
    const row = await taken(id)
    expect(row).toMatchObject({ status: 'queued', attempt: 2, has_error: false, error_code: null })
    expect((await anna.call('connect.message', 'retry', { ids: [id] })).status).toBe(409)
  })

  it('trouble of which nobody knows whether it was sent is not sent again by itself', async () => {
    fake.on('POST', /Messages/, { isCut: true }, 10)
    const id = await send({})
    expect(await reaches(id, 'failed')).toMatchObject({
      has_error: true,
      error_message: expect.stringContaining('may have been done'),
    })
    expect(fake.asked('POST', /Messages/)).toHaveLength(1)
    // It was sent after all.
    await asWebhook(app, (env) =>
      recordMessageStatuses(env, [aTelcoRequest({ MessageSid: 'SMX', MessageStatus: 'sent' }, `ref=${id}-1`)]),
    )
    expect(await message(id)).toMatchObject({ status: 'sent', has_error: false, message_sid: 'SMX' })
  })

  it('trouble in which nothing was sent is tried again, and given up in the end', async () => {
    const client = { sendMessage: () => Promise.reject(new ProviderUnavailable('down')) } as never
    const { platform, identities } = app.app
    const job = sendMessageJob(openLater({ db: app.db, platform, identities }), client)
    const [row] = await app.db.query<{ id: number }>(
      sql`insert into connect_message (from_number, to_number, message_type, status, status_rank, attempt)
          values (${OURS}, ${THEIRS}, 'sms', 'draft', 0, 1) returning id`,
    )
    const ref = { id: row?.id ?? 0, attempt: 1 }
    await expect(job.work(ref, { isLast: false })).rejects.toThrow()
    expect(await message(ref.id)).toMatchObject({ status: 'draft' })
    await job.work(ref, { isLast: true })
    expect(await message(ref.id)).toMatchObject({ status: 'failed', has_error: true })
  })

  it.each([
    ['cannot be reached', new ProviderUnavailable('down'), 'Twilio cannot be reached. It is tried again.'],
    [
      'refuses the credentials',
      new CredentialsRefused('no'),
      "Twilio does not accept the account's credentials. An administrator must enter them again. It is tried again.",
    ],
  ])(
    'a message that waits because the provider %s says so, and no more once it is sent',
    async (_why, error, reason) => {
      const { platform, identities } = app.app
      const open = openLater({ db: app.db, platform, identities })
      const [row] = await app.db.query<{ id: number }>(
        sql`insert into connect_message (from_number, to_number, message_type, direction, status, status_rank, attempt)
          values (${OURS}, ${THEIRS}, 'sms', 'outgoing', 'draft', 0, 1) returning id`,
      )
      const ref = { id: row?.id ?? 0, attempt: 1 }
      const waitsFor = async (): Promise<unknown> =>
        (await app.admin.ask<{ waits_for: unknown }[]>('connect.message', 'read', { ids: [ref.id] }))[0]?.waits_for
      expect(await waitsFor()).toBe('The service, or a worker, has not come to it yet.')
      const failing = sendMessageJob(open, { sendMessage: () => Promise.reject(error) } as never)
      await expect(failing.work(ref, { isLast: false })).rejects.toThrow()
      expect(await waitsFor()).toBe(reason)
      const sending = sendMessageJob(open, { sendMessage: async () => ({ sid: 'SM-now', status: 'queued' }) } as never)
      await sending.work(ref, { isLast: false })
      expect(await waitsFor()).toBeNull()
      expect(await message(ref.id)).toMatchObject({ status: 'queued', error_message: null, has_error: false })
    },
  )

  it('a draft that nobody has asked to be sent says so', async () => {
    const draft = { from_number: OURS, to_number: THEIRS, body: 'Not yet' }
    const id = await app.admin.ask<number>('connect.message', 'create', { vals_list: draft })
    expect(await app.admin.ask('connect.message', 'read', { ids: [id], fields: ['status', 'waits_for'] })).toEqual([
      { id, status: 'draft', waits_for: 'It is a draft: nobody has asked for it to be sent.' },
    ])
  })

  it('a text without credentials is refused at once, with the setting that is missing', async () => {
    const settings = (vals: object) => app.admin.ask('connect.settings', 'write', { ids: [1], vals })
    const [failed] = await app.db.query<{ id: number }>(
      sql`insert into connect_message (from_number, to_number, message_type, direction, status, attempt, sender_user)
          values (${OURS}, ${THEIRS}, 'sms', 'outgoing', 'failed', 1, ${anna.userId}::bigint) returning id`,
    )
    // Asked by somebody who may not read the settings.
    const obstacle = async () => (await anna.ask<{ obstacle: unknown }>('connect.message', 'sending_obstacle')).obstacle
    expect(await obstacle()).toBe(null)
    try {
      await settings({ auth_token: null })
      expect(await obstacle()).toBe('"auth_token" is not set: enter it in the settings first.')
      await expect(send({})).rejects.toThrow('auth_token\\" is not set: enter it in the settings first.')
      await settings({ account_sid: null })
      await expect(send({})).rejects.toThrow('are not set: enter both in the settings first.')
      await expect(anna.ask('connect.message', 'retry', { ids: [failed?.id] })).rejects.toThrow('are not set')
    } finally {
      await setUpTelco(app)
    }
    expect(await message(failed?.id ?? 0)).toMatchObject({ status: 'failed', attempt: 1 })
    expect(await app.count('connect_message')).toBe(1)
  })

  it('the death of a process on the way is told, and the message not sent twice', async () => {
    const [row] = await app.db.query<{ id: number }>(
      sql`insert into connect_message (from_number, to_number, message_type, status, status_rank, attempt)
          values (${OURS}, ${THEIRS}, 'sms', 'queued', 1, 1) returning id`,
    )
    const { platform, identities } = app.app
    const client = { sendMessage: () => Promise.reject(new Error('must not be asked')) } as never
    await sendMessageJob(openLater({ db: app.db, platform, identities }), client).work(
      { id: row?.id ?? 0, attempt: 1 },
      { isLast: false },
    )
    expect(await message(row?.id ?? 0)).toMatchObject({
      status: 'failed',
      error_message: expect.stringContaining('look before you try again'),
    })
  })
})

describe('WhatsApp', () => {
  it('takes free text within 24 hours of the last message of that number', async () => {
    await aSender()
    await expect(send({ message_type: 'WhatsApp' })).rejects.toThrow('an approved template is required')
    await anIncoming(23.9)
    const id = await send({ message_type: 'WhatsApp' })
    await reaches(id, 'queued')
    await eventually(async () => fake.asked('POST', /Messages/).length > 0)
    expect(Object.fromEntries(fake.asked('POST', /Messages/)[0]?.form ?? [])).toMatchObject({
      To: `whatsapp:${THEIRS}`,
      From: `whatsapp:${OURS}`,
    })
    expect(await message(id)).toMatchObject({ from_number: OURS, to_number: THEIRS, message_type: 'WhatsApp' })
    now = new Date(now.getTime() + 3_600_000)
    await expect(send({ message_type: 'WhatsApp' })).rejects.toThrow('an approved template is required')
  })

  it('WhatsApp has a window of 24 hours, for the sender that was written to', async () => {
    await aSender()
    await anIncoming(1, '+14155550177')
    await anIncoming(24)
    await expect(send({ message_type: 'WhatsApp' })).rejects.toThrow('an approved template is required')
    await anIncoming(24 - 1 / 3_600)
    await reaches(await send({ message_type: 'WhatsApp' }), 'queued')
    await eventually(async () => fake.asked('POST', /Messages/).length > 0)
  })

  it('takes an approved template at any time', async () => {
    await aSender()
    const [lang] = await app.db.query<{ id: number }>(sql`select id from res_lang limit 1`)
    const [template] = await app.db.query<{ id: number }>(
      sql`insert into connect_message_content_template (friendly_name, language, content_type, status, sid, body, variables)
          values ('greeting', ${lang?.id ?? 0}::bigint, 'text', 'approved', 'HX1', 'Hello {{1}}, it is {{2}}.', '{"1": "you", "2": "late"}') returning id`,
    )
    const id = await send({
      message_type: 'WhatsApp',
      template_id: template?.id,
      template_variables: { 1: 'Zoe' },
      body: undefined,
    })
    await taken(id)
    const [asked] = fake.asked('POST', /Messages/)
    expect(asked?.form.get('ContentSid')).toBe('HX1')
    expect(JSON.parse(asked?.form.get('ContentVariables') ?? '')).toEqual({ 1: 'Zoe', 2: 'late' })
    expect(await message(id)).toMatchObject({ body: 'Hello Zoe, it is late.' })
    await app.db.query(sql`update connect_message_content_template set status = 'paused'`)
    await expect(send({ message_type: 'WhatsApp', template_id: template?.id })).rejects.toThrow('is not approved')
  })

  it.each([
    ['the default one', [{ number: '+1000' }, { number: '+2000', is_default: true }], '+2000'],
    ['any that is online', [{ number: '+1000', status: 'OFFLINE', is_default: true }, { number: '+2000' }], '+2000'],
    ['none that is not used', [{ number: '+1000', no_sync: true }], undefined],
    ['none that is offline', [{ number: '+1000', status: 'OFFLINE' }], undefined],
  ])('sends from %s', async (_what, senders, expected) => {
    for (const sender of senders) await aSender(sender)
    for (const { number } of senders) await anIncoming(1, number)
    const sent = send({ message_type: 'WhatsApp' })
    if (expected === undefined) return expect(sent).rejects.toThrow('no WhatsApp sender')
    expect(await message(await sent)).toMatchObject({ from_number: expected })
  })
})

it.each([
  ['AXA', 'sms', true],
  ['Migros Info', 'sms', true],
  ['+266696687', 'sms', true],
  ['anonymous', 'sms', true],
  [THEIRS, 'sms', false],
  ['262966', 'sms', false],
  ['116 117', 'sms', false],
  ['DE.815799212886844830', 'WhatsApp', false],
])('a page says before it is written to %s whether that can be answered', async (to, type, isUnanswerable) => {
  const args = { to, from: OURS, message_type: type }
  expect(await anna.ask('connect.message', 'sending_obstacle', args)).toMatchObject({ cannot_answer: isUnanswerable })
})

it.each(['anonymous', '+266696687', '0000000000'])('nobody writes to %s: the number is withheld', async (to) => {
  await expect(send({ to, from: OURS })).rejects.toThrow('This sender withheld their number')
})

describe('STOP is remembered', () => {
  const theyWrite = (body: string, fields = {}) =>
    asWebhook(app, (env) =>
      receiveMessages(env, [
        aTelcoRequest({
          MessageSid: aSid('SM'),
          SmsStatus: 'received',
          AccountSid: ACCOUNT_SID,
          From: THEIRS,
          To: OURS,
          Body: body,
          ...fields,
        }),
      ]),
    )
  const obstacle = (args = {}) =>
    anna.ask<{ opted_out_at: string | null }>('connect.message', 'sending_obstacle', {
      to: THEIRS,
      from: OURS,
      ...args,
    })

  const theProviders = ['STOP', ' stop ', 'StopAll', 'UNSUBSCRIBE', 'Cancel', 'END', 'quit']
  const others = [
    'Stop.',
    '"STOP"!',
    'Stop all',
    'opt-out',
    'ARRÊT',
    'Arrete',
    'Stopp',
    'ALTO',
    'remove',
    'Стоп',
    'stop\u200b',
    ...[
      'Abbestellen',
      'Désinscrire',
      'afmelden',
      'Stoppen',
      'SAIR',
      'Dar de baja',
      'Disiscrivi',
      'Odhlásit',
      'Отписаться',
      '退订',
    ],
  ]
  it.each([...theProviders, ...others])('%j stops texts until START', async (word) => {
    await theyWrite(word)
    const refused = await anna.call('connect.message', 'send', { to: THEIRS, from: OURS, body: 'Hello' })
    expect([refused.status, refused.text]).toEqual([422, expect.stringContaining('has opted out of texts')])
    expect(await obstacle()).toMatchObject({ opted_out_at: '2026-03-01 12:00:00' })
    expect(await obstacle({ from: '+14155550200' })).toMatchObject({ opted_out_at: null })
    expect(await obstacle({ message_type: 'WhatsApp' })).toMatchObject({ opted_out_at: null })
    await theyWrite('Please stop by')
    expect(await obstacle()).toMatchObject({ opted_out_at: '2026-03-01 12:00:00' })
    await theyWrite('Start.')
    expect(await obstacle()).toMatchObject({ opted_out_at: null })
    await taken(await send({ from: OURS }))
  })

  it.each(['Please stop by', 'Cancel my order', 'Stop at the corner', 'end of May', '', '👍'])(
    '%j is a text like any other',
    async (text) => {
      await theyWrite(text)
      expect(await obstacle()).toMatchObject({ opted_out_at: null })
    },
  )

  it("follows the provider's own word, by channel", async () => {
    await aSender()
    await theyWrite('Arrêt', { OptOutType: 'STOP' })
    expect(await obstacle()).toMatchObject({ opted_out_at: expect.any(String) })
    await theyWrite('YES')
    await theyWrite('STOP', { From: `whatsapp:${THEIRS}`, To: `whatsapp:${OURS}` })
    expect(await obstacle()).toMatchObject({ opted_out_at: null })
    expect(await obstacle({ message_type: 'WhatsApp' })).toMatchObject({ opted_out_at: expect.any(String) })
    const args = { to: THEIRS, body: 'Hello', message_type: 'WhatsApp' }
    await expect(anna.ask('connect.message', 'send', args)).rejects.toThrow(/has opted out of WhatsApp/)
    await theyWrite('UNSTOP', { From: `whatsapp:${THEIRS}`, To: `whatsapp:${OURS}` })
    await taken(await send({ message_type: 'WhatsApp' }))
  })

  it('learns it from the refusal of the provider, and forgets it when the provider takes a text again', async () => {
    fake.on('POST', /Messages/, refusal(400, 21610, 'Attempt to send to unsubscribed recipient'))
    const id = await send({ from: OURS })
    await reaches(id, 'failed')
    await expect(send({ from: OURS })).rejects.toThrow(/has opted out of texts/)
    await anna.ask('connect.message', 'retry', { ids: [id] })
    await taken(id)
    expect(await eventually(async () => (await obstacle()).opted_out_at === null)).toBe(true)
  })
})

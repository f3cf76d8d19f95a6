import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { sql } from '../../../src/database/drizzle.ts'
import { receiveMessages } from '../../../src/telco/messages/receive-message.ts'
import { aConversationId, aTranscript, callOf, deliver, useSecret } from '../../fixtures/post-call.ts'
import { asWebhook, aTelcoRequest } from '../../support/effects.ts'
import { ACCOUNT_SID, setUpTelco } from '../../support/telco.ts'
import { TestApp } from '../../support/test-app.ts'

const OURS = '+15550100009'
const THEIRS = '+15550100001'

let app: TestApp

beforeAll(async () => {
  app = await TestApp.start()
  await setUpTelco(app)
})
afterAll(() => app.stop())
beforeEach(async () => {
  await app.db.query(sql`delete from mail_message`)
  await app.db.query(sql`delete from connect_message`)
  await app.db.query(sql`delete from connect_telco_message_configuration`)
  await app.db.query(sql`delete from connect_telco_number`)
  await app.db.query(sql`delete from res_partner where phone is not null`)
})

function aMessage(fields: Record<string, string> = {}): Record<string, string> {
  return {
    MessageSid: 'SM00000000000000000000000000000001',
    SmsStatus: 'received',
    AccountSid: ACCOUNT_SID,
    From: THEIRS,
    To: OURS,
    Body: 'Hello',
    NumMedia: '0',
    FromCity: 'RALEIGH',
    FromState: 'NC',
    FromZip: '',
    FromCountry: 'US',
    ...fields,
  }
}

function receive(fields: Record<string, string> = {}): Promise<void> {
  return asWebhook(app, (env) => receiveMessages(env, [aTelcoRequest(aMessage(fields))]))
}

async function messages(): Promise<Record<string, unknown>[]> {
  return app.db.query(sql`select * from connect_message order by id`)
}

async function posts(model: string, id: number): Promise<Record<string, unknown>[]> {
  return app.db.query(sql`select * from mail_message where model = ${model} and res_id = ${id}::bigint order by id`)
}

function aPartner(values: object): Promise<number> {
  return app.admin.ask<number>('res.partner', 'create', { vals_list: { name: 'Zoe', phone: THEIRS, ...values } })
}

describe('an incoming message', () => {
  it('an incoming message is kept with everything it says', async () => {
    await receive()
    const [message] = await messages()
    expect(message).toMatchObject({
      message_sid: 'SM00000000000000000000000000000001',
      from_number: THEIRS,
      to_number: OURS,
      body: 'Hello',
      message_type: 'sms',
      status: 'received',
      direction: 'incoming',
      from_city: 'RALEIGH',
      from_zip: null,
      from_country: 'US',
      sender_user: null,
      account_sid: ACCOUNT_SID,
      num_media: 0,
    })
  })

  it('an incoming message is kept once, however often and at once it is delivered', async () => {
    await Promise.all([receive(), receive(), receive()])
    await receive()
    expect(await messages()).toHaveLength(1)
    expect(await app.count('mail_message')).toBe(1)
    expect(await app.db.query(sql`select id from res_partner where phone = ${THEIRS}`)).toHaveLength(1)
  })

  it('an incoming message is filed with the contact who wrote, as theirs', async () => {
    const partner = await aPartner({})
    await receive({ Body: '1 < 2\nand "more" & <script>alert(1)</script>' })
    const [message] = await messages()
    const [post] = await posts('res.partner', partner)
    expect(message).toMatchObject({ partner, res_model: 'res.partner', res_id: partner })
    expect(post).toMatchObject({ author_id: partner, message_type: 'sms', connect_message: message?.id })
    expect(post?.body).toBe('<p>1 &lt; 2<br>and &quot;more&quot; &amp; &lt;script&gt;alert(1)&lt;/script&gt;</p>')
  })

  it('makes a contact for a number that nobody has, and only one', async () => {
    await Promise.all([receive({ MessageSid: 'SM1' }), receive({ MessageSid: 'SM2' }), receive({ MessageSid: 'SM3' })])
    const partners = await app.db.query<{ id: number }>(
      sql`select id, name, phone from res_partner where phone = ${THEIRS}`,
    )
    expect(partners).toEqual([expect.objectContaining({ name: THEIRS, phone: THEIRS })])
    const kept = await messages()
    expect(kept.map((message) => message.partner)).toEqual([partners[0]?.id, partners[0]?.id, partners[0]?.id])
  })

  it('makes that contact with the values of the configuration of the number', async () => {
    const number = await app.admin.ask<number>('connect.telco.number', 'create', { vals_list: { phone_number: OURS } })
    await app.admin.ask('connect.telco.message_configuration', 'create', {
      vals_list: { number, default_values: '{"comment": "From SMS", "name": "Texter"}' },
    })
    await receive()
    const [partner] = await app.db.query(sql`select name, phone, comment from res_partner where phone = ${THEIRS}`)
    expect(partner).toEqual({ name: 'Texter', phone: THEIRS, comment: 'From SMS' })
  })

  it('finds the configuration of a number that an earlier version kept without its plus', async () => {
    const number = await app.admin.ask<number>('connect.telco.number', 'create', { vals_list: { phone_number: OURS } })
    await app.db.query(sql`update connect_telco_number set phone_number = ${OURS.slice(1)}`)
    await app.admin.ask('connect.telco.message_configuration', 'create', {
      vals_list: { number, default_values: '{"comment": "From SMS"}' },
    })
    await receive()
    expect(await app.db.query(sql`select comment from res_partner where phone = ${THEIRS}`)).toEqual([
      { comment: 'From SMS' },
    ])
  })

  it('an incoming message is not lost for a configuration that cannot be used', async () => {
    const number = await app.admin.ask<number>('connect.telco.number', 'create', { vals_list: { phone_number: OURS } })
    await app.admin.ask('connect.telco.message_configuration', 'create', {
      vals_list: { number, default_values: '{"is_company": "maybe"}' },
    })
    await receive()
    expect(await messages()).toHaveLength(1)
  })

  it('takes the oldest contact when several companies have the number', async () => {
    const [one, two] = [
      await aPartner({ is_company: true, phone: null }),
      await aPartner({ is_company: true, phone: null }),
    ]
    const oldest = await aPartner({ parent_id: one })
    await aPartner({ parent_id: two })
    await receive()
    expect((await messages())[0]).toMatchObject({ partner: oldest })
  })

  it('an incoming message of a name that is no number finds the contact it made before', async () => {
    await receive({ MessageSid: 'SM1', From: 'Parcels' })
    await receive({ MessageSid: 'SM2', From: 'Parcels' })
    expect(await app.db.query(sql`select id from res_partner where phone = 'Parcels'`)).toHaveLength(1)
  })

  it.each(['116117', '118118', '262966'])(
    'the contact of the short code %s carries it as it came, in Germany too',
    async (code) => {
      const inGermany = (found: boolean) =>
        app.db.query(
          sql`update connect_settings set country_id = (select id from res_country where code = 'DE' and ${found}::boolean)`,
        )
      await inGermany(true)
      await app.db.script("notify connect_settings, ''")
      await receive({ MessageSid: 'SM1', From: code })
      await receive({ MessageSid: 'SM2', From: code })
      expect(
        await app.db.query(sql`select phone, phone_normalized from res_partner where phone like ${`%${code}`}`),
      ).toEqual([{ phone: code, phone_normalized: null }])
      await inGermany(false)
      await app.db.script("notify connect_settings, ''")
    },
  )

  it('a WhatsApp user whom an agent made a contact is known by the id at the next message and conversation', async () => {
    await useSecret(app)
    const converse = async (user: string): Promise<[number, number | undefined]> => {
      const conversationId = aConversationId()
      const metadata = { whatsapp: { whatsapp_user_id: user } }
      await deliver(app, aTranscript({ conversationId, data: { metadata } }))
      const { id, partner } = (await callOf(app, conversationId)) as { id: number; partner: [number, string] | null }
      return [id, partner?.[0]]
    }
    const [first] = await converse('DE.8157992128')
    const made = await app.tool('/connect_voiceai/create_partner', { call_id: first, name: 'Zoe' })
    const { partner_id: zoe } = made.body as { partner_id: number }
    expect((await converse('DE.8157992128'))[1]).toBe(zoe)
    await receive({ MessageSid: 'SM1', From: 'whatsapp:DE.8157992128', To: `whatsapp:${OURS}` })
    await receive({
      ...{ MessageSid: 'SM2', From: 'whatsapp:+4915112345679', To: `whatsapp:${OURS}` },
      ExternalUserId: 'whatsapp:DE.8157992128',
    })
    expect((await messages()).map(({ partner }) => partner)).toEqual([zoe, zoe])
    // Now that the number is known, a call from it is theirs too.
    const [shown] = await app.admin.ask<object[]>('res.partner', 'read', { ids: [zoe], fields: ['phone', 'mobile'] })
    expect(shown).toMatchObject({ phone: 'DE.8157992128', mobile: '+4915112345679' })
    // Without `ExternalUserId`, the sender is the id.
    await receive({ MessageSid: 'SM3', From: 'whatsapp:DE.8157992128', To: `whatsapp:${OURS}` })
    expect((await messages())[2]).toMatchObject({
      partner: zoe,
      from_number: '+4915112345679',
      wire_address: 'DE.8157992128',
    })
    // A name may be somebody else's tomorrow.
    const [named] = await converse('de.zoe1')
    await app.tool('/connect_voiceai/create_partner', { call_id: named, name: 'Zora' })
    expect((await converse('de.zoe1'))[1]).toBeUndefined()
  })

  it('an incoming message on WhatsApp loses the prefix and keeps its type', async () => {
    await receive({
      From: `whatsapp:${THEIRS}`,
      To: `whatsapp:${OURS}`,
      NumMedia: '1',
      MediaUrl0: 'https://a.example/1',
    })
    expect((await messages())[0]).toMatchObject({ from_number: THEIRS, to_number: OURS, message_type: 'WhatsApp' })
  })

  it('an incoming message with pictures keeps all of them, and shows only what is on the web', async () => {
    const partner = await aPartner({})
    await receive({
      NumMedia: '3',
      MediaUrl0: 'https://api.twilio.com/Media/ME1?a=1&b="2"',
      MediaContentType0: 'image/jpeg',
      MediaUrl1: 'javascript:alert(1)',
      MediaUrl2: 'https://api.twilio.com/Media/ME2',
      MediaContentType2: 'audio/ogg',
    })
    const [message] = await messages()
    expect(message).toMatchObject({ message_type: 'mms', num_media: 3, media_content_type: 'image/jpeg' })
    expect(message?.media).toHaveLength(2)
    const [post] = await posts('res.partner', partner)
    expect(post?.body).toMatch(/href="\/connect\/message\/\d+\/media\/0"/)
    expect(post?.body).not.toContain('twilio')
    expect(post?.body).not.toContain('javascript')
  })

  it('an incoming message with a shared place keeps the place and says it, where its text is empty', async () => {
    const partner = await aPartner({})
    const place = { Latitude: '48.858370', Longitude: '-2.294481', Label: 'The <shop>', Address: '5 Quai Branly' }
    await receive({ From: `whatsapp:${THEIRS}`, Body: '', MessageType: 'location', ...place })
    expect((await messages())[0]).toMatchObject({
      body: 'Location: The <shop>, 5 Quai Branly (48.85837, -2.294481)',
      latitude: 48.85837,
      longitude: -2.294481,
      location_label: 'The <shop>',
      location_address: '5 Quai Branly',
    })
    const [post] = await posts('res.partner', partner)
    expect(post?.body).toContain('The &lt;shop&gt;, 5 Quai Branly (48.85837, -2.294481)')
    expect(post?.body).toContain('href="https://www.openstreetmap.org/?mlat=48.85837&amp;mlon=-2.294481"')
    const [shown] = await app.admin.ask<{ location_widget: string }[]>('connect.message', 'search_read', {
      fields: ['location_widget'],
    })
    expect(shown?.location_widget).toContain('mlat=48.85837&amp;mlon=-2.294481')
  })

  it('an incoming message with a place and a text says both', async () => {
    const partner = await aPartner({})
    await receive({ Body: 'I am here', Latitude: '1.5', Longitude: '2' })
    expect((await messages())[0]).toMatchObject({
      body: 'I am here',
      latitude: 1.5,
      longitude: 2,
      location_label: null,
    })
    expect((await posts('res.partner', partner))[0]?.body).toMatch(/<p>I am here<\/p><p>Location: 1\.5, 2<\/p>/)
  })

  it.each([
    ['91', '2'],
    ['48', '180.5'],
    ['48', ''],
    ['NaN', '2'],
    ['1e1', '2'],
    ['javascript:1', '2'],
  ])('an incoming message at %s, %s shares no place', async (Latitude, Longitude) => {
    await receive({ Body: 'Hello', Latitude, Longitude })
    expect((await messages())[0]).toMatchObject({ body: 'Hello', latitude: null, longitude: null })
  })

  it.each([
    [
      'a tapped button',
      { Body: 'Confirm', ButtonText: 'Confirm', ButtonPayload: 'ok-7' },
      'Confirm',
      'ok-7',
      'Confirm',
    ],
    ['a row of a list', { Body: 'Tuesday', ListId: 'day-2', ListTitle: 'Tuesday' }, 'Tuesday', 'day-2', 'Tuesday'],
    ['a row without a text', { Body: '', ListId: 'day-2', ListTitle: 'Tuesday' }, 'Tuesday', 'day-2', 'Tuesday'],
    ['a button without any words', { Body: '', ButtonPayload: 'ok-7' }, 'ok-7', 'ok-7', null],
  ])('an incoming message of %s keeps what was chosen', async (_what, fields, body, id, title) => {
    await receive(fields)
    expect((await messages())[0]).toMatchObject({ body, reply_id: id, reply_title: title })
  })

  it.each([
    ['a text', { Body: 'Hello' }],
    [
      'a picture',
      { Body: '', NumMedia: '1', MediaUrl0: 'https://api.telco.example/ME1', MediaContentType0: 'image/png' },
    ],
    ['a picture that is not counted', { Body: '', NumMedia: '', MediaUrl0: 'https://api.telco.example/ME1' }],
    ['something that is still coming', { Body: 'Hello', SmsStatus: 'receiving' }],
  ])('an incoming message of %s that names no status is received', async (_what, fields) => {
    await receive({ SmsStatus: '', ...fields })
    const [message] = await messages()
    expect(message).toMatchObject({ status: 'received', direction: 'incoming' })
    const url = 'MediaUrl0' in fields ? fields.MediaUrl0 : null
    expect(message).toMatchObject({ num_media: url === null ? 0 : 1, media_url: url })
  })

  it('survives characters that no database takes, and bodies of a megabyte', async () => {
    await receive({ MessageSid: 'SM1', Body: 'a\u0000b\ud800c', FromCity: '\u0000' })
    await receive({ MessageSid: 'SM2', Body: 'x'.repeat(1_000_000) })
    expect(await messages()).toHaveLength(2)
    expect((await messages())[0]?.body).toBe('ab\ufffdc')
  })
})

describe('a message that is not taken', () => {
  it.each([
    ['of another account', { AccountSid: 'AC9' }],
    ['without an id', { MessageSid: '' }],
    ['without a sender', { From: '' }],
    ['without a receiver', { To: 'whatsapp:' }],
    ['that is no incoming one', { SmsStatus: 'sent' }],
    ['without a status, and of nothing', { SmsStatus: '', Body: ' ' }],
  ])('%s leaves nothing behind', async (_what, fields) => {
    await receive(fields)
    expect(await messages()).toEqual([])
    expect(await app.count('mail_message')).toBe(0)
  })
})

describe('a conversation', () => {
  async function sent(values: { sid: string; model: string | null; id: number | null }): Promise<void> {
    await app.db.query(sql`insert into connect_message (message_sid, from_number, to_number, status, status_rank, direction, res_model, res_id)
      values (${values.sid}, ${OURS}, ${THEIRS}, 'sent', 3, 'outgoing', ${values.model}, ${values.id}::bigint)`)
  }

  async function aTicket(): Promise<number> {
    const [ticket] = await app.db.query<{ id: number }>(
      sql`insert into helpdesk_ticket (name) values ('Broken') returning id`,
    )
    return ticket?.id ?? 0
  }

  it('goes on where the newest message to the sender was', async () => {
    const [older, newer] = [await aTicket(), await aTicket()]
    await sent({ sid: 'SM10', model: 'helpdesk.ticket', id: older })
    await sent({ sid: 'SM11', model: 'helpdesk.ticket', id: newer })
    await receive()
    const message = (await messages()).at(-1)
    expect(message).toMatchObject({ res_model: 'helpdesk.ticket', res_id: newer, parent_message: null })
    expect(await posts('helpdesk.ticket', newer)).toHaveLength(1)
    // No contact is made for a message that has its place.
    expect(await app.db.query(sql`select id from res_partner where phone = ${THEIRS}`)).toEqual([])
  })

  it('goes on where the message was that is answered, in whatever letters that is written', async () => {
    const [older, newer] = [await aTicket(), await aTicket()]
    await sent({ sid: 'SM10', model: 'helpdesk.ticket', id: older })
    await sent({ sid: 'SM11', model: 'helpdesk.ticket', id: newer })
    await receive({ originalrepliedmessagesid: 'SM10' })
    const all = await messages()
    expect(all.at(-1)).toMatchObject({ res_id: older, parent_message: all[0]?.id })
  })

  it.each([
    ['that is gone', 'helpdesk.ticket', 2_000_000_000],
    ['of a model that is none', 'pg_catalog.pg_class', 1],
    ['that cannot be written on', 'connect.telco.number', 1],
    ['that was never named', null, null],
  ])('a conversation on a record %s begins anew, with the contact', async (_what, model, id) => {
    const partner = await aPartner({})
    await sent({ sid: 'SM10', model, id })
    await receive()
    expect((await messages()).at(-1)).toMatchObject({ res_model: 'res.partner', res_id: partner })
  })
})

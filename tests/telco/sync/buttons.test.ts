import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Act, answers, person } from '../../../emulators/people.ts'
import { sql } from '../../../src/database/drizzle.ts'
import { PUBLIC_URL } from '../../support/telco.ts'
import { eventually } from '../../support/test-app.ts'
import { type Row, refusal, SyncOffice } from './sync-office.ts'

const CALLER_ID = 'connect.telco.outgoing_callerid'
const TEMPLATE = 'connect.message_content_template'

/** A number that was verified at the provider. */
const SHOP = `PN${'7'.repeat(32)}`

let office: SyncOffice

beforeAll(async () => {
  office = await SyncOffice.start()
})
afterAll(() => office.stop())
beforeEach(async () => {
  await office.setUp()
  await office.settle()
  office.line.reset()
})

describe('the balance', () => {
  const ask = () => office.app.admin.call('connect.settings', 'telco_balance')

  test('the balance is fetched and stored', async () => {
    expect((await ask()).body).toEqual({ balance: '$12.30 USD' })
    expect((await office.one('connect.settings', [])).telco_balance).toBe('$12.30 USD')
  })

  test('the balance is refused without an account, with wrong credentials, and while the provider is away', async () => {
    office.line.plan('GET', /^\/Balance\.json$/, { status: 503 }, 3)
    expect(await ask()).toMatchObject({ status: 503, body: { message: expect.stringMatching(/^Twilio/) } })
    await office.settings({ auth_token: 'wrong' })
    expect(await ask()).toMatchObject({
      status: 503,
      body: { message: expect.stringContaining('check the Account SID'), context: { code: 'provider-failed' } },
    })
    await office.settings({ account_sid: null })
    expect(await ask()).toMatchObject({ status: 422 })
    expect((await office.one('connect.settings', [])).telco_balance).toBe('$12.30 USD')
  })

  test('only administrators fetch the balance', async () => {
    const user = await office.app.person(['connect.group_user'])
    expect((await user.call('connect.settings', 'telco_balance')).status).toBe(403)
  })
})

describe('a caller ID is validated', () => {
  const validate = (...ids: number[]) => office.app.admin.call(CALLER_ID, 'validate', { ids })
  const read = (id: number): Promise<Row> => office.one(CALLER_ID, [['id', '=', id]])
  let count = 0
  const make = (values: object = {}) => {
    count += 1
    return office.create(CALLER_ID, { number: `+1415555770${count}`, friendly_name: 'Shop', ...values })
  }

  test('a barred number is not called for it, and nobody has more numbers called than the calls of a day', async () => {
    const barred = await make({ number: '+19005550177' })
    expect(await validate(barred)).toMatchObject({ status: 422, body: { context: { code: 'number-is-barred' } } })
    await office.settings({ calls_a_day: 1 })
    await office.app.db.query(sql`delete from connect_outgoing_count`)
    await office.app.db.query(
      sql`insert into connect_outgoing_count (day, kind, "user", count) values (${new Date().toISOString().slice(0, 10)}::date, 'call', 0, 1)`,
    )
    expect(await validate(await make())).toMatchObject({ status: 429 })
    await office.app.db.query(sql`delete from connect_outgoing_count`)
    await office.settings({ calls_a_day: null })
  })

  test.each([
    ['the code that is shown here', (code: string) => code, 'validated'],
    ['another code', () => '000000', 'validation failed'],
  ])('a caller ID is validated by a call of the provider, with %s', async (_what, enter, status) => {
    const id = await make()
    const { number } = await read(id)
    office.telco.connectService({ deliverTo: office.app.url, publicUrl: PUBLIC_URL })
    const shown = () => eventually(async () => (await read(id)).validation_code ?? undefined)
    const pressCode: Act = async (line) => {
      let code = ''
      await line.clock.during(async () => {
        code = String(await shown())
      })
      await line.press(enter(code))
    }
    office.telco.connect(String(number), person('Zoe', office.telco.problems, [answers([pressCode])]))
    const answer = await validate(id)
    const code = String(await shown())
    expect(answer).toMatchObject({ status: 200, body: { status: 'not validated', validation_code: code } })
    expect(code).toMatch(/^\d{6}$/)
    const [asked] = office.line.changes()
    expect(new URLSearchParams(asked?.body).get('StatusCallback')).toBe(
      `${PUBLIC_URL}/telco/webhook/outgoing_callerid#e=ashburn&rc=2&rp=ct,rt,5xx`,
    )
    await eventually(async () => (await read(id)).status === status)
    expect((await read(id)).sid === null).toBe(status !== 'validated')
  })

  test('a caller ID is not validated outside of the main region, nor twice, nor one of our own, nor several at once', async () => {
    const id = await make()
    await office.settings({ telco_region: 'au1' })
    expect(await validate(id)).toMatchObject({
      status: 422,
      body: { message: 'Caller IDs can be validated in the region us1 only.' },
    })
    await office.settings({ telco_region: 'us1' })
    const own = await make({ callerid_type: 'number' })
    expect(await validate(own)).toMatchObject({
      status: 422,
      body: { message: expect.stringContaining('is one of your numbers') },
    })
    expect((await validate(id, own)).status).toBe(422)
    expect((await validate()).status).toBe(422)
    await office.app.db.transaction((tx) =>
      tx.execute(`update connect_telco_outgoing_callerid set sid = 'PN1' where id = $1`, [id]),
    )
    expect(await validate(id)).toMatchObject({
      status: 422,
      body: { message: expect.stringContaining('validated already') },
    })
    expect(office.line.asked).toEqual([])
  })

  test('one of our own numbers is not deleted from the caller IDs while it is at the provider; others are', async () => {
    const [own, other] = [await make({ callerid_type: 'number' }), await make()]
    const remove = (id: number) => office.app.admin.call(CALLER_ID, 'unlink', { ids: [id] })
    await office.settings({ telco_auto_sync: true })
    expect(await remove(own)).toMatchObject({
      status: 422,
      body: { message: expect.stringMatching(/ is one of your numbers\. Remove it at Twilio, then sync\./) },
    })
    expect((await remove(other)).status).toBe(200)
    await office.settings({ telco_auto_sync: false })
    expect((await remove(own)).status).toBe(200)
  })

  test('a caller ID that the provider calls verified and does not list is refused', async () => {
    const id = await make()
    const { number } = await read(id)
    const said = { status: 400, code: 21450, message: 'Phone number is already verified' }
    office.line.plan('POST', /OutgoingCallerIds/, { status: 400, body: said })
    expect(await validate(id)).toMatchObject({
      status: 409,
      body: { message: `Twilio says that ${number} is verified, but does not list it.` },
    })
  })

  test('a caller ID is validated at once where the provider had verified it before', async () => {
    const id = await make()
    const { number } = await read(id)
    const { account } = office.telco
    account.callerIds.add({
      sid: SHOP,
      account_sid: account.sid,
      friendly_name: 'Old shop',
      phone_number: number,
      date_created: null,
      date_updated: null,
      uri: null,
    })
    expect(await validate(id)).toMatchObject({ status: 200, body: { validation_code: null, status: 'validated' } })
    expect(await read(id)).toMatchObject({ sid: SHOP, status: 'validated', friendly_name: 'Shop' })
  })

  test('a caller ID is not validated when the provider refuses the number, and its reason is told', async () => {
    const id = await make()
    office.line.plan('POST', /^\/OutgoingCallerIds/, refusal(400, 21401, 'The phone number is not valid'))
    expect(await validate(id)).toMatchObject({
      status: 422,
      body: { message: 'Twilio refused: The phone number is not valid (error 21401)' },
    })
    expect(await read(id)).toMatchObject({ status: 'not validated', validation_code: null })
  })
})

describe('a WhatsApp template', () => {
  const submit = (id: number) => office.app.admin.call(TEMPLATE, 'submit', { ids: [id] })
  const fetchStatus = (id: number) => office.app.admin.call(TEMPLATE, 'fetch_status', { ids: [id] })
  const read = (id: number): Promise<Row> => office.one(TEMPLATE, [['id', '=', id]])
  const make = async (values: object = {}) => {
    const language = await office.one('res.lang', [['code', '=', 'de_DE']])
    const text = { friendly_name: 'Grüße an Zoe', body: 'Hallo {{1}}', variables: { 1: 'Zoe' } }
    return office.create(TEMPLATE, { ...text, language: language.id, ...values })
  }

  test('a WhatsApp template is made at the provider and submitted for approval', async () => {
    const id = await make()
    const answer = await submit(id)
    const stored = await read(id)
    expect(answer.body).toEqual({ id, sid: stored.sid, status: 'received' })
    expect(stored).toMatchObject({
      status: 'received',
      approval_fetch_url: `https://content.twilio.com/v1/Content/${stored.sid}/ApprovalRequests`,
    })
    expect(office.telco.account.contents.find(String(stored.sid))).toMatchObject({
      friendly_name: 'Grüße an Zoe',
      language: 'de',
      variables: { 1: 'Zoe' },
      types: { 'twilio/text': { body: 'Hallo {{1}}' } },
      approval: { name: 'gru_e_an_zoe', category: 'UTILITY' },
    })
    office.telco.problems.check()
    expect(await submit(id)).toMatchObject({
      status: 409,
      body: { message: expect.stringContaining('is received already') },
    })
  })

  test('says how far its approval is', async () => {
    const id = await make({ friendly_name: 'Second' })
    expect((await fetchStatus(id)).body).toEqual([{ id, status: 'unsubmitted' }])
    await submit(id)
    await eventually(async () => {
      const [{ status } = { status: '' }] = (await fetchStatus(id)).body as Row[]
      return status === 'approved'
    })
    expect(await read(id)).toMatchObject({ status: 'approved' })
    office.telco.account.contents.remove(String((await read(id)).sid))
    expect((await fetchStatus(id)).body).toEqual([{ id, status: 'missing' }])
  })

  test('a WhatsApp template that was rejected is removed and made anew, with what it held beyond our fields', async () => {
    const id = await make({
      friendly_name: 'Third',
      content_type: 'whatsapp/card',
      actions: [{ type: 'URL', title: 'Go', url: 'https://a.example' }],
    })
    await submit(id)
    const { contents } = office.telco.account
    const first = String((await read(id)).sid)
    const there = contents.find(first)
    const types = { 'whatsapp/card': { body: 'Hallo {{1}}', footer: 'Acme', actions: [] } }
    if (there) contents.change(there, { types, approval: { status: 'rejected', rejection_reason: 'INVALID_FORMAT' } })
    await office.run(TEMPLATE, 'sync')
    expect(await read(id)).toMatchObject({ status: 'rejected', rejection_reason: 'INVALID_FORMAT' })
    await office.write(TEMPLATE, id, { body: 'Guten Tag {{1}}' })
    expect((await submit(id)).status).toBe(200)
    const { sid, status } = await read(id)
    expect(sid).not.toBe(first)
    expect(status).toBe('received')
    expect(contents.find(first)).toBeUndefined()
    expect(contents.find(String(sid))).toMatchObject({
      types: { 'whatsapp/card': { body: 'Guten Tag {{1}}', footer: 'Acme', actions: [{ title: 'Go' }] } },
    })
  })

  test('a WhatsApp template whose submission is refused can be changed and submitted again, and leaves no second one', async () => {
    const id = await make({ friendly_name: 'Fourth' })
    const before = office.telco.account.contents.list().length
    office.line.plan('POST', /ApprovalRequests\/whatsapp$/, refusal(400, 20001, 'The category is wrong'))
    expect(await submit(id)).toMatchObject({
      status: 422,
      body: { message: expect.stringContaining('The category is wrong') },
    })
    expect(await read(id)).toMatchObject({ status: 'unsubmitted' })
    await office.write(TEMPLATE, id, { category: 'MARKETING' })
    expect((await submit(id)).status).toBe(200)
    expect(office.telco.account.contents.list()).toHaveLength(before + 1)
  })

  test('a WhatsApp template whose making was not answered is found again', async () => {
    const id = await make({ friendly_name: 'Fifth' })
    office.line.plan('POST', /^\/v1\/Content$/, { isLost: true })
    expect((await submit(id)).status).toBe(200)
    const named = office.telco.account.contents.list().filter((each) => each.friendly_name === 'Fifth')
    expect(named).toHaveLength(1)
    expect((await read(id)).sid).toBe(named[0]?.sid)
  })

  test('a WhatsApp template is removed at the provider too, where changes are pushed', async () => {
    const id = await make({ friendly_name: 'Sixth' })
    await submit(id)
    const sid = String((await read(id)).sid)
    await office.settings({ telco_auto_sync: true })
    await office.unlink(TEMPLATE, id)
    await office.settle()
    expect(office.telco.account.contents.find(sid)).toBeUndefined()
  })

  test('a WhatsApp template of a kind or language that is not known here is named by the synchronisation, and the others are kept', async () => {
    const { contents } = office.telco.account
    const date = '2026-01-01T00:00:00Z'
    const made = { variables: {}, date_created: date, date_updated: date, approval: { status: 'approved' } }
    contents.add({
      ...made,
      sid: 'HX1',
      friendly_name: 'klingon',
      language: 'tlh',
      types: { 'twilio/text': { body: 'x' } },
    })
    contents.add({ ...made, sid: 'HX2', friendly_name: 'timetable', language: 'en', types: { 'twilio/schedule': {} } })
    contents.add({
      ...made,
      sid: 'HX3',
      friendly_name: 'fine',
      language: 'en',
      types: { 'twilio/text': { body: 'x' } },
    })
    const run = await office.run(TEMPLATE, 'sync')
    expect(run.errors.map(({ name, message }) => [name, message]).sort()).toEqual([
      ['klingon', 'The language "tlh" is not known here.'],
      ['timetable', 'Content of the kind twilio/schedule is not known here.'],
    ])
    expect(await office.list(TEMPLATE, [['friendly_name', '=', 'fine']])).toHaveLength(1)
  })
})

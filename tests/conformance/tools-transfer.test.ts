import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { sql } from '../../src/database/drizzle.ts'
import { claimAnswer } from '../../src/deliveries/tools/tool-answers.ts'
import { ProviderRefused, ProviderUnavailable } from '../../src/ports/telco-client.ts'
import { lastReasons } from '../fixtures/delivery-reasons.ts'
import { aCall, aLeg, aSid } from '../fixtures/records.ts'
import { countRows } from '../fixtures/row-counts.ts'
import { FakeTelcoClient } from '../fixtures/telco-client.ts'
import { ageAnswers } from '../fixtures/tool-answers.ts'
import { eventually, TestApp } from '../support/test-app.ts'

const ROUTE = '/connect_voiceai/transfer'
const MISSING = 'Not all parameters passed. You must provide channel_sid and exten (only digits)'
const WRONG_FORMAT = 'Wrong extension format. Only digits, e.g. 101'
const NONE_PUBLISHED = 'There is no public extension to connect the call. Cannot transfer'

const client = new FakeTelcoClient()
let app: TestApp
let now = new Date()

beforeAll(async () => {
  app = await TestApp.start({ clock: () => now, telcoClient: client })
})
beforeEach(() => {
  now = new Date()
  client.redirects.length = 0
  client.failure = undefined
  client.delay = undefined
})
afterAll(() => app.stop())

/** An extension that leads to an application saying its name. */
async function anExtension(number: string, values: { name: string; isPublished: boolean }): Promise<void> {
  const { name, isPublished } = values
  const markup = `<Response><Say>${name} for {{ Caller }} to {{ Called }} in {{ CallSid }}</Say></Response>`
  const id = await app.admin.ask<number>('connect.telco.markup', 'create', { vals_list: { name, markup } })
  await app.admin.ask('connect.telco.exten', 'create', {
    vals_list: { number, model: 'connect.telco.markup', res_id: id, is_published: isPublished },
  })
}

async function aLiveLeg(): Promise<string> {
  const sid = aSid()
  const call = await aCall(app)
  await aLeg(app, { sid, call, caller: '+41790000001', called: '+41310000000' })
  return sid
}

async function expectRefused(body: object, status: number, error: unknown): Promise<void> {
  const before = await countRows(app)
  const answer = await app.tool(ROUTE, body)
  expect([answer.status, answer.body]).toEqual([status, { error }])
  expect(client.redirects).toEqual([])
  expect(await countRows(app)).toEqual(before)
}

describe('transfer while nothing is published', () => {
  it('transfer while nothing is published is refused with the sentence for it', async () => {
    await anExtension('900', { name: 'Hidden', isPublished: false })
    const sid = await aLiveLeg()
    await expectRefused({ channel_sid: sid, exten: '900' }, 404, NONE_PUBLISHED)
    await expectRefused({ channel_sid: sid, exten: '101' }, 404, NONE_PUBLISHED)
  })
})

describe('transfer the live call to a published extension', () => {
  beforeAll(async () => {
    await anExtension('101', { name: 'Sales', isPublished: true })
    await anExtension('102', { name: 'Support', isPublished: true })
  })

  it("renders it for the caller's leg and hands it to the provider", async () => {
    const sid = await aLiveLeg()
    const answer = await app.tool(ROUTE, { channel_sid: sid, exten: '101', other: 'ignored', call_id: 7 })
    expect([answer.status, answer.body]).toEqual([
      200,
      { message: 'Transfer Successful', exten: '101', say: 'I am connecting you now.' },
    ])
    expect(client.redirects).toEqual([
      { callSid: sid, markup: expect.stringContaining(`Sales for +41790000001 to +41310000000 in ${sid}`) },
    ])
  })

  it.each([102, ' 102 ', '102'])('takes the number as %o', async (exten) => {
    const sid = await aLiveLeg()
    expect((await app.tool(ROUTE, { channel_sid: ` ${sid} `, exten })).body).toMatchObject({ exten: '102' })
    expect(client.redirects).toMatchObject([{ callSid: sid, markup: expect.stringContaining('Support') }])
  })

  it.each(['103', '900', '10', '1011', 'x', '１０１', 103])(
    '%o is none of them: refused with the list, never another one',
    async (exten) => {
      const list = '<101> "Sales", <102> "Support"'
      const sentence = `Extension ${exten} not found. Available extensions: ${list}. Please try again with a correct number.`
      await expectRefused({ channel_sid: await aLiveLeg(), exten }, 404, sentence)
    },
  )

  it('an emergency number is refused with its own sentence', async () => {
    await expectRefused(
      { channel_sid: await aLiveLeg(), exten: '112' },
      404,
      'Emergency numbers cannot be called from this phone. Use a mobile phone or landline.',
    )
  })

  it.each([undefined, null, '', ' ', 'None'])('a missing value (%o) is refused', async (value) => {
    await expectRefused({ channel_sid: value, exten: '101' }, 400, MISSING)
    await expectRefused({ channel_sid: await aLiveLeg(), exten: value }, 400, MISSING)
  })

  it.each(['10 1', '+101', '101;', '1-0', '{{101}}', '101\n102', 10.5, 1e21, {}, [], ['101'], true])(
    'an exten of %o is no extension',
    async (exten) => {
      await expectRefused({ channel_sid: await aLiveLeg(), exten }, 400, WRONG_FORMAT)
    },
  )

  it('a leg that is not known is refused, and the provider is not asked', async () => {
    const error = 'The call was not found, so it cannot be transferred.'
    for (const sid of ['CA_unknown', 'x', '../../Calls', 'CA\u0000', '1'])
      await expectRefused({ channel_sid: sid, exten: '101' }, 404, error)
    for (const sid of [[], {}, true, 'x'.repeat(300)])
      await expectRefused({ channel_sid: sid, exten: '101' }, 400, MISSING)
  })

  it('what the provider refuses is said to have failed, and may be tried again at once', async () => {
    const sid = await aLiveLeg()
    client.failure = new ProviderRefused('refused', 'call-over', {}, { providerCode: '21220' })
    const refused = await app.tool(ROUTE, { channel_sid: sid, exten: '101' })
    expect([refused.status, refused.body]).toEqual([
      409,
      { error: 'The transfer failed: the call could not be redirected.' },
    ])
    client.failure = new ProviderUnavailable('no connection to 10.0.0.1')
    const unavailable = await app.tool(ROUTE, { channel_sid: sid, exten: '101' })
    expect([unavailable.status, unavailable.body]).toEqual([503, { error: 'The transfer is not available right now.' }])
    client.failure = undefined
    expect((await app.tool(ROUTE, { channel_sid: sid, exten: '101' })).status).toBe(200)
    expect(client.redirects).toHaveLength(3)
  })

  it('the same leg to the same extension within 90 seconds is transferred once', async () => {
    const sid = await aLiveLeg()
    const send = (exten: string) => app.tool(ROUTE, { channel_sid: sid, exten })
    const first = await send('101')
    await ageAnswers(app, 80)
    expect((await send('101')).text).toBe(first.text)
    expect(client.redirects).toHaveLength(1)
    expect((await send('102')).status).toBe(200)
    await ageAnswers(app, 20)
    expect((await send('101')).text).toBe(first.text)
    expect(client.redirects).toHaveLength(3)
  })

  it('20 requests at once redirect once', async () => {
    const sid = await aLiveLeg()
    client.delay = new Promise((resolve) => setTimeout(resolve, 50))
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => app.tool(ROUTE, { channel_sid: sid, exten: 101 })),
    )
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
    expect(client.redirects).toHaveLength(1)
  })

  it('a transfer is not said to be done before it is: who asks again meanwhile waits, and tries it when the first one fails', async () => {
    const sid = await aLiveLeg()
    const release = Promise.withResolvers<void>()
    client.delay = release.promise
    client.failure = new ProviderRefused('refused', 'call-over', {}, { providerCode: '21220' })
    const first = app.tool(ROUTE, { channel_sid: sid, exten: '101' })
    await expect.poll(() => client.redirects.length).toBe(1)
    const second = app.tool(ROUTE, { channel_sid: sid, exten: '101' })
    await expect(Promise.race([second, aCall(app)])).resolves.toEqual(expect.any(Number))
    release.resolve()
    for (const { status, text } of [await first, await second]) {
      expect([status, text]).toEqual([409, expect.not.stringContaining('Successful')])
    }
    expect(client.redirects).toHaveLength(2)
  })

  it('a transfer is done again when the process that began it died before the caller was redirected', async () => {
    const sid = await aLiveLeg()
    const { platform, identities } = app.app
    const [settings, identity] = [await platform.settings.get(), await identities.webhook()]
    // What `kill -9` leaves between claim and redirect.
    await app.db.transaction((db) =>
      claimAnswer({ platform, settings, identity, db, now, context: {} }, ['transfer', sid, '101']),
    )
    const answer = app.tool(ROUTE, { channel_sid: sid, exten: '101' })
    await ageAnswers(app, 10)
    expect((await answer).body).toMatchObject({ message: 'Transfer Successful' })
    expect(client.redirects).toMatchObject([{ callSid: sid }])
    expect((await app.tool(ROUTE, { channel_sid: sid, exten: '101' })).status).toBe(200)
    expect(client.redirects).toHaveLength(1)
  })

  it('answers with its sentence a second before the shortest time-out that was pushed', async () => {
    const [tool] = await app.admin.ask<{ id: number }[]>('connect.voiceai_agent_tool', 'search_read', {
      domain: [['name', '=', 'transfer_to_exten']],
    })
    await app.db.transaction(async (tx) => {
      await tx.query(
        sql`update connect_voiceai_agent_tool set tool_id = 'tool_1', response_timeout_secs = 5 where id = ${tool?.id}::bigint`,
      )
      await tx.notify('connect_records', JSON.stringify({ model: 'connect.voiceai_agent_tool', ids: [tool?.id] }))
    })
    const release = Promise.withResolvers<void>()
    client.delay = release.promise
    // Each process learns of the push a moment later.
    await eventually(async () => {
      expect(await app.tool(ROUTE, { channel_sid: await aLiveLeg(), exten: '101' })).toMatchObject({
        status: 503,
        body: { error: 'I cannot do that right now. Please try again in a moment.' },
      })
      const [reason] = await lastReasons(app, ROUTE, 1)
      return reason === 'DeadlineError: no answer within 4000 ms'
    })
    release.resolve()
    await app.db.query(sql`update connect_voiceai_agent_tool set tool_id = null where id = ${tool?.id}::bigint`)
  })

  it('no connection to the database is held while the provider is asked', async () => {
    const release = Promise.withResolvers<void>()
    client.delay = release.promise
    const sid = await aLiveLeg()
    const transfer = app.tool(ROUTE, { channel_sid: sid, exten: '101' })
    await expect.poll(() => client.redirects.length).toBe(1)
    // The embedded database has one connection only: a transaction left open would hold this up for ever.
    const others = await Promise.all(Array.from({ length: 20 }, () => aCall(app)))
    expect(others).toHaveLength(20)
    release.resolve()
    expect((await transfer).status).toBe(200)
  })
})

describe('transfer without credentials of the provider', () => {
  it('answers that it is not available now', async () => {
    const bare = await TestApp.start()
    try {
      const id = await bare.admin.ask<number>('connect.telco.markup', 'create', { vals_list: { name: 'Sales' } })
      await bare.admin.ask('connect.telco.exten', 'create', {
        vals_list: { number: '101', model: 'connect.telco.markup', res_id: id, is_published: true },
      })
      await aCall(bare, { sid: 'CA_bare' })
      const answer = await bare.tool(ROUTE, { channel_sid: 'CA_bare', exten: '101' })
      expect([answer.status, answer.body]).toEqual([503, { error: 'The transfer is not available right now.' }])
    } finally {
      await bare.stop()
    }
  })
})

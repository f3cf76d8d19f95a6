// Refusals of contacts, meetings, tickets, webhooks, jobs, backups and of a person who is erased: each by its code, its status and
// its sentence.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../src/database/drizzle.ts'
import { GROUP } from '../../src/platform/access/identity.ts'
import { aPartner, contactOf, setCountry } from '../fixtures/records.ts'
import { aNumberOfOurs } from '../fixtures/telco-rows.ts'
import { SERVER_URL } from '../support/database.ts'
import { expectRefusedCall, type RefusedCall } from '../support/refusals.ts'
import { insertRow } from '../support/rows.ts'
import { type Caller, TestApp } from '../support/test-app.ts'

let app: TestApp
let admin: Caller
/** Works with Connect. */
let user: Caller
let company: number
let person: number

beforeAll(async () => {
  app = await TestApp.start()
  admin = app.admin
  user = await app.person([GROUP.connectUser], { login: 'eve' })
  company = await aPartner(app, { name: 'Miller' })
  person = await aPartner(app, { name: 'Zoe', parent_id: company })
})
afterAll(() => app.stop())

const make = (model: string, values: object) => admin.ask<number>(model, 'create', { vals_list: values })

describe('of contacts', () => {
  const CASES: readonly RefusedCall[] = [
    [
      'res-partner-parent-id-cannot-contact',
      'res.partner/write',
      () => ({ ids: [person], vals: { parent_id: person } }),
      422,
      '"res.partner.parent_id" cannot be the contact itself.',
    ],
    [
      'companies-in-circle',
      'res.partner/write',
      () => ({ ids: [company], vals: { parent_id: person } }),
      422,
      '"res.partner.parent_id" cannot be a contact that belongs to this one.',
    ],
    [
      'must-phone-number-no-country',
      'res.partner/write',
      () => ({ ids: [person], vals: { phone: 'soon' } }),
      422,
      '"res.partner.phone" must be a phone number such as +15550100001 or, once the settings have a country, 079 555 01 74.',
    ],
    ['not-phone-number', 'res.partner/lookup_number', { number: 'anna' }, 422, '"anna" is not a phone number.'],
    [
      'merge-kept-twice',
      'res.partner/merge',
      () => ({ keep: person, others: [person] }),
      422,
      'The contact you keep cannot be one of the others.',
    ],
    [
      'merge-contact-of-user',
      'res.partner/merge',
      async () => ({ keep: person, others: [await contactOf(app, user.userId)] }),
      422,
      'One of them is the contact of the user "eve". Keep that one.',
    ],
    [
      'api-one-erased',
      'res.partner/erase',
      { ids: [], confirm: 'x' },
      422,
      'One person is erased at a time: name one contact.',
    ],
    [
      'erase-other-name',
      'res.partner/erase',
      () => ({ ids: [person], confirm: 'Adam' }),
      422,
      'The name does not match, so nothing was erased.',
    ],
    [
      'contact-of-user',
      'res.partner/erase',
      async () => ({ ids: [await contactOf(app, user.userId)], confirm: 'eve' }),
      422,
      'This is the contact of the user "eve". Remove the user first, then erase the contact.',
    ],
    [
      'api-one-exported',
      'res.partner/export_person',
      { ids: [] },
      422,
      'One person is exported at a time: name one contact.',
    ],
  ]
  it.each(CASES)('%s: %s', (...refused) => expectRefusedCall(admin, refused))
})

describe('of meetings and tickets', () => {
  const CASES: readonly RefusedCall[] = [
    [
      'calendar-event-stop-must-not-before',
      'calendar.event/create',
      { vals_list: { name: 'x', start: '2030-01-02', stop: '2030-01-01' } },
      422,
      '"calendar.event.stop" must not be before its start.',
    ],
    [
      'calendar-event-stop-must-less-than',
      'calendar.event/create',
      { vals_list: { name: 'x', start: '2030-01-01', stop: '2031-06-01' } },
      422,
      '"calendar.event.stop" must be less than a year after its start.',
    ],
    ['no-word-to-find', 'helpdesk.ticket/find', { text: ' ' }, 422, 'The "text" has no word to search for.'],
    ['api-one-ticket-moved', 'helpdesk.ticket/move', { ids: [], stage_id: 1 }, 422, 'One ticket is moved at a time.'],
    [
      'stage-of-other-teams',
      'helpdesk.ticket/create',
      async () => ({ vals_list: await ofOtherTeam() }),
      422,
      '"helpdesk.ticket.stage_id": "Offered" is a stage of other teams, and none of "Service".',
    ],
  ]
  it.each(CASES)('%s: %s', (...refused) => expectRefusedCall(admin, refused))

  it('a meeting of others is not made', async () => {
    await expectRefusedCall(user, [
      'with-these-values-record-would-not',
      'calendar.event/create',
      { vals_list: { name: 'x', start: '2030-01-01', stop: '2030-01-01 01:00:00', user_id: admin.userId } },
      403,
      'With these values the record of calendar.event would not be yours to see.',
    ])
  })
})

describe('of webhooks, jobs and runs', () => {
  const CASES: readonly RefusedCall[] = [
    [
      'job-running',
      'connect.job/retry',
      async () => ({ ids: [await aRunningJob()] }),
      409,
      'A job of clean-up is running at the moment.',
    ],
    [
      'must-phone-number',
      'res.partner/write',
      () => inSwitzerland({ ids: [person], vals: { phone: 'soon' } }),
      422,
      '"res.partner.phone" must be a phone number such as +15550100001.',
    ],
    [
      'api-one-delivery-explained-ids-has-one',
      'connect.delivery/explain',
      { ids: [] },
      422,
      'One delivery is explained: "ids" has one id.',
    ],
    [
      'api-one-delivery-compared',
      'connect.delivery/compare',
      { ids: [] },
      422,
      'One delivery is compared: "ids" has one id.',
    ],
    [
      'api-deliveries-replayed',
      'connect.delivery/replay',
      async () => ({ ids: await manyDeliveries() }),
      422,
      'One call replays at most 200 deliveries.',
    ],
    [
      'no-such-record',
      'connect.delivery/compare',
      { ids: Array.from({ length: 500 }, (_none, at) => 2_000_000_000 + at) },
      404,
      'There is no record 2000000000, 2000000001, 2000000002, 2000000003, 2000000004, 2000000005, 2000000006, 2000000007, 2000000008, 2000000009, … in connect.delivery, or it is not yours to see.',
    ],
    [
      'no-numbers-yet',
      'connect.telco.number/rehearse',
      { to: '+15550100001' },
      404,
      '+15550100001 is not one of your numbers. You have none yet.',
    ],
    [
      'api-span-order',
      'connect.call/stats',
      { from: '2030-01-02', to: '2030-01-01', by: 'day' },
      422,
      '"to" is after "from", and at most 367 days after it.',
    ],
    [
      'api-no-instant',
      'connect.call/stats',
      { from: 'noon', to: '2030-01-01', by: 'day' },
      422,
      '"from" is no moment such as 2026-11-22 23:00:00.',
    ],
    [
      'no-backup-was-begun-since-service',
      'connect.settings/read_backup',
      {},
      404,
      'No backup has been started since the service started.',
    ],
    [
      'no-such-number',
      'connect.settings/play_call',
      { number: '+15550100001' },
      404,
      'There is no number +15550100001.',
    ],
    [
      'emulator-silent',
      'connect.settings/play_call',
      async () => ({ number: await aNumberOfOurs(app) }),
      503,
      'The Twilio emulator does not answer.',
    ],
  ]
  it.each(CASES)('%s: %s', (...refused) => expectRefusedCall(admin, refused))

  it('a webhook of a route that is gone is not compared', async () => {
    const id = await aDelivery({ route: '/telco/webhook/gone' })
    const sentence = `Webhook ${id} came to /telco/webhook/gone, which this version does not serve.`
    await expectRefusedCall(admin, ['delivery-not-served', 'connect.delivery/compare', { ids: [id] }, 422, sentence])
  })

  it('a signature is explained of a webhook that was rejected, and that the log has as a whole', async () => {
    const explain = 'connect.settings/explain_signature'
    const good = await aDelivery({ verdict: 'handled' })
    const said = `Webhook ${good} does not have a bad signature.`
    await expectRefusedCall(admin, ['delivery-was-not-rejected', explain, { delivery_id: good }, 422, said])
    const cut = await aDelivery({ verdict: 'rejected', body: 'a=1', body_bytes: 100_000 })
    const short = `The log keeps only the beginning of webhook ${cut}, too little to explain its signature.`
    await expectRefusedCall(admin, ['form-delivery-longer-than-log-keeps', explain, { delivery_id: cut }, 422, short])
  })

  it.each([
    [
      'delivery-asked-for-answer',
      'needed an answer at once. Only reports can be replayed.',
      { area: 'voiceai', route: '/connect_voiceai/create_event' },
    ],
    ['delivery-cut', 'The log keeps only the beginning of webhook', { body: 'a=1', body_bytes: 100_000 }],
    [
      'delivery-unproven',
      'could not be verified, and nothing shows that it came from the provider.',
      { verdict: 'rejected' },
    ],
    ['delivery-not-served', 'which this version does not serve.', { route: '/telco/webhook/gone' }],
    [
      'delivery-not-stored',
      'is no longer stored.',
      { area: 'voiceai', route: '/connect_voiceai/post_call', inbox: 2_000_000_000 },
    ],
  ] as const)('a webhook that is not replayed: %s', async (_code, sentence, values) => {
    const id = await aDelivery(values)
    const [outcome] = await admin.ask<object[]>('connect.delivery', 'replay', { ids: [id] })
    expect(outcome).toMatchObject({ id, is_replayed: false, sentence: expect.stringContaining(sentence) })
  })
})

it('calls are played by the emulator only', async () => {
  const real = await TestApp.start({ env: { TELCO_BASE_URL: '', VOICEAI_BASE_URL: '' } })
  await expectRefusedCall(real.admin, [
    'only-played-by-emulator',
    'connect.settings/play_call',
    { number: '+15550100001' },
    422,
    'Only the Twilio emulator can play a call. Call the number instead.',
  ])
  await real.stop()
})

it('a database on a server is not backed up from here', async (context) => {
  context.skip(SERVER_URL === undefined, 'the embedded database is')
  await expectRefusedCall(admin, [
    'backup-of-server',
    'connect.settings/make_backup',
    {},
    422,
    'The records are in a PostgreSQL database: pg_dump backs it up, and connect backup with DATABASE_URL the rest.',
  ])
})

async function ofOtherTeam(): Promise<object> {
  const [sales, service] = [
    await make('helpdesk.team', { name: 'Sales' }),
    await make('helpdesk.team', { name: 'Service' }),
  ]
  const stage = await make('helpdesk.stage', { name: 'Offered', team_ids: [sales] })
  await make('helpdesk.stage', { name: 'Planned', team_ids: [service] })
  return { name: 'x', team_id: service, stage_id: stage }
}

function aDelivery(values: object): Promise<number> {
  return insertRow(app.db, 'connect_delivery', {
    area: 'telco',
    route: '/telco/webhook/callstatus',
    verdict: 'handled',
    status: 200,
    headers: '{}',
    body: '',
    body_bytes: 0,
    received_at: '2030-01-01',
    ...values,
  })
}

async function manyDeliveries(): Promise<number[]> {
  const rows = await app.db.query<{ id: number }>(
    sql`insert into connect_delivery (area, route, verdict, received_at)
        select 'telco', '/telco/webhook/callstatus', 'handled', '2030-01-01' from generate_series(1, 201) returning id`,
  )
  return rows.map(({ id }) => id)
}

async function aRunningJob(): Promise<number> {
  await app.db.query(
    sql`insert into jobs.job (name, state, started_on) select name, 'active', now() from jobs.queue where name = 'clean-up'`,
  )
  const [id] = await admin.ask<number[]>('connect.job', 'search', { domain: [['state', '=', 'active']] })
  return id ?? 0
}

async function inSwitzerland(args: object): Promise<object> {
  await setCountry(app, 'CH')
  return args
}

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { countRows } from '../fixtures/row-counts.ts'
import { expectRefused } from '../support/refusals.ts'
import { TestApp } from '../support/test-app.ts'

interface Rehearsal {
  from: string
  to: string
  at: string
  steps: { what: string; detail: string }[]
}

const NUMBER = '+41445550100'
/** A Wednesday. */
const NOW = new Date('2026-08-26T09:00:00Z')

let app: TestApp

beforeAll(async () => {
  app = await TestApp.start({ clock: () => NOW })
  const [settings] = await app.admin.ask<number[]>('connect.settings', 'search')
  await app.admin.ask('connect.settings', 'write', {
    ids: [settings],
    vals: { api_url: 'https://connect.example.com/base', telco_auto_sync: false },
  })
  const domain = await create('connect.telco.domain', { friendly_name: 'Acme', subdomain: 'acme' })
  const login = await create('res.users', { login: 'ann', name: 'Ann' })
  await create('connect.user', { user: login, username: 'ann', domain, telco_exten_number: '102' })
  const menu = await create('connect.telco.callflow', {
    name: 'Menu',
    prompt_message: 'Whom do you want?',
    gather_input: true,
    exten_number: '200',
  })
  const [exten] = await app.admin.ask<number[]>('connect.telco.exten', 'search', { domain: [['number', '=', '102']] })
  await create('connect.telco.callflow_choice', { callflow: menu, choice_digits: '1', exten })
  const hours = await create('connect.telco.business_hours', { name: 'Office', tz: 'Europe/Zurich' })
  await create('connect.telco.opening', { business_hours: hours, dayofweek: '2', hour_from: 8, hour_to: 18 })
  await create('connect.telco.number', {
    phone_number: NUMBER,
    destination: 'callflow',
    callflow: menu,
    business_hours: hours,
    closed_message: 'We are closed.',
  })
  const voice = await create('connect.voiceai_voice', { name: 'Voice', voice_id: 'voice_1' })
  const values = { name: 'Helpdesk', prompt: 'Help.', voice, agent_uid: 'agent_1', connect_method: 'sip' }
  const agent = await create('connect.voiceai_agent', values)
  await create('connect.telco.number', {
    phone_number: '+41445550101',
    destination: 'voiceai_agent',
    voiceai_agent: agent,
  })
  await create('connect.user', { user: await create('res.users', { login: 'bo', name: 'Bo' }), client_enabled: false })
})
afterAll(() => app.stop())

describe('a rehearsed call', () => {
  test('the number that is called may be the one of the record', async () => {
    const [id] = await app.admin.ask<number[]>('connect.telco.number', 'search', {
      domain: [['phone_number', '=', NUMBER]],
    })
    const heard = await app.admin.ask<Rehearsal>('connect.telco.number', 'rehearse', { ids: [id] })
    expect(heard).toEqual(await call({}))
    const answer = await app.admin.call('connect.telco.number', 'rehearse', {})
    expect(answer).toMatchObject({ status: 422, text: expect.stringContaining('Say which number is called') })
  })

  test('tries what is typed and not saved, and saves nothing of it', async () => {
    const ids = await app.admin.ask<number[]>('connect.telco.number', 'search', {
      domain: [['phone_number', '=', NUMBER]],
    })
    const before = [await countRows(app), await app.admin.ask('connect.telco.number', 'read', { ids })]
    const unsaved = { closed_message: 'Back on Monday.', language: 'de-DE' }
    const asked = { ids, at: 'sunday 10:00' }
    const heard = async (args: object) =>
      (await app.admin.ask<Rehearsal>('connect.telco.number', 'rehearse', args)).steps[0]?.detail
    expect(await heard({ ...asked, unsaved })).toMatch(/^Back on Monday\./)
    expect(await heard({ ...asked, unsaved: { business_hours: null } })).toContain('Whom do you want?')
    expect(await heard(asked)).toMatch(/^We are closed\./)
    expect([await countRows(app), await app.admin.ask('connect.telco.number', 'read', { ids })]).toEqual(before)
    const refused = await app.admin.call('connect.telco.number', 'rehearse', { ...asked, unsaved: { closed_exten: 0 } })
    expect(refused.status).toBe(422)
  })

  test('leaves no row, whatever it goes through', async () => {
    const before = await countRows(app)
    const { steps } = await call({ inputs: [{ press: '1' }] })
    expect(steps.map(({ what }) => what)).toContain('phone')
    expect(await countRows(app)).toEqual(before)
  })

  test('reads numbers as people write them here, and refuses what nobody can call from', async () => {
    const [settings] = await app.admin.ask<number[]>('connect.settings', 'search')
    await app.admin.ask('connect.settings', 'write', { ids: [settings], vals: { country_id: 'CH' } })
    const written = { to: '044 555 01 00', from: '031 555 01 42' }
    expect(await call(written)).toMatchObject({ to: NUMBER, from: '+41315550142' })
    const answer = await app.admin.call('connect.telco.number', 'rehearse', { to: NUMBER, from: 'banana' })
    expect([answer.status, answer.text]).toEqual([422, expect.stringContaining('Nobody can call from')])
  })

  test('rings whom a key leads to, under their name at the provider', async () => {
    const { steps } = await call({ inputs: [{ press: '1' }] })
    expect(steps.slice(0, 3)).toEqual([
      { what: 'hears', detail: expect.stringContaining('Whom do you want?') },
      { what: 'presses', detail: '1' },
      { what: 'phone', detail: 'web phone ann rings for 10 s; no one answers' },
    ])
  })

  test('hears the wrong-input message after a wrong key, and goes on with the next one', async () => {
    const { steps } = await call({ inputs: [{ press: '9' }, { press: '1' }] })
    expect(steps.map(({ what }) => what).slice(0, 6)).toEqual([
      'hears',
      'presses',
      'hears',
      'hears',
      'presses',
      'phone',
    ])
    expect(steps[2]?.detail).toContain('wrong input')
  })

  test('notes words where only keys are listened for, and inputs that nobody asked for', async () => {
    const { steps } = await call({ inputs: [{ say: 'sales' }, { press: '7' }] })
    expect(steps).toContainEqual({ what: 'note', detail: 'Here one key would be taken, not “sales”.' })
    expect(steps.at(-1)).toEqual({ what: 'note', detail: 'Nothing asked for the keys 7.' })
  })

  test('ends at a voice agent, which is named', async () => {
    const { steps } = await call({ to: '+41445550101' })
    expect(steps.map(({ what, detail }) => `${what}: ${detail}`)).toEqual([
      'agent: The voice agent Helpdesk takes the call.',
      'ends: The call is over.',
    ])
  })
})

describe('the time of a rehearsed call', () => {
  test.each([
    ['now', undefined, 'Wednesday, 26 August 2026 at 11:00 Zurich time', false],
    ['a wall clock of the business hours', '2026-08-26 18:00', 'Wednesday, 26 August 2026 at 18:00 Zurich time', true],
    ['an instant', '2026-08-26T15:59:59Z', 'Wednesday, 26 August 2026 at 17:59 Zurich time', false],
    ['the next day of that name', 'Sunday 9:30', 'Sunday, 30 August 2026 at 09:30 Zurich time', true],
    ['today, when the hour is to come', 'wednesday 11:30', 'Wednesday, 26 August 2026 at 11:30 Zurich time', false],
    ['a week on, when the hour is past', 'wednesday 10:59', 'Wednesday, 2 September 2026 at 10:59 Zurich time', false],
  ])('the time of a rehearsed call is %s', async (_what, at, spoken, isClosed) => {
    const heard = await call({ at: at ?? null })
    expect(heard.at).toBe(spoken)
    expect(heard.steps[0]?.detail.startsWith('We are closed.')).toBe(isClosed)
  })

  test('a German weekday is read as an English one', async () => {
    const german = await call({ at: 'Sonntag 03:00' })
    expect(german).toEqual(await call({ at: 'sunday 03:00' }))
    expect(german).toMatchObject({ moment: '2026-08-30 01:00:00', zone: 'Europe/Zurich' })
  })

  test.each(['tomorrow', '25:00', 'sunday', 'sunday 99:00', '2026-02-30 10:00'])(
    'is refused when it is %s',
    async (at) => {
      const answer = await app.admin.call('connect.telco.number', 'rehearse', { to: NUMBER, at })
      expect([answer.status, answer.text]).toEqual([422, expect.stringContaining(`is no time; it should be written`)])
    },
  )
})

test('hours are tried before they are saved, on a number that uses them, and stay as they are', async () => {
  const HOURS = 'connect.telco.business_hours'
  const [hours = 0] = await app.admin.ask<number[]>(HOURS, 'search', { domain: [['name', '=', 'Office']] })
  const [opening] = await app.admin.ask<number[]>('connect.telco.opening', 'search')
  const before = await countRows(app)
  const heard = async (unsaved: object, at: string) => {
    const { to, steps } = await app.admin.ask<Rehearsal>(HOURS, 'rehearse', { ids: [hours], at, unsaved })
    expect(to).toBe(NUMBER)
    return steps.map(({ detail }) => detail).join(' ')
  }
  const closed = expect.stringContaining('We are closed.')
  const open = expect.stringContaining('Whom do you want?')
  expect(await heard({}, 'sunday 10:30')).toEqual(closed)
  const sunday = { dayofweek: '6', hour_from: 10, hour_to: 12 }
  expect(await heard({ opening_ids: [[0, 0, sunday]] }, 'sunday 10:30')).toEqual(open)
  expect(await heard({ opening_ids: [[2, opening]] }, 'sunday 03:00')).toEqual(open)
  const holiday = { name: 'Outing', date_from: '2026-08-26' }
  expect(await heard({ holiday_ids: [[0, 0, holiday]] }, '2026-08-26 10:00')).toEqual(closed)
  expect(await countRows(app)).toEqual(before)
  const unused = await create(HOURS, { name: 'Later', tz: 'UTC' })
  expectRefused(await app.admin.call(HOURS, 'rehearse', { ids: [unused] }), [
    'hours-without-number',
    422,
    'No number uses these hours yet. Choose them on a number, or say which number is called.',
  ])
  const user = await app.person(['connect.group_user'])
  expect((await user.call(HOURS, 'rehearse', { ids: [hours] })).status).toBe(403)
})

test('a number that is none of ours is refused, and ours are named', async () => {
  const answer = await app.admin.call('connect.telco.number', 'rehearse', { to: '+1 555 000' })
  expect([answer.status, answer.text]).toEqual([
    404,
    expect.stringContaining(`Our numbers are: ${NUMBER}, +41445550101.`),
  ])
})

test('only Connect administrators rehearse', async () => {
  const user = await app.person(['connect.group_user'])
  expect((await user.call('connect.telco.number', 'rehearse', { to: NUMBER })).status).toBe(403)
})

describe('the extension number of a phone user', () => {
  test('makes the extension, changes its number, and lets it go', async () => {
    const id = (await app.admin.ask<number[]>('connect.user', 'search', { domain: [['name', '=', 'Bo']] }))[0] ?? 0
    const read = async () => {
      const [row] = await app.admin.ask<{ telco_exten_number: string | null }[]>('connect.user', 'read', {
        ids: [id],
        fields: ['telco_exten_number'],
      })
      return row?.telco_exten_number
    }
    const write = (number: string | null) =>
      app.admin.call('connect.user', 'write', { ids: [id], vals: { telco_exten_number: number } })
    expect((await write('103')).status).toBe(200)
    expect(await read()).toBe('103')
    expect((await write('104')).status).toBe(200)
    expect(await read()).toBe('104')
    const taken = await write('102')
    expect([taken.status, taken.text]).toEqual([409, expect.stringContaining('The extension 102 already exists')])
    expect((await write(null)).status).toBe(200)
    expect(await read()).toBe(null)
  })

  test('the extension number of a phone user that is taken keeps the phone user from being made', async () => {
    const login = await create('res.users', { login: 'cy', name: 'Cy' })
    const before = await countRows(app)
    const values = { user: login, client_enabled: false, telco_exten_number: '102' }
    expect((await app.admin.call('connect.user', 'create', { vals_list: values })).status).toBe(409)
    expect(await countRows(app)).toEqual(before)
  })
})

function call(args: object): Promise<Rehearsal> {
  return app.admin.ask<Rehearsal>('connect.telco.number', 'rehearse', { to: NUMBER, ...args })
}

function create(model: string, values: object): Promise<number> {
  return app.admin.ask<number>(model, 'create', { vals_list: values })
}

// Settings that contradict each other are refused, once everything that a call writes is there.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { RECORD_CHECKS } from '../../src/app/checks/records.ts'
import type { Connection } from '../../src/app/own-api/connection.ts'
import { sql } from '../../src/database/drizzle.ts'
import { insertRow } from '../support/rows.ts'
import { TestApp } from '../support/test-app.ts'

let app: TestApp
let sales = 0
let support = 0

const create = (model: string, values: object | object[]) => app.admin.call(model, 'create', { vals_list: values })
const made = (model: string, values: object) => app.admin.ask<number>(model, 'create', { vals_list: values })
const write = (model: string, ids: number[], vals: object) => app.admin.call(model, 'write', { ids, vals })
const read = async (model: string, id: number, fields: string[]) =>
  (await app.admin.ask<Record<string, unknown>[]>(model, 'read', { ids: [id], fields }))[0]

const FLOW = 'connect.telco.callflow'
const CHOICE = 'connect.telco.callflow_choice'
const HOURS = 'connect.telco.business_hours'
const OPENING = 'connect.telco.opening'

beforeAll(async () => {
  app = await TestApp.start()
  sales = await made('connect.telco.exten', { number: '701' })
  support = await made('connect.telco.exten', { number: '702' })
})
afterAll(() => app.stop())

const refused = (field: string, message: string) =>
  expect.objectContaining({
    status: 422,
    body: expect.objectContaining({
      message: expect.stringContaining(message),
      context: expect.objectContaining({ field, problems: [expect.objectContaining({ field })] }),
    }),
  })

describe('choices of a menu', () => {
  const choice = (digits: string, exten: number, speech?: string) => ({ choice_digits: digits, exten, speech })
  const nested = (...choices: object[]) => choices.map((each) => [0, 0, each])

  it.each([
    ['the same digits', () => [choice('1', sales), choice('1', support)], 'choice_digits', 'is a choice of'],
    ['the same choice', () => [choice('1', sales), choice('1', sales)], 'choice_digits', 'is a choice of'],
    ['the same words', () => [choice('1', sales, 'Sales'), choice('2', support, 'sales!')], 'speech', 'is said for'],
  ])('%s twice are refused, in one call and one after the other', async (_what, choices, field, reason) => {
    const [first, second] = choices() as [object, object]
    expect(await create(FLOW, { name: 'Menu', choices: nested(first, second) })).toEqual(refused(field, reason))
    const flow = await made(FLOW, { name: 'Menu', choices: nested(first) })
    expect(await create(CHOICE, { ...second, callflow: flow })).toEqual(refused(field, reason))
    expect(await write(FLOW, [flow], { choices: nested(second) })).toEqual(refused(field, reason))
    const other = await made(CHOICE, { ...second, choice_digits: '8', speech: null, callflow: flow })
    expect(await write(CHOICE, [other], second)).toEqual(refused(field, reason))
    expect((await read(FLOW, flow, ['choices']))?.choices).toHaveLength(2)
  })

  it('two words for one extension are fine, and the same digits in two menus', async () => {
    const two = nested(choice('1', sales, 'sales'), choice('1', sales, 'to buy'), choice('2', sales, 'sales'))
    for (const name of ['One', 'Other']) expect((await create(FLOW, { name, choices: two })).status).toBe(200)
  })
})

describe('hours of a day', () => {
  const hours = (hour_from: number, hour_to: number, dayofweek = '0') => ({ dayofweek, hour_from, hour_to })

  it.each([
    [HOURS, 'opening_ids', OPENING, 'business_hours'],
    ['resource.calendar', 'attendance_ids', 'resource.calendar.attendance', 'calendar_id'],
  ])('%s has none that overlap', async (model, list, child, link) => {
    const reason = 'Monday has 08:00 to 12:30 and 12:00 to 18:00'
    const values = (...all: object[]) => ({ name: 'Office', tz: 'UTC', [list]: all.map((each) => [0, 0, each]) })
    expect(await create(model, values(hours(12, 18), hours(8, 12.5)))).toEqual(refused('hour_from', reason))
    const owner = await made(model, values(hours(8, 12.5), hours(12, 18, '1'), hours(12.5, 18)))
    expect(await create(child, { ...hours(17, 19), [link]: owner })).toEqual(refused('hour_from', '17:00 to 19:00'))
    expect(await create(child, { ...hours(8, 12.5), [link]: owner })).toEqual(refused('hour_from', '08:00 to 12:30'))
    const evening = await made(child, { ...hours(19, 20), [link]: owner })
    expect(await write(child, [evening], { hour_from: 17 })).toEqual(refused('hour_from', '17:00 to 20:00'))
    expect(await write(child, [evening], { hour_from: 18 })).toMatchObject({ status: 200 })
  })
})

describe('stages of teams', () => {
  it('a ticket is in a stage of its team, or of none, and moves with its team', async () => {
    const TICKET = 'helpdesk.ticket'
    const [first] = await app.admin.ask<{ id: number; stage_ids: number[] }[]>('helpdesk.team', 'search_read', {})
    const team = await made('helpdesk.team', { name: 'Workshop' })
    const own = await made('helpdesk.stage', { name: 'Bench', team_ids: [team] })
    const free = await made('helpdesk.stage', { name: 'Anywhere' })
    const inbox = first?.stage_ids[0]
    const reason = refused('stage_id', 'is a stage of other teams, and none of "Workshop"')
    expect(await create(TICKET, { name: 'Torn', team_id: team, stage_id: inbox })).toEqual(reason)
    const ticket = await made(TICKET, { name: 'Torn', team_id: first?.id, stage_id: inbox })
    expect(await write(TICKET, [ticket], { stage_id: own })).toMatchObject({ status: 422 })
    expect(await write(TICKET, [ticket], { team_id: team, stage_id: inbox })).toEqual(reason)
    await write(TICKET, [ticket], { team_id: team })
    expect(await read(TICKET, ticket, ['stage_id'])).toMatchObject({ stage_id: [own, 'Bench'] })
    expect(await write(TICKET, [ticket], { stage_id: free })).toMatchObject({ status: 200 })
    expect(await write(TICKET, [ticket], { team_id: first?.id })).toMatchObject({ status: 200 })
    expect(await read(TICKET, ticket, ['stage_id'])).toMatchObject({ stage_id: [free, 'Anywhere'] })
    const loose = await made('helpdesk.team', { name: 'Without stages' })
    expect(await create(TICKET, { name: 'Torn', team_id: loose, stage_id: own })).toMatchObject({ status: 200 })
  })
})

describe('remarks', () => {
  const NUMBER = 'connect.telco.number'
  const remarks = async (model: string, id: number) => (await read(model, id, ['remarks']))?.remarks
  const asks = { gather_input: true, prompt_message: 'Press one.', fallback_message: 'Bye.' }
  const choice = (digits: string, speech?: string) => [0, 0, { choice_digits: digits, exten: '701', speech }]
  const NOWHERE_TO_FAIL = 'If unanswered, it rings an extension that leads nowhere.'
  let last = 770
  const free = () => {
    last += 1
    return String(last)
  }
  const nowhere = (digits: string) => `Choice "${digits}" leads nowhere.`

  it.each([
    ['without choices', { ...asks }, ['Callers are asked to choose, but there are no choices.']],
    [
      'that does nothing for callers who press nothing',
      { ...asks, fallback_message: '', choices: [choice('1')] },
      [
        'It rings no one and takes no messages, so callers who press nothing hear that it has no actions.',
        nowhere('1'),
      ],
    ],
    [
      'without a prompt',
      { ...asks, prompt_message: '', choices: [choice('1')] },
      ['The prompt is empty, so callers are not asked to choose.', nowhere('1')],
    ],
    [
      'that does not ask',
      { ...asks, gather_input: false, choices: [choice('1')] },
      ['There are choices, but callers are not asked to choose.', nowhere('1')],
    ],
    [
      'with words, for digits only',
      { ...asks, choices: [choice('1', 'sales')] },
      ['It accepts keys only, so the spoken words of its choices have no effect.', nowhere('1')],
    ],
    [
      'with keys, for speech only',
      { ...asks, gather_input_type: 'speech', choices: [choice('1'), choice('#')] },
      ['It accepts speech only, but choice "#" has no spoken words.', nowhere('1'), nowhere('#')],
    ],
    [
      'with voicemail and an empty prompt',
      { voicemail_enabled: true, voicemail_prompt: '' },
      [
        'Voicemail is on but has no prompt, so no messages are taken.',
        'It rings no one, takes no messages and leads nowhere, so the call ends after the prompt.',
      ],
    ],
  ])('a menu %s is saved, and says so', async (_what, values, expected) => {
    expect(await remarks(FLOW, await made(FLOW, { name: 'Menu', exten_number: free(), ...values }))).toEqual(expected)
  })

  it('a menu that nothing leads to says so until a number or an extension does', async () => {
    const alone = await made(FLOW, { name: 'Alone', fallback_message: 'Bye.' })
    expect(await remarks(FLOW, alone)).toEqual(['No number or extension leads here, so no one can reach it.'])
    const number = { phone_number: '+14155550166', destination: 'callflow', callflow: alone }
    await made(NUMBER, number)
    expect(await remarks(FLOW, alone)).toEqual([])
  })

  it('a menu whose choices all lead back, and a ring group without phones, say so', async () => {
    const silent = await made('connect.user', {
      user: await app.person(['base.group_user']).then(({ userId }) => userId),
      client_enabled: false,
    })
    // Nobody can call them yet.
    expect(await remarks('connect.user', silent)).toEqual([])
    await write('connect.user', [silent], { telco_exten_number: free() })
    expect(await remarks('connect.user', silent)).toEqual([
      'No phone rings and voicemail is off, so callers hear that no one can be reached.',
    ])
    const flow = await made(FLOW, { name: 'Again', gather_input: true, ring_users: [silent], exten_number: '731' })
    const [own] = await app.admin.ask<number[]>('connect.telco.exten', 'search', { domain: [['number', '=', '731']] })
    await made(CHOICE, { callflow: flow, choice_digits: '9', exten: own })
    expect(await remarks(FLOW, flow)).toEqual([
      'None of the people it rings has a phone that rings.',
      'Every choice leads back here, and it rings no one and takes no messages.',
    ])
    await write(FLOW, [flow], { fallback_exten: own })
    expect(await remarks(FLOW, flow)).toContain('If unanswered, it leads back to itself.')
    expect(await remarks('connect.telco.exten', own ?? 0)).toEqual([])
    expect(await remarks('connect.telco.exten', sales)).toEqual([
      'It leads nowhere, so callers hear that it is not set up.',
    ])
  })

  it('a number that nothing answers, or that names something else, is saved and says so', async () => {
    const flow = await made(FLOW, { name: 'Behind', exten_number: '732' })
    const [own] = await app.admin.ask<number[]>('connect.telco.exten', 'search', { domain: [['number', '=', '732']] })
    const id = await made(NUMBER, { phone_number: '+14155550177' })
    const changed = async (vals: object) => {
      expect(await write(NUMBER, [id], vals)).toMatchObject({ status: 200 })
      return remarks(NUMBER, id)
    }
    expect(await remarks(NUMBER, id)).toEqual(['Nothing answers this number, so callers hear that it is not set up.'])
    const which =
      'Only the type of who answers is chosen, not which one, so callers hear that the number is not set up.'
    expect(await changed({ destination: 'callflow' })).toEqual([which])
    expect(await changed({ callflow: flow })).toEqual([])
    expect(await changed({ closed_message: 'Closed.', fallback_exten: own })).toEqual([
      'It has a message or extension for closed hours but no business hours, so it is never closed.',
      'If unanswered, it rings the same again.',
    ])
    await write(NUMBER, [id], { destination: null, closed_message: null, fallback_exten: null })
    expect(await changed({ callflow: flow })).toEqual([
      'It also names something that does not answer it. Choose who answers.',
    ])
  })

  it('what leads back to itself when it fails, by itself or through others, is saved and says so', async () => {
    const flows = []
    for (const number of ['741', '742', '743']) {
      const id = await made(FLOW, { name: `Flow ${number}`, exten_number: number, prompt_message: 'Hello.' })
      const [own] = await app.admin.ask<number[]>('connect.telco.exten', 'search', {
        domain: [['number', '=', number]],
      })
      flows.push({ id, own })
    }
    const [first, second, third] = flows
    const failsTo = (from: number | undefined, exten: number | undefined) =>
      write(FLOW, [from ?? 0], { fallback_exten: exten })
    await failsTo(first?.id, second?.own)
    await failsTo(second?.id, third?.own)
    expect(await remarks(FLOW, first?.id ?? 0)).toEqual([])
    expect(await failsTo(third?.id, first?.own)).toMatchObject({ status: 200 })
    for (const [at, through] of [
      ['742', first],
      ['743', second],
      ['741', third],
    ] as const) {
      expect(await remarks(FLOW, through?.id ?? 0)).toEqual([
        `If unanswered, it leads to "Flow ${at}", which leads back here.`,
      ])
    }
    await failsTo(third?.id, sales)
    expect(await remarks(FLOW, first?.id ?? 0)).toEqual([])
    expect(await remarks(FLOW, third?.id ?? 0)).toEqual([NOWHERE_TO_FAIL])
    await made(CHOICE, { callflow: first?.id, choice_digits: '9', exten: first?.own })
    await made(CHOICE, { callflow: first?.id, choice_digits: '1', exten: second?.own })
    await write(FLOW, [first?.id ?? 0], { gather_input: true })
    expect(await remarks(FLOW, first?.id ?? 0)).toEqual([
      'Choice "9" leads back here, so callers hear the prompt again.',
    ])
  })

  it('numbers whose applications call each other, and an extension of the route of calls, say that calls go round', async () => {
    const application = (name: string, values: object) => made('connect.telco.markup', { name, ...values })
    const calling = (number: string) => ({ markup: `<Response><Dial><Number>${number}</Number></Dial></Response>` })
    const [one, two, alone] = ['+14155550171', '+14155550172', '+14155550173']
    const ids = []
    for (const [number, called] of [
      [one, two],
      [two, one],
      [alone, alone],
      ['+14155550174', '+14155550999'],
    ] as const) {
      const markup = await application(`Forwards ${number}`, calling(called))
      ids.push(await made(NUMBER, { phone_number: number, destination: 'markup', markup }))
    }
    const through = (number: string) => [
      `Its application calls ${number}, which calls this number again, so the call goes in circles.`,
    ]
    const again = ['Its application calls this number again, so the call goes in circles.']
    expect(await Promise.all(ids.map((id) => remarks(NUMBER, id)))).toEqual([through(two), through(one), again, []])
    const route = await application('Phones', {
      code_type: 'model_method',
      model: 'connect.telco.domain',
      method: 'route_call',
    })
    const routed = await made(NUMBER, { phone_number: '+14155550175', destination: 'markup', markup: route })
    expect(await remarks(NUMBER, routed)).toEqual(again)
    const exten = await made('connect.telco.exten', { number: '751', dst: `connect.telco.markup,${route}` })
    expect(await remarks('connect.telco.exten', exten)).toEqual([
      'It leads to the route for calls of SIP domains, which leads back here, so callers hear an error.',
    ])
    const closed = await made(NUMBER, { phone_number: '+14155550176', destination: 'callflow', closed_exten: exten })
    expect(await remarks(NUMBER, closed)).toEqual(expect.arrayContaining(again))
  })

  it('a voice agent that nobody reaches, that takes nothing, or that leads back to itself is saved and says so', async () => {
    const AGENT = 'connect.voiceai_agent'
    const voice = await made('connect.voiceai_voice', { voice_id: 'alice', name: 'Alice' })
    const agent = (name: string, values: object = {}) => made(AGENT, { name, voice, prompt: 'Help.', ...values })
    const [anna, bert] = [await agent('Anna', { daily_limit: 0 }), await agent('Bert')]
    const away = 'ElevenLabs does not have this agent yet, so calls to it fail.'
    const unreached = 'No number, extension or other agent leads here, so no one can reach it.'
    expect(await remarks(AGENT, anna)).toEqual([
      away,
      unreached,
      'The limit of conversations is 0, so the agent takes no calls.',
    ])
    const toBert = await made('connect.telco.exten', { number: '761', dst: `${AGENT},${bert}` })
    expect(await remarks(AGENT, bert)).toEqual([away])
    await write(AGENT, [bert], { fallback_exten: toBert })
    expect(await remarks(AGENT, bert)).toEqual([away, 'If unanswered, it leads back to itself.'])
    await write(AGENT, [anna], { daily_limit: 5, fallback_exten: toBert })
    const toAnna = await made('connect.telco.exten', { number: '762', dst: `${AGENT},${anna}` })
    await write(AGENT, [bert], { fallback_exten: toAnna })
    expect(await remarks(AGENT, bert)).toEqual([away, 'If unanswered, it leads to "Anna", which leads back here.'])
    const [german] = await app.admin.ask<number[]>('res.lang', 'search', { domain: [['code', '=', 'de_DE']] })
    await made('connect.voiceai_agent_transfer', { agent: bert, transfer_to_agent: anna })
    await write(AGENT, [bert], { fallback_exten: null, additional_languages: [[4, german]] })
    expect(await remarks(AGENT, bert)).toEqual([
      away,
      'It has transfers to other agents but not the tool for them, so it transfers no one.',
      'There is no greeting in "de", so callers hear the one in the agent\'s own language.',
    ])
    await write(AGENT, [bert], { first_message_translations: { de: 'Guten Tag!' } })
    expect(await remarks(AGENT, bert)).toHaveLength(2)
  })

  it('a WhatsApp sender that is not ours, not online or not reported of says so', async () => {
    const SENDER = 'connect.whatsapp_sender'
    const number = '+14155550181'
    const id = await insertRow(app.db, 'connect_whatsapp_sender', {
      number,
      sid: 'XE1',
      status: 'OFFLINE',
      is_default: true,
    })
    const address = (api_url: string | null) =>
      app.admin.ask('connect.settings', 'write', { ids: [1], vals: { api_url } })
    await address(null)
    const notOurs = `${number} is not one of your numbers here, so calls and texts to it do not arrive.`
    const unreported = expect.stringContaining('The public address is not set')
    expect(await remarks(SENDER, id)).toEqual([
      notOurs,
      unreported,
      'Its status is OFFLINE, so nothing is sent from it.',
    ])
    await address('https://connect.acme.test')
    await made(NUMBER, { phone_number: number })
    expect(await remarks(SENDER, id)).toEqual(['Its status is OFFLINE, so nothing is sent from it.'])
    await app.db.query(sql`update connect_whatsapp_sender set status = 'ONLINE' where id = ${id}::bigint`)
    expect(await remarks(SENDER, id)).toEqual([])
    await write(SENDER, [id], { no_sync: true })
    expect(await remarks(SENDER, id)).toEqual(['It is in use but not synced, so nothing is sent from it.'])
  })

  it('remarks are for administrators, and the checks of the installation tell them', async () => {
    const user = await app.person(['connect.group_user'])
    const answer = await user.call(FLOW, 'search_read', { fields: ['remarks'] })
    expect(answer.status).toBe(403)
    const connection = { call: app.admin.ask.bind(app.admin) } as Pick<Connection, 'call'>
    const check = RECORD_CHECKS.find((each) => each.check === 'call settings')
    const found = await check?.look({ connection, settings: { announce_recordings: false } })
    expect(found).toContainEqual({
      result: 'note',
      finding: 'Call flow "Menu": Choice "1" leads nowhere.',
      fix: '',
    })
  })

  it('a person without a phone whom a number leads to is among the problems, until a phone can sign in or takes a message', async () => {
    const { userId: login } = await app.person(['base.group_user'], { name: 'Paul Quiet' })
    const domain = await made('connect.telco.domain', { subdomain: 'quiet', friendly_name: 'Quiet' })
    const phones = { client_enabled: false, sip_enabled: true, username: 'paulquiet', domain }
    const paul = await made('connect.user', { user: login, ...phones })
    await made(NUMBER, { phone_number: '+14155550139', destination: 'user', user: paul })
    const lost = {
      result: 'WRONG',
      finding:
        'Phone user "Paul Quiet": No phone rings and voicemail is off, so callers hear that no one can be reached.',
      fix: 'Add a phone, a mobile or voicemail.',
    }
    const found = async () => {
      const connection = { call: app.admin.ask.bind(app.admin) } as Pick<Connection, 'call'>
      const check = RECORD_CHECKS.find((each) => each.check === 'call settings')
      return check?.look({ connection, settings: { announce_recordings: false } })
    }
    expect(await found()).toContainEqual(lost)
    await write('connect.user', [paul], { voicemail_enabled: true })
    expect(await found()).not.toContainEqual(lost)
    await write('connect.user', [paul], { voicemail_enabled: false, password: 'Str0ng-enough-pass' })
    expect(await found()).not.toContainEqual(lost)
  })
})

describe('voicemail of a menu', () => {
  it('voicemail has the usual prompt when it is switched on, and an empty one that somebody writes stays', async () => {
    const prompt = async (id: number) => (await read(FLOW, id, ['voicemail_prompt']))?.voicemail_prompt
    const german = await made(FLOW, { name: 'A', language: 'de-DE', voicemail_enabled: true })
    expect(await prompt(german)).toContain('hinterlassen Sie')
    await write(FLOW, [german], { language: 'en-US' })
    expect(await prompt(german)).toBe('Please leave a message after the tone.')
    const later = await made(FLOW, { name: 'B' })
    expect(await prompt(later)).toBeNull()
    await write(FLOW, [later], { voicemail_enabled: true })
    expect(await prompt(later)).toBe('Please leave a message after the tone.')
    const empty = await made(FLOW, { name: 'C', voicemail_enabled: true, voicemail_prompt: '' })
    expect(await prompt(empty)).toBeNull()
    const own = await made(FLOW, { name: 'D', voicemail_enabled: true, voicemail_prompt: 'Speak.' })
    expect(await prompt(own)).toBe('Speak.')
  })
})

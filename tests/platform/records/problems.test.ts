// Everything that is wrong with a record is named at once, and stands in fields_get before anybody runs into it.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { TestApp } from '../../support/test-app.ts'

interface Refused {
  message: string
  context: { problems?: { field: string | null; message: string }[] }
}

let app: TestApp

beforeAll(async () => {
  app = await TestApp.start()
})
afterAll(() => app.stop())

async function refusal(model: string, values: object): Promise<{ status: number; body: Refused }> {
  const answer = await app.admin.call(model, 'create', { vals_list: values })
  return { status: answer.status, body: answer.body as Refused }
}

const fieldsOf = ({ body }: { body: Refused }) => body.context.problems?.map(({ field }) => field)

describe('a refusal', () => {
  it.each([
    [
      'connect.user',
      {
        user: 'Nobody',
        username: 'a b',
        password: 'short',
        sip_ring_timeout: 0,
        domain: null,
        telco_exten_number: 'x',
      },
      ['user', 'domain', 'username', 'password', 'sip_ring_timeout', 'telco_exten_number'],
    ],
    [
      'connect.telco.number',
      { destination: 'nowhere', callflow: 'No such' },
      ['callflow', 'phone_number', 'destination'],
    ],
    ['connect.telco.exten', { number: 'x y', dst: 'connect.user' }, ['number', 'dst']],
    ['connect.telco.exten', { dst: 'connect.user,2000000000' }, ['number', 'dst']],
    [
      'connect.telco.callflow',
      { gather_timeout: 0, gather_hints: 'x'.repeat(101) },
      ['name', 'gather_timeout', 'gather_hints'],
    ],
    ['connect.telco.business_hours', { tz: 'Zurich' }, ['name', 'tz']],
    ['connect.telco.opening', { hour_from: 18, hour_to: 8 }, ['business_hours', 'dayofweek', 'hour_to']],
    ['res.partner', { phne: '1', tz: 'Mars', lang: 'german' }, ['phne', 'name', 'lang', 'tz']],
    ['res.users', { tz: 'Mars' }, ['login', 'name', 'tz']],
    ['calendar.event', { start: '2030-01-02 10:00:00', stop: '2030-01-01 10:00:00' }, ['name', 'stop']],
    [
      'helpdesk.ticket',
      { priority: '9', stage_id: 'Nowhere', team_id: 2_000_000_000 },
      ['stage_id', 'name', 'team_id', 'priority'],
    ],
    [
      'connect.message',
      { res_model: 'res.partner', num_media: 'x' },
      ['from_number', 'to_number', 'num_media', 'res_model'],
    ],
    [
      'connect.voiceai_agent_tool',
      { path: '/a b', response_timeout_secs: 1 },
      ['name', 'description', 'path', 'response_timeout_secs'],
    ],
  ])('the refusal to %s names every problem of %j', async (model, values, fields) => {
    const table = model.replaceAll('.', '_')
    const before = await app.count(table)
    const refused = await refusal(model, values)
    expect(refused.status).toBe(422)
    expect(new Set(fieldsOf(refused))).toEqual(new Set(fields))
    expect(refused.body.message).toBe(
      `${fields.length} problems: ${refused.body.context.problems?.map(({ message }) => message).join(' ')}`,
    )
    expect(await app.count(table)).toBe(before)
  })

  it('names one problem in its own words, and its field', async () => {
    const refused = await refusal('res.partner', { name: 'Zoe', tz: 'Mars' })
    const message = '"res.partner.tz" must be a time zone such as Europe/Zurich.'
    expect(refused.body).toMatchObject({ message, context: { problems: [{ field: 'tz', message }] } })
  })

  it('names what another record has already, beside what else is wrong', async () => {
    await app.admin.ask('connect.telco.number', 'create', { vals_list: { phone_number: '+15550104444' } })
    const refused = await refusal('connect.telco.number', { phone_number: '+1 555 010 4444', language: 'xx' })
    expect(new Set(fieldsOf(refused))).toEqual(new Set(['phone_number', 'language']))
  })

  it('a refusal of a change names every problem, and changes nothing', async () => {
    const id = await app.admin.ask('res.partner', 'create', { vals_list: { name: 'Zoe' } })
    const answer = await app.admin.call('res.partner', 'write', { ids: [id], vals: { name: '', tz: 'Mars', email: 7 } })
    expect(answer.status).toBe(422)
    expect(new Set(fieldsOf({ body: answer.body as Refused }))).toEqual(new Set(['name', 'tz', 'email']))
    expect(await app.admin.ask('res.partner', 'read', { ids: [id], fields: ['name'] })).toMatchObject([{ name: 'Zoe' }])
  })
})

describe('fields_get says', () => {
  it.each([
    ['connect.user', 'username', 'Must be letters and digits only.'],
    ['connect.user', 'username', 'Required while the web phone is enabled.'],
    ['connect.user', 'password', 'At least 12 characters'],
    ['connect.user', 'user', 'Must be an internal user.'],
    ['connect.user', 'telco_exten_number', 'that no other extension has.'],
    ['connect.telco.number', 'phone_number', 'Must be a phone number such as +15550100001.'],
    ['connect.telco.exten', 'number', 'Must be digits such as 101'],
    ['connect.telco.callflow', 'gather_hints', 'at most 500'],
    ['connect.telco.business_hours', 'tz', 'Must be a time zone'],
    ['connect.telco.opening', 'hour_to', '"hour_to" must be after "hour_from".'],
    ['connect.telco.holiday', 'date_from', '"date_to" must be after "date_from".'],
    ['resource.calendar.attendance', 'hour_from', '"hour_to" must be after "hour_from".'],
    ['res.partner', 'tz', 'Must be a time zone'],
    ['res.partner', 'lang', 'Must be a code such as de_DE.'],
    ['calendar.event', 'stop', '"stop" must not be before "start".'],
    ['connect.message', 'res_id', 'named by both'],
  ])('fields_get says of %s.%s: %s', async (model, field, rule) => {
    const fields = await app.admin.ask<Record<string, { help: string }>>(model, 'fields_get', { allfields: [field] })
    expect(fields[field]?.help).toContain(rule)
  })
})

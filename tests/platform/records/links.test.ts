import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { TestApp } from '../../support/test-app.ts'

interface Refused {
  context: { problems?: { field: string; message: string }[] }
}

let app: TestApp

beforeAll(async () => {
  app = await TestApp.start()
})
afterAll(() => app.stop())

const create = (model: string, values: object) => app.admin.call(model, 'create', { vals_list: values })

async function read<Row = Record<string, unknown>>(
  model: string,
  id: unknown,
  fields: string[],
): Promise<Row | undefined> {
  const [row] = await app.admin.ask<Row[]>(model, 'read', { ids: [id], fields })
  return row
}

describe('a link is written', () => {
  it('a link is written by a code or name that one record has', async () => {
    const company = await app.admin.ask('res.partner', 'create', { vals_list: { name: 'Solar Ltd', country_id: 'CH' } })
    const person = await app.admin.ask('res.partner', 'create', { vals_list: { name: 'Zoe', parent_id: 'Solar Ltd' } })
    expect(await read('res.partner', company, ['country_id'])).toMatchObject({
      country_id: [expect.any(Number), 'Switzerland'],
    })
    expect(await read('res.partner', person, ['parent_id'])).toMatchObject({ parent_id: [company, 'Solar Ltd'] })
    await app.admin.ask('res.partner', 'write', { ids: [person], vals: { country_id: 'Austria', parent_id: '' } })
    expect(await read('res.partner', person, ['country_id', 'parent_id'])).toMatchObject({
      country_id: [expect.any(Number), 'Austria'],
      parent_id: null,
    })
  })

  it('a link is written in lists and commands too', async () => {
    const values = { login: 'named-groups', name: 'N', group_ids: ['connect.group_user', 'helpdesk.group_user'] }
    const user = await app.admin.ask('res.users', 'create', { vals_list: values })
    const groups = await app.groupIds(['connect.group_user', 'helpdesk.group_user'])
    expect((await read('res.users', user, ['group_ids']))?.group_ids).toEqual(expect.arrayContaining(groups))
    await app.admin.ask('res.users', 'write', { ids: [user], vals: { group_ids: [[3, 'helpdesk.group_user']] } })
    expect((await read('res.users', user, ['group_ids']))?.group_ids).not.toContain(
      (await app.groupIds(['helpdesk.group_user']))[0],
    )
  })

  it('a link is not written by a name that none or several have', async () => {
    for (const name of ['Twin', 'Twin']) await create('res.partner', { name })
    const several = await create('res.partner', { name: 'x', parent_id: 'Twin' })
    expect([several.status, several.body]).toEqual([
      422,
      expect.objectContaining({
        message: '"res.partner.parent_id" must be an id: several records of res.partner have the name "Twin".',
      }),
    ])
    expect((await create('res.partner', { name: 'x', country_id: 'XX' })).status).toBe(422)
  })

  it('a link is not written to a record that its writer does not see', async () => {
    const user = await app.person(['connect.group_user'])
    await create('helpdesk.ticket', { name: 'Printer' })
    const answer = await user.call('connect.call', 'create', { vals_list: { ticket: 'Printer' } })
    expect([answer.status, answer.body]).toEqual([
      403,
      expect.objectContaining({ message: 'You are not allowed to link "connect.call.ticket" to helpdesk.ticket.' }),
    ])
  })
})

describe('a command [0,0,{...}]', () => {
  it('creates what links back to the record, in one call', async () => {
    const opening = (dayofweek: string) => [0, 0, { dayofweek, hour_from: 8, hour_to: 17 }]
    const hours = await app.admin.ask<number>('connect.telco.business_hours', 'create', {
      vals_list: { name: 'Office', tz: 'Europe/Zurich', opening_ids: ['0', '1'].map(opening) },
    })
    await app.admin.ask('connect.telco.business_hours', 'write', {
      ids: [hours],
      vals: { opening_ids: [opening('2')] },
    })
    const { opening_ids: ids } = (await read<{ opening_ids: number[] }>('connect.telco.business_hours', hours, [
      'opening_ids',
    ])) ?? { opening_ids: [] }
    const days = await app.admin.ask<{ dayofweek: string }[]>('connect.telco.opening', 'read', { ids })
    expect(days.map(({ dayofweek }) => dayofweek)).toEqual(['0', '1', '2'])
  })

  it('creates what a record links to', async () => {
    const team = await app.admin.ask('helpdesk.team', 'create', { vals_list: { name: 'Installers' } })
    const stage = await app.admin.ask('helpdesk.stage', 'create', {
      vals_list: {
        name: 'Waiting',
        team_ids: [
          [0, 0, { name: 'Roofers' }],
          [4, team],
        ],
      },
    })
    const teams = (await read<{ team_ids: number[] }>('helpdesk.stage', stage, ['team_ids']))?.team_ids ?? []
    expect(teams).toHaveLength(2)
    expect(teams).toContain(team)
  })

  it('leaves nothing behind when one of the records is refused', async () => {
    const answer = await create('connect.telco.business_hours', {
      name: 'Refused',
      tz: 'Europe/Zurich',
      opening_ids: [[0, 0, { dayofweek: '9', hour_from: 8, hour_to: 17 }]],
    })
    expect([answer.status, answer.body]).toEqual([
      422,
      expect.objectContaining({ message: expect.stringContaining('dayofweek') }),
    ])
    const count = await app.admin.ask('connect.telco.business_hours', 'search_count', {
      domain: [['name', '=', 'Refused']],
    })
    expect(count).toBe(0)
  })

  it('needs the right to create what it creates', async () => {
    const user = await app.person(['connect.group_user'])
    const child = await user.call('res.partner', 'create', {
      vals_list: { name: 'Firm', child_ids: [[0, 0, { name: 'Person' }]], connect_recorded_calls: [[0, 0, {}]] },
    })
    expect([child.status, child.body]).toEqual([
      403,
      expect.objectContaining({ message: 'You are not allowed to create records of connect.recording.' }),
    ])
  })

  it.each([[[5]], [[0, 0]], [7], ['Office']])('is the only one for links back: not %j', async (wrong) => {
    const opening = [0, 0, { dayofweek: '0', hour_from: 8, hour_to: 17 }]
    const values = { name: 'Mixed', tz: 'UTC', opening_ids: [opening, wrong] }
    expect((await create('connect.telco.business_hours', values)).status).toBe(422)
  })
})

describe('commands [1,id,{...}] and [2,id] of a link back', () => {
  const HOURS = 'connect.telco.business_hours'
  const OPENING = 'connect.telco.opening'
  const day = (dayofweek: string, hour_from = 8, hour_to = 17) => ({ dayofweek, hour_from, hour_to })
  const made = async (...openings: object[]) => {
    const vals = { name: 'Parts', tz: 'Europe/Zurich', opening_ids: openings.map((each) => [0, 0, each]) }
    const hours = await app.admin.ask<number>(HOURS, 'create', { vals_list: vals })
    return { hours, ids: (await read<{ opening_ids: number[] }>(HOURS, hours, ['opening_ids']))?.opening_ids ?? [] }
  }
  const write = (hours: number, opening_ids: unknown[], context = {}) =>
    app.admin.call(HOURS, 'write', { ids: [hours], vals: { opening_ids }, context })
  const days = async (hours: number) => {
    const domain = [['business_hours', '=', hours]]
    const fields = ['dayofweek', 'hour_from', 'hour_to']
    const rows = await app.admin.ask<Record<string, unknown>[]>(OPENING, 'search_read', { domain, fields })
    return rows.map(({ dayofweek, hour_from: from, hour_to: to }) => [dayofweek, from, to].join(' '))
  }
  const stampOf = async (hours: number) =>
    (await read<{ write_stamp: string }>(HOURS, hours, ['write_stamp']))?.write_stamp

  it('records that link back are changed and removed in one transaction with those that are made', async () => {
    const { hours, ids } = await made(day('0'), day('1'))
    // The new hours overlap those that go.
    const answer = await write(hours, [
      [0, 0, day('1', 9, 18)],
      [1, ids[0], { hour_to: 12 }],
      [2, ids[1]],
    ])
    expect(answer.status).toBe(200)
    expect(await days(hours)).toEqual(['0 8 12', '1 9 18'])
  })

  it('a refusal says which command it is about, and nothing is written', async () => {
    const { hours, ids } = await made(day('0'), day('1'))
    const commands = [
      [2, ids[1]],
      [1, ids[0], { hour_from: 99 }],
      [0, 0, day('2', 12, 8)],
      [0, 0, { dayofweek: '9', hour_from: 1, hour_to: 2 }],
    ]
    const { status, body } = await write(hours, commands)
    expect(status).toBe(422)
    const { context } = body as { context: { problems: { field: string; inside: object }[]; labels: object } }
    const { problems, labels } = context
    // A sentence names two fields of the part; the model that was called has neither.
    expect(labels).toMatchObject({ 'connect.telco.opening.hour_to': 'To', hour_from: 'From' })
    expect(problems.map(({ field, inside }) => [field, inside])).toEqual([
      ['hour_from', { field: 'opening_ids', at: 1 }],
      ['hour_to', { field: 'opening_ids', at: 2 }],
      ['dayofweek', { field: 'opening_ids', at: 3 }],
    ])
    expect(await days(hours)).toEqual(['0 8 17', '1 8 17'])
  })

  it('hours that overlap are named with the command that wrote them', async () => {
    const { hours, ids } = await made(day('0', 8, 12), day('1'))
    const overlapping = [
      [1, ids[1], { hour_to: 18 }],
      [0, 0, day('0', 11, 15)],
    ]
    expect(await write(hours, overlapping)).toMatchObject({
      status: 422,
      body: { context: { problems: [{ field: 'hour_from', inside: { field: 'opening_ids', at: 1 } }] } },
    })
    expect(await days(hours)).toEqual(['0 8 12', '1 8 17'])
  })

  it('records of another are neither changed nor removed, nor moved there', async () => {
    const [one, other] = [await made(day('0')), await made(day('3'))]
    for (const command of [
      [1, one.ids[0], { hour_to: 9 }],
      [2, one.ids[0]],
    ]) {
      expect((await write(other.hours, [command])).status).toBe(404)
    }
    const vals_list = { name: 'New', tz: 'UTC', opening_ids: [[2, one.ids[0]]] }
    expect((await app.admin.call(HOURS, 'create', { vals_list })).status).toBe(404)
    expect((await write(one.hours, [[1, one.ids[0], { business_hours: other.hours, hour_to: 10 }]])).status).toBe(200)
    expect([await days(one.hours), await days(other.hours)]).toEqual([['0 8 10'], ['3 8 17']])
  })

  it('a change of a part is a change of the whole, for everybody who has read it before', async () => {
    const { hours, ids } = await made(day('0'))
    const stamp = await stampOf(hours)
    await app.admin.ask(OPENING, 'write', { ids, vals: { hour_to: 16 } })
    const later = await stampOf(hours)
    expect(later).not.toBe(stamp)
    expect((await write(hours, [[2, ids[0]]], { unchanged_since: stamp })).status).toBe(409)
    expect((await write(hours, [[1, ids[0], { hour_to: 15 }]], { unchanged_since: later })).status).toBe(200)
    const stamps = [await stampOf(hours)]
    await app.admin.ask(OPENING, 'unlink', { ids })
    expect(await stampOf(hours)).not.toBe(stamps[0])
  })

  it('a change inside of a record takes the rights that the same takes by itself', async () => {
    const user = await app.person(['connect.group_user'])
    const contact = await app.admin.ask<number>('res.partner', 'create', {
      vals_list: { name: 'Firm', child_ids: [[0, 0, { name: 'Person' }]] },
    })
    const [person] = (await read<{ child_ids: number[] }>('res.partner', contact, ['child_ids']))?.child_ids ?? []
    const change = (command: unknown[]) =>
      user.call('res.partner', 'write', { ids: [contact], vals: { child_ids: [command] } })
    expect((await change([1, person, { name: 'Somebody' }])).status).toBe(200)
    expect((await change([2, person])).status).toBe(403)
  })

  it('a call that changes records inside of another touches a hundred, counted before any is written', async () => {
    const { hours, ids } = await made(day('0'))
    const many = Array.from({ length: 100 }, () => [1, ids[0], { hour_to: 12 }])
    expect(await write(hours, many)).toMatchObject({
      status: 422,
      text: expect.stringContaining('At most 100 records'),
    })
    expect((await write(hours, many.slice(1))).status).toBe(200)
  })

  it('fields_get says which links are parts of a record', async () => {
    const attributes = ['parts', 'section']
    const fields = await app.admin.ask<Record<string, object>>(HOURS, 'fields_get', { attributes })
    expect(fields.opening_ids).toEqual({ parts: true, section: 'parts' })
    const contact = await app.admin.ask<Record<string, object>>('res.partner', 'fields_get', { attributes })
    expect(contact.child_ids).toEqual({ parts: false, section: 'linked' })
  })
})

describe('what is required, and when, is in fields_get', () => {
  const described = async (model: string, names: string[]) =>
    app.admin.ask<Record<string, object>>(model, 'fields_get', { allfields: names, attributes: ['required_when'] })

  it('fields_get says what is required with each new record, while other fields have a value, or never', async () => {
    expect(await described('res.partner', ['name', 'phone'])).toEqual({
      name: { required_when: 'creating' },
      phone: {},
    })
    expect(await described('connect.user', ['user', 'username', 'language'])).toEqual({
      user: { required_when: 'creating' },
      username: { required_when: ['|', ['sip_enabled', '=', true], ['client_enabled', '=', true]] },
      language: {},
    })
    expect(await described('connect.voiceai_agent_tool', ['path'])).toEqual({
      path: { required_when: ['&', ['tool_type', '=', 'webhook'], ['url', '=', null]] },
    })
  })

  it('fields_get says that required is what create asks for', async () => {
    for (const { name: model } of app.app.platform.models) {
      if ((await app.admin.call(model, 'search', { limit: 0 })).status !== 200) continue
      const fields = await app.admin.ask<Record<string, { required_when?: unknown }>>(model, 'fields_get')
      const needed = Object.keys(fields).filter((name) => fields[name]?.required_when !== undefined)
      const answer = await create(model, {})
      if (answer.status === 403 || needed.length === 0) continue
      requireSame(model, fields, needed, answer.body as Refused)
    }
  })
})

it('what fields_get says that a picker offers can be searched for, with the record that it belongs to and without', async () => {
  const seen: string[] = []
  for (const { name: model, fields } of app.app.platform.models) {
    for (const [name, field] of Object.entries(fields)) {
      if (field.offers === undefined || !('target' in field) || field.target === undefined) continue
      const described = await app.admin.ask<Record<string, { domain?: unknown }>>(model, 'fields_get', {
        allfields: [name],
      })
      expect(described[name]?.domain).toEqual(field.offers)
      for (const filled of [1, false]) {
        const domain = field.offers.map((each) =>
          typeof each === 'string' ? each : [each[0], each[1], typeof each[2] === 'object' ? filled : each[2]],
        )
        await app.admin.ask(field.target, 'name_search', { name: '', domain })
      }
      seen.push(`${model}.${name}`)
    }
  }
  expect(seen).toContain('connect.voiceai_agent.active_prompt_version')
})

/** What a refusal says is required is what the fields say: all that every record needs, and nothing that none does. */
function requireSame(
  model: string,
  fields: Record<string, { required_when?: unknown }>,
  needed: string[],
  { context: { problems = [] } }: Refused,
): void {
  const missing = problems.filter(({ message }) => message.includes(' is required')).map(({ field }) => field)
  expect(missing, model).toEqual(
    expect.arrayContaining(needed.filter((name) => fields[name]?.required_when === 'creating')),
  )
  expect(needed, model).toEqual(expect.arrayContaining(missing))
}

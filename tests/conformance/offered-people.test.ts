// Pickers of people offer who fits, asked as each person who has the picker: by `domain` of `fields_get`, over `name_search`.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { GROUP } from '../../src/platform/access/identity.ts'
import { type Caller, TestApp } from '../support/test-app.ts'

type Fields = Record<string, { domain?: unknown[]; relation?: string; searchable?: boolean; writable?: boolean }>

const NAMES = [
  'Hugo Helpdesk',
  'Manuel Manager',
  'Connie Connect',
  'Ada Administrator',
  'Gone Colleague',
  'Portal Guest',
]

let app: TestApp
let helpdesk: Caller
let connect: Caller
let administrator: Caller

beforeAll(async () => {
  app = await TestApp.start()
  const person = (name: string, ...groups: string[]) => app.person([GROUP.internal, ...groups], { name })
  helpdesk = await person('Hugo Helpdesk', GROUP.helpdeskUser)
  await person('Manuel Manager', GROUP.helpdeskManager)
  connect = await person('Connie Connect', GROUP.connectUser)
  administrator = await person('Ada Administrator', GROUP.connectAdmin)
  const gone = await person('Gone Colleague', GROUP.helpdeskUser, GROUP.connectUser)
  await app.admin.ask('res.users', 'write', { ids: [gone.userId], vals: { active: false } })
  const guest = await person('Portal Guest', GROUP.helpdeskUser, GROUP.connectUser)
  await app.admin.ask('res.users', 'write', { ids: [guest.userId], vals: { share: true } })
})
afterAll(() => app.stop())

async function offered(caller: Caller, model: string, field: string): Promise<string[]> {
  const { [field]: found } = await caller.ask<Fields>(model, 'fields_get', { allfields: [field] })
  const names = await caller.ask<[number, string][]>(found?.relation ?? '', 'name_search', {
    domain: found?.domain ?? [],
  })
  return names.map(([, name]) => name)
}

const TICKETS = ['Hugo Helpdesk', 'Manuel Manager']
const CONNECT = ['Ada Administrator', 'Connie Connect']

it.each([
  ['helpdesk.ticket', 'user_id', TICKETS, () => helpdesk],
  ['helpdesk.team', 'member_ids', TICKETS, () => helpdesk],
  ['connect.user', 'user', CONNECT, () => administrator],
  ['connect.call', 'answered_user', CONNECT, () => connect],
  ['connect.call', 'called_users', CONNECT, () => connect],
  ['connect.favorite', 'user', CONNECT, () => connect],
  ['calendar.event', 'user_id', [...TICKETS, ...CONNECT], () => connect],
  ['resource.calendar', 'user_id', [...TICKETS, ...CONNECT], () => administrator],
])(
  'the picker of %s.%s offers who fits, and nobody who left, comes from outside or is the service',
  async (model, field, names, caller) => {
    expect((await offered(caller(), model, field)).toSorted()).toEqual([...names].toSorted())
  },
)

it.each(['connect.call', 'connect.message', 'connect.favorite'])(
  'the contact of %s is offered from people outside, and from no staff',
  async (model) => {
    await app.admin.ask('res.partner', 'create', { vals_list: { name: `Customer of ${model}` } })
    const names = await offered(connect, model, 'partner')
    expect(names).toContain(`Customer of ${model}`)
    expect(names).toContain('Portal Guest')
    expect(names.filter((name) => name !== 'Portal Guest' && NAMES.includes(name))).toEqual([])
    expect(names.filter((name) => /webhook|local/i.test(name))).toEqual([])
  },
)

it('says of a contact whether it is one of staff, when it is asked, and searches by it without being asked', async () => {
  const [staff] = await connect.ask<Record<string, unknown>[]>('res.partner', 'search_read', {
    domain: [['name', '=', 'Connie Connect']],
    fields: ['is_staff'],
  })
  expect(staff).toMatchObject({ is_staff: true })
  const everybody = await connect.ask<number>('res.partner', 'search_count', {})
  const [outside, inside, negative] = await Promise.all(
    [[['is_staff', '=', false]], [['is_staff', 'in', [true]]], [['is_staff', '!=', false]]].map((domain) =>
      connect.ask<number>('res.partner', 'search_count', { domain }),
    ),
  )
  expect(inside).toBe(negative)
  expect((outside ?? 0) + (inside ?? 0)).toBe(everybody)
  const [row] = await connect.ask<Record<string, unknown>[]>('res.partner', 'search_read', { limit: 1 })
  expect(row).not.toHaveProperty('is_staff')
  const fields = await connect.ask<Fields>('res.partner', 'fields_get', {})
  expect(fields.is_staff).toMatchObject({ searchable: true, writable: false })
  expect((await connect.call('res.partner', 'write', { ids: [1], vals: { is_staff: true } })).status).toBe(422)
  const calls = await connect.call('connect.call', 'search', { domain: [['partner.is_staff', '=', true]] })
  expect(calls.status).toBe(200)
  expect((await connect.call('res.partner', 'search', { domain: [['is_staff.name', '=', 'x']] })).status).toBe(422)
})

it('staff are no duplicates of customers, and are marked among those who have a number', async () => {
  const partner = await app.admin.ask<{ partner_id: [number, string] }[]>('res.users', 'read', {
    ids: [connect.userId],
    fields: ['partner_id'],
  })
  const mine = partner[0]?.partner_id[0]
  await app.admin.ask('res.partner', 'write', { ids: [mine], vals: { phone: '+41310005001' } })
  const other = await app.admin.ask<number>('res.partner', 'create', {
    vals_list: { name: 'Reception', phone: '+41310005001' },
  })
  expect(await connect.ask('res.partner', 'duplicates', {})).toEqual([])
  const { candidates } = await connect.ask<{ candidates: object[] }>('res.partner', 'lookup', {
    number: '+41310005001',
  })
  expect(candidates).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ id: mine, is_staff: true }),
      expect.objectContaining({ id: other, is_staff: false }),
    ]),
  )
})

it('administrators read of a user whether it is a manager, and of a method what it takes', async () => {
  const manager = await app.person([GROUP.manager], { name: 'Mona Manager' })
  const users = await administrator.ask<{ id: number; is_manager: boolean }[]>('res.users', 'read', {
    ids: [manager.userId, helpdesk.userId],
    fields: ['is_manager'],
  })
  expect(users.map(({ is_manager: isManager }) => isManager)).toEqual([true, false])
  const methods = await connect.ask<Record<string, object>>('connect.call', 'methods_get', {})
  expect(methods).toMatchObject({ hang_up: { takes: 'write' }, timeline: { takes: 'read' } })
})

it('only those whose call it was may settle it, no matter who else sees it wait', async () => {
  const ticket = await app.admin.ask<number>('helpdesk.ticket', 'create', { vals_list: { name: 'Boiler' } })
  const both = await app.person([GROUP.internal, GROUP.connectUser, GROUP.helpdeskUser], { name: 'Bea Both' })
  const values = { direction: 'incoming', status: 'no-answer', caller: '+41310006001', called: '+41310006002' }
  const ids = await app.admin.ask<number[]>('connect.call', 'create', {
    vals_list: [
      { ...values, ticket },
      { ...values, caller: '+41310006003', called_users: [[6, 0, [both.userId]]] },
    ],
  })
  const waiting = await both.ask<{ ids: number[]; may_settle: boolean }[]>('connect.call', 'to_call_back', {})
  expect(waiting.map(({ ids: of, may_settle: may }) => [of[0], may])).toEqual([
    [ids[0], false],
    [ids[1], true],
  ])
  for (const { ids: of, may_settle: may } of waiting) {
    expect((await both.call('connect.call', 'callback_done', { ids: of })).status).toBe(may ? 200 : 404)
  }
})

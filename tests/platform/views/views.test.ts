// Saved views: whose they are, who changes them, and which one is opened at first.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Caller, TestApp } from '../../support/test-app.ts'

let app: TestApp
let [eve, hugo, ada] = [] as unknown as [Caller, Caller, Caller]

beforeAll(async () => {
  app = await TestApp.start()
  eve = await app.person(['connect.group_user'])
  hugo = await app.person(['helpdesk.group_user'])
  ada = await app.person(['connect.group_admin'])
})
afterAll(() => app.stop())

const MISSED = { name: 'Missed', model: 'connect.call', query: { show: 'missed', day: 'today' } }

const create = (caller: Caller, values: object = {}) =>
  caller.ask<number>('connect.view', 'create', { vals_list: { ...MISSED, ...values } })
const find = (caller: Caller, fields = ['name']) =>
  caller.ask<{ id: number; is_default?: boolean }[]>('connect.view', 'search_read', {
    domain: [['model', '=', 'connect.call']],
    fields,
  })
const idsOf = async (caller: Caller) => (await find(caller)).map(({ id }) => id)

it('a view is its maker’s alone until an administrator gives one to everybody', async () => {
  const own = await create(eve)
  const shared = await create(ada, { name: 'Voicemails', user: null })
  expect(await idsOf(eve)).toEqual(expect.arrayContaining([own, shared]))
  expect(await idsOf(hugo)).toEqual([shared])
  const [view] = await eve.ask<object[]>('connect.view', 'read', { ids: [own], fields: ['query', 'user'] })
  expect(view).toMatchObject({ query: MISSED.query, user: [eve.userId, expect.any(String)] })
})

it.each([
  ['makes one for everybody', () => create(eve, { user: null })],
  ['makes one for somebody else', () => create(eve, { user: hugo.userId })],
  ['gives away their own', async () => change(eve, await create(eve), { user: null })],
  ['renames one of everybody', async () => change(eve, await create(ada, { user: null }), { name: 'Mine' })],
  ['takes one of everybody', async () => change(eve, await create(ada, { user: null }), { user: eve.userId })],
  ['deletes one of everybody', async () => remove(eve, await create(ada, { user: null }))],
])('a view is not for everybody to make or change: nobody %s', async (_what, attempt) => {
  await expect(attempt()).rejects.toThrow(/everyone’s|may name nobody|not be yours/)
})

it('views of somebody else are as if they were not there', async () => {
  const own = await create(eve)
  for (const other of [hugo, ada]) {
    const answer = await other.call('connect.view', 'write', { ids: [own], vals: { name: 'x' } })
    expect([answer.status, (await idsOf(other)).includes(own)]).toEqual([404, false])
  }
})

it('a list opens with one view: one’s own, or one of everybody', async () => {
  const shared = await create(ada, { user: null, is_default: true })
  const first = await create(eve, { is_default: true })
  const second = await create(eve)
  await change(eve, second, { is_default: true })
  const other = await create(hugo, { is_default: true })
  const marked = (await find(eve, ['is_default'])).filter((view) => view.is_default === true).map(({ id }) => id)
  expect(marked.sort()).toEqual([shared, second].sort())
  expect([first, other].some((id) => marked.includes(id))).toBe(false)
})

it.each([
  [{ model: 'connect.nothing' }, /must be the name of a model/],
  [{ query: ['show'] }, /must be a JSON object/],
  [{ query: { text: 'x'.repeat(4_000) } }, /at most 4000 characters/],
  [{ name: 'x'.repeat(81) }, /more than 80 characters/],
])('a view that lists nothing is refused: %o', async (values, sentence) => {
  await expect(create(eve, values)).rejects.toThrow(sentence)
})

it('an administrator shares a view and takes it back', async () => {
  const view = await create(ada)
  await change(ada, view, { user: null })
  expect(await idsOf(hugo)).toContain(view)
  await change(ada, view, { user: ada.userId })
  expect(await idsOf(hugo)).not.toContain(view)
})

function change(caller: Caller, id: number, vals: object) {
  return caller.ask('connect.view', 'write', { ids: [id], vals })
}

function remove(caller: Caller, id: number) {
  return caller.ask('connect.view', 'unlink', { ids: [id] })
}

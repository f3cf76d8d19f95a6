// Notes on records: whose they are, what was changed, and what happens to hostile text.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Caller, TestApp } from '../../support/test-app.ts'

let app: TestApp
let [hugo, eve] = [] as unknown as [Caller, Caller]

interface Post {
  id: number
  body: string
  text: string
  author_id: number | null
  is_mine: boolean
  kind: string
  changes: object[] | null
  edited_at: string | null
}

beforeAll(async () => {
  app = await TestApp.start()
  hugo = await app.person(['helpdesk.group_user'])
  eve = await app.person(['helpdesk.group_user'])
})
afterAll(() => app.stop())

const ticket = (values: object = {}) =>
  hugo.ask<number>('helpdesk.ticket', 'create', { vals_list: { name: 'Leaking boiler', ...values } })
const list = (caller: Caller, id: number, args: object = {}) =>
  caller.ask<Post[]>('helpdesk.ticket', 'message_list', { ids: [id], ...args })
const post = (caller: Caller, id: number, body: string) =>
  caller.ask<number>('helpdesk.ticket', 'message_post', { ids: [id], body })

it('a note says who wrote it, and is theirs to change and to delete', async () => {
  const id = await ticket()
  const note = await post(hugo, id, 'It <b>leaks</b>.\nBadly & often.')
  const [seen] = await list(eve, id)
  expect(seen).toMatchObject({
    kind: 'note',
    is_mine: false,
    text: 'It <b>leaks</b>.\nBadly & often.',
    edited_at: null,
  })
  expect((await list(hugo, id))[0]).toMatchObject({ is_mine: true, author_id: expect.any(Number) })
  await hugo.ask('helpdesk.ticket', 'message_edit', { ids: [id], message: note, body: '<script>1</script>' })
  const [edited] = await list(eve, id)
  expect(edited).toMatchObject({ body: '<p>&lt;script&gt;1&lt;/script&gt;</p>', text: '<script>1</script>' })
  expect(edited?.edited_at).toEqual(expect.any(String))
  await hugo.ask('helpdesk.ticket', 'message_delete', { ids: [id], message: note })
  expect(await list(eve, id)).toEqual([])
})

it('a note of somebody else, of another record, or of nobody is as if it were not there', async () => {
  const [id, other] = [await ticket(), await ticket()]
  const note = await post(hugo, id, 'Mine')
  const attempts = [
    [eve, id, note],
    [hugo, other, note],
    [hugo, id, note + 1_000],
  ] as const
  for (const [caller, record, message] of attempts) {
    for (const [method, args] of [
      ['message_edit', { body: 'x' }],
      ['message_delete', {}],
    ] as const) {
      const answer = await caller.call('helpdesk.ticket', method, { ids: [record], message, ...args })
      expect([answer.status, (answer.body as { message: string }).message]).toEqual([
        404,
        'This note does not exist, or is not yours.',
      ])
    }
  }
  expect((await list(hugo, id))[0]).toMatchObject({ text: 'Mine' })
})

it('a change of stage, priority, person and description is posted with both values', async () => {
  const id = await ticket()
  const stages = await hugo.ask<{ id: number; name: string }[]>('helpdesk.stage', 'search_read', { fields: ['name'] })
  const [row] = await hugo.ask<{ stage_id: [number, string] }[]>('helpdesk.ticket', 'read', {
    ids: [id],
    fields: ['stage_id'],
  })
  const next = stages.find((stage) => stage.id !== row?.stage_id[0])
  const vals = { stage_id: next?.id, priority: '2', user_id: eve.userId, description: 'x' }
  await eve.ask('helpdesk.ticket', 'write', { ids: [id], vals })
  const [change, ...others] = await list(hugo, id)
  expect(others).toEqual([])
  expect(change).toMatchObject({ kind: 'change', is_mine: false })
  expect(change?.changes).toEqual(
    expect.arrayContaining([
      { field: 'stage_id', from: row?.stage_id[1], to: next?.name },
      { field: 'priority', from: 'Low', to: 'High' },
      { field: 'user_id', from: null, to: expect.any(String) },
    ]),
  )
  expect(change?.changes).toContainEqual({ field: 'description', from: null, to: 'x' })
  expect(change?.changes).toHaveLength(4)
  const own = await eve.call('helpdesk.ticket', 'message_delete', { ids: [id], message: change?.id })
  expect(own.status).toBe(404)
})

it('a change to what is there already is not posted', async () => {
  const id = await ticket({ priority: '2' })
  await hugo.ask('helpdesk.ticket', 'write', { ids: [id], vals: { priority: '2', active: true } })
  expect(await list(hugo, id)).toEqual([])
})

it('older notes are read below a note', async () => {
  const id = await ticket()
  const first = await post(hugo, id, '1')
  const second = await post(hugo, id, '2')
  await post(hugo, id, '3')
  expect((await list(hugo, id, { limit: 1, before: second })).map((each) => each.id)).toEqual([first])
})

it('another destination of a number, and what its callers hear when it is closed or unanswered, are posted', async () => {
  const number = await app.admin.ask<number>('connect.telco.number', 'create', {
    vals_list: { phone_number: '+15550100110', is_ignored: true },
  })
  await app.admin.ask('connect.telco.number', 'write', { ids: [number], vals: { destination: 'callflow' } })
  const [change] = await app.admin.ask<Post[]>('connect.telco.number', 'message_list', { ids: [number] })
  expect(change?.changes).toEqual([{ field: 'destination', from: null, to: 'Call flow' }])
  const hours = await app.admin.ask<number>('connect.telco.business_hours', 'create', {
    vals_list: { name: 'Office', tz: 'UTC' },
  })
  const vals = { business_hours: hours, closed_message: 'Closed.', fallback_message: 'Sorry.' }
  await app.admin.ask('connect.telco.number', 'write', { ids: [number], vals })
  const [last] = await app.admin.ask<Post[]>('connect.telco.number', 'message_list', { ids: [number] })
  expect(last?.changes).toEqual(
    expect.arrayContaining([
      { field: 'business_hours', from: null, to: 'Office' },
      { field: 'closed_message', from: null, to: 'Closed.' },
      { field: 'fallback_message', from: null, to: 'Sorry.' },
    ]),
  )
})

it('a number that loses its destination, and a ticket that loses its team, say so and by whom', async () => {
  const callflow = await app.admin.ask<number>('connect.telco.callflow', 'create', { vals_list: { name: 'Night' } })
  const number = await app.admin.ask<number>('connect.telco.number', 'create', {
    vals_list: { phone_number: '+15550100119', is_ignored: true, destination: 'callflow', callflow },
  })
  const team = await app.admin.ask<number>('helpdesk.team', 'create', { vals_list: { name: 'Night shift' } })
  const tickets = await Promise.all([ticket(), ticket()])
  await app.admin.ask('helpdesk.ticket', 'write', { ids: tickets, vals: { team_id: team } })

  await app.admin.ask('connect.telco.callflow', 'unlink', { ids: [callflow] })
  await app.admin.ask('helpdesk.team', 'unlink', { ids: [team] })

  const lost = { field: 'callflow', from: 'Night', to: null }
  const [change] = await app.admin.ask<Post[]>('connect.telco.number', 'message_list', { ids: [number] })
  expect(change).toMatchObject({ changes: [lost], author: expect.any(String) })
  for (const id of tickets) {
    expect((await list(hugo, id))[0]?.changes).toEqual([{ field: 'team_id', from: 'Night shift', to: null }])
  }
  const [row] = await app.admin.ask<{ write_uid: unknown; callflow: unknown }[]>('connect.telco.number', 'read', {
    ids: [number],
    fields: ['write_uid', 'callflow'],
  })
  expect(row).toMatchObject({ callflow: null, write_uid: [expect.any(Number), expect.any(String)] })
})

it.each(['\u200b', '\u200e \u2066', '\ufe0f\u034f', '\u2800'])(
  'a text of which nothing is seen (%j) is no value of a record',
  async (blank) => {
    const refused = await hugo.call('helpdesk.ticket', 'create', { vals_list: { name: blank } })
    expect(refused).toMatchObject({ status: 422 })
    const id = await ticket()
    await hugo.ask('helpdesk.ticket', 'write', { ids: [id], vals: { description: blank } })
    const [read] = await hugo.ask<{ description: string | null }[]>('helpdesk.ticket', 'read', {
      ids: [id],
      fields: ['description'],
    })
    expect(read?.description).toBeNull()
  },
)

it.each([
  '',
  ' ',
  '\n\t',
  '\u200b\u200e',
  '<p></p>',
  '<p><br></p>',
  '<div>&nbsp;</div>',
  '\u3164',
  '\ufe0f',
  '\u{e0020}',
  '\u17b4',
  '<p>&#8203;&#x200e;&zwnj;</p>',
])('a blank note %j is refused, posted or edited', async (body) => {
  const id = await ticket()
  const note = await post(hugo, id, 'Something')
  const posted = await hugo.call('helpdesk.ticket', 'message_post', { ids: [id], body })
  const edited = await hugo.call('helpdesk.ticket', 'message_edit', { ids: [id], message: note, body })
  expect([posted.status, edited.status]).toEqual([422, 422])
  expect(await list(hugo, id)).toHaveLength(1)
})

it('a note has at most 64 kB, whatever its characters are, and what is longer is refused with the limit', async () => {
  const id = await ticket()
  const longest = 'ä'.repeat(32 * 1024)
  const note = await post(hugo, id, longest)
  for (const body of [`${longest}.`, 'x'.repeat(64 * 1024 + 1)]) {
    const refused = [
      await hugo.call('helpdesk.ticket', 'message_post', { ids: [id], body }),
      await hugo.call('helpdesk.ticket', 'message_edit', { ids: [id], message: note, body }),
    ]
    for (const answer of refused)
      expect(answer).toMatchObject({ status: 422, text: expect.stringContaining('up to 64 kB') })
  }
  expect((await list(eve, id))[0]?.text).toBe(longest)
})

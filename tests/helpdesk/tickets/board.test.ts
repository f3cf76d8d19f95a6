import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Caller, TestApp } from '../../support/test-app.ts'

interface Stage {
  id: number
  name: string
  fold: boolean
  count: number
  rows: { id: number; name: string }[]
}
interface Moved {
  moved: boolean
  stage: { id: number; name: string }
  after: number | null
  by: string | null
  seconds_ago: number | null
}

let app: TestApp
let hugo: Caller
let tickets: number[]

beforeAll(async () => {
  app = await TestApp.start()
  hugo = await app.person(['helpdesk.group_user'], { name: 'Hugo Blank' })
  tickets = []
  for (const name of ['one', 'two', 'three']) {
    tickets.push(await hugo.ask<number>('helpdesk.ticket', 'create', { vals_list: { name } }))
  }
})
afterAll(() => app.stop())

async function board(args: object = {}): Promise<Map<string, Stage>> {
  const stages = await hugo.ask<Stage[]>('helpdesk.ticket', 'board', args)
  return new Map(stages.map((stage) => [stage.name, stage]))
}
const names = (stage: Stage | undefined) => stage?.rows.map(({ name }) => name)
const move = (args: object) => hugo.ask<Moved>('helpdesk.ticket', 'move', args)

it('shows each stage with its first tickets and how many there are, new ones on top', async () => {
  const stages = await board()
  expect([...stages.keys()]).toEqual(['Inbox', 'In Progress', 'On Hold', 'Resolved', 'Closed'])
  expect(names(stages.get('Inbox'))).toEqual(['three', 'two', 'one'])
  const few = (await board({ limit: 2 })).get('Inbox')
  expect([few?.count, names(few)]).toEqual([3, ['three', 'two']])
  expect(stages.get('Resolved')).toMatchObject({ fold: true, count: 0 })
  const narrowed = await board({ domain: [['name', '=', 'two']] })
  expect(names(narrowed.get('Inbox'))).toEqual(['two'])
})

it('puts a ticket where it is dropped, and back again', async () => {
  const [one = 0, two = 0, three = 0] = tickets
  const inbox = (await board()).get('Inbox')?.id ?? 0
  await move({ ids: [three], stage_id: inbox, after: one })
  expect(names((await board()).get('Inbox'))).toEqual(['two', 'one', 'three'])
  const hold = (await board()).get('On Hold')?.id ?? 0
  const undo = await move({ ids: [one], stage_id: hold, from: inbox })
  expect(undo).toMatchObject({ moved: true, stage: { id: inbox }, after: two })
  expect(names((await board()).get('On Hold'))).toEqual(['one'])
  await move({ ids: [one], stage_id: undo.stage.id, after: undo.after })
  expect(names((await board()).get('Inbox'))).toEqual(['two', 'one', 'three'])
})

it('between two tickets there is always room for another', async () => {
  const [one = 0, two = 0, three = 0] = tickets
  const inbox = (await board()).get('Inbox')?.id ?? 0
  for (let round = 0; round < 40; round += 1) {
    await move({ ids: [round % 2 === 0 ? one : three], stage_id: inbox, after: two })
  }
  expect(names((await board()).get('Inbox'))).toEqual(['two', 'three', 'one'])
})

it('says who moved a ticket meanwhile, and moves it only when asked again', async () => {
  const [one = 0] = tickets
  const stages = await board()
  const [inbox, hold, done] = ['Inbox', 'On Hold', 'Resolved'].map((name) => stages.get(name)?.id ?? 0)
  await hugo.ask('helpdesk.ticket', 'write', { ids: [one], vals: { stage_id: hold } })
  const refused = await move({ ids: [one], stage_id: done, from: inbox })
  expect(refused).toMatchObject({ moved: false, stage: { id: hold, name: 'On Hold' }, by: 'Hugo Blank' })
  expect(refused.seconds_ago).toBeLessThan(100)
  const closed = async () => {
    const [row] = await hugo.ask<{ closed_at: string | null }[]>('helpdesk.ticket', 'read', {
      ids: [one],
      fields: ['closed_at'],
    })
    return row?.closed_at ?? null
  }
  expect(await closed()).toBeNull()
  expect(await move({ ids: [one], stage_id: done })).toMatchObject({ moved: true })
  expect(await closed()).not.toBeNull()
  await move({ ids: [one], stage_id: hold })
  expect(await closed()).toBeNull()
})

it('anyone who may not write tickets moves none', async () => {
  const eve = await app.person(['connect.group_user'])
  expect((await eve.call('helpdesk.ticket', 'board')).status).toBe(403)
  expect((await eve.call('helpdesk.ticket', 'move', { ids: [tickets[0]], stage_id: 1 })).status).toBe(403)
})

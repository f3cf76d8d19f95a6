// Notices: who hears of what, once, and nobody else of theirs.
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { sql } from '../../src/database/drizzle.ts'
import { recordFailedAttempt } from '../../src/deliveries/inbox/failed-attempt.ts'
import { takeBack } from '../../src/platform/notices/notice.ts'
import { cleanUp } from '../../src/platform/records/clean-up.ts'
import { failRun } from '../../src/sync/sync-run.ts'
import { aPartner } from '../fixtures/records.ts'
import { streamOf } from '../support/live-stream.ts'
import { insertRow } from '../support/rows.ts'
import { type Caller, TestApp } from '../support/test-app.ts'

interface Notice {
  id: number
  kind: string
  ref: string
  title: string | null
  detail: string | null
  read_at: string | null
}

let app: TestApp
let eve: Caller
let hugo: Caller

beforeAll(async () => {
  app = await TestApp.start()
  eve = await app.person(['base.group_user', 'connect.group_user'], { login: 'eve', name: 'Eve Hall' })
  hugo = await app.person(['helpdesk.group_user'], { login: 'hugo', name: 'Hugo Lang' })
})
afterAll(() => app.stop())
beforeEach(() => app.db.query(sql`delete from connect_notice`))

function notices(who: Caller): Promise<Notice[]> {
  return who.ask('connect.notice', 'search_read', { fields: ['kind', 'ref', 'title', 'detail', 'read_at'] })
}

function note(who: Caller, model: string, id: number, body: string): Promise<unknown> {
  return who.ask(model, 'message_post', { ids: [id], body })
}

it('anyone who is given a ticket hears of it, and nobody of what they took themselves', async () => {
  const id = await app.admin.ask<number>('helpdesk.ticket', 'create', { vals_list: { name: 'Leaking boiler' } })
  await app.admin.ask('helpdesk.ticket', 'write', { ids: [id], vals: { user_id: hugo.userId } })
  const [notice, ...others] = await notices(hugo)
  expect([notice, ...others]).toMatchObject([
    { kind: 'assigned', ref: `helpdesk.ticket,${id}`, title: 'Leaking boiler', read_at: null },
  ])
  await app.admin.ask('helpdesk.ticket', 'write', { ids: [id], vals: { name: 'Leaking boiler again' } })
  expect(await notices(hugo)).toHaveLength(1)
  await app.admin.ask('helpdesk.ticket', 'write', { ids: [id], vals: { user_id: app.admin.userId } })
  expect(await notices(app.admin)).toEqual([])
})

it("a notice is its person's alone: administrators neither read it nor mark it as read", async () => {
  const id = await app.admin.ask<number>('helpdesk.ticket', 'create', {
    vals_list: { name: 'Router', user_id: hugo.userId },
  })
  const [notice] = await notices(hugo)
  expect(notice?.ref).toBe(`helpdesk.ticket,${id}`)
  for (const other of [eve, app.admin]) {
    expect(await notices(other)).toEqual([])
    expect((await other.call('connect.notice', 'mark_read', { ids: [notice?.id] })).status).toBe(404)
  }
  expect((await hugo.call('connect.notice', 'write', { ids: [notice?.id], vals: { detail: 'x' } })).status).toBe(403)
  await hugo.ask('connect.notice', 'mark_read', { ids: [notice?.id] })
  expect((await notices(hugo))[0]?.read_at).not.toBe(null)
})

it('a note calls people by their login or name, when they may read the record', async () => {
  const contact = await aPartner(app, { name: 'Zoe Miller' })
  await note(app.admin, 'res.partner', contact, 'Ask @eve. Not @evelyn, nor mail@eve.example: (@Hugo Lang)')
  expect(await notices(eve)).toMatchObject([
    {
      kind: 'mentioned',
      ref: `res.partner,${contact}`,
      title: 'Zoe Miller',
      detail: expect.stringContaining('Ask @eve'),
    },
  ])
  expect(await notices(hugo)).toHaveLength(1)
  // The helpdesk's tickets are closed to Eve: she hears of none.
  const ticket = await app.admin.ask<number>('helpdesk.ticket', 'create', { vals_list: { name: 'Private' } })
  await note(app.admin, 'helpdesk.ticket', ticket, '@eve @hugo look')
  expect(await notices(eve)).toHaveLength(1)
  expect(await notices(hugo)).toHaveLength(2)
  // Said again, it is news again.
  await eve.ask('connect.notice', 'mark_read', { ids: (await notices(eve)).map(({ id }) => id) })
  await note(app.admin, 'res.partner', contact, 'And now, @EVE?')
  expect(await notices(eve)).toMatchObject([{ read_at: null, detail: 'And now, @EVE?' }])
})

it('contacts are merged, no matter who was called in the notes of both', async () => {
  const [keep, other] = [await aPartner(app, { name: 'Zoe Miller' }), await aPartner(app, { name: 'Z. Miller' })]
  for (const contact of [keep, other]) await note(app.admin, 'res.partner', contact, '@eve look')
  await app.admin.ask('res.partner', 'merge', { keep, others: [other] })
  expect(await notices(eve)).toMatchObject([
    { ref: `res.partner,${other}`, title: null },
    { ref: `res.partner,${keep}`, title: 'Zoe Miller' },
  ])
})

it('anyone who may read the record no more is not told its name', async () => {
  const ticket = await app.admin.ask<number>('helpdesk.ticket', 'create', {
    vals_list: { name: 'Secret', user_id: eve.userId },
  })
  expect(await notices(eve)).toMatchObject([{ ref: `helpdesk.ticket,${ticket}`, title: null }])
})

it('administrators hear of failed runs, each time, and of dead deliveries once an hour for each kind', async () => {
  for (const area of ['telco', 'voiceai']) {
    const run = await insertRow(app.db, 'connect_sync_run', { area, kind: 'sync', state: 'queued' })
    await failRun(app.db, run)
  }
  expect((await notices(app.admin)).map(({ kind }) => kind)).toEqual(['run_failed', 'run_failed'])
  await app.db.query(sql`delete from connect_notice`)
  for (const kind of ['post_call', 'post_call', 'telco']) {
    const id = await insertRow(app.db, 'connect_inbox', {
      ...{ kind, state: 'failed', attempts: 7, received_at: '2026-01-01 00:00:00', payload: '{}' },
    })
    await recordFailedAttempt({ db: app.db, platform: app.app.platform }, { id, error: new Error('no such call') })
  }
  const found = await notices(app.admin)
  expect(found.map(({ kind, detail }) => [kind, detail])).toEqual([
    ['delivery_dead', 'telco'],
    ['delivery_dead', 'post_call'],
  ])
  expect(await notices(eve)).toEqual([])
})

it('an open page hears of a notice that is taken back, and of a run that was cut off', async () => {
  const stream = await streamOf(app, app.admin.userId)
  const run = await insertRow(app.db, 'connect_sync_run', { area: 'telco', kind: 'check', state: 'queued' })
  await failRun(app.db, run)
  await stream.hearChange(({ model, ids }) => model === 'connect.sync_run' && ids?.includes(run) === true)
  await stream.hearChange(({ model, gone }) => model === 'connect.notice' && gone === undefined)
  const about = { kind: 'run_failed', ref: { model: 'connect.sync_run', id: run } } as const
  await app.db.transaction(async (tx) => takeBack(tx, about))
  await stream.hearChange(({ model, gone }) => model === 'connect.notice' && gone === true)
  stream.close()
})

it('old notices are removed by the upkeep', async () => {
  await app.admin.ask('helpdesk.ticket', 'create', { vals_list: { name: 'Old', user_id: hugo.userId } })
  await app.admin.ask('helpdesk.ticket', 'create', { vals_list: { name: 'New', user_id: hugo.userId } })
  await app.db.query(
    sql`update connect_notice set noticed_at = now() at time zone 'utc' - interval '61 days'
        where id = (select min(id) from connect_notice)`,
  )
  await cleanUp(app.db, app.app.platform)
  expect((await notices(hugo)).map(({ title }) => title)).toEqual(['New'])
})

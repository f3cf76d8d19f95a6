// What an open page hears of changes (docs/api.md), and what it never hears.
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { LiveHub } from '../../../src/platform/live/live-hub.ts'
import { LiveStream } from '../../../src/platform/live/live-stream.ts'
import { notifyChanged } from '../../../src/platform/records/notify-changed.ts'
import type { RefusalCode } from '../../../src/refusals.ts'
import { cookieOf, HeardStream, streamOf } from '../../support/live-stream.ts'
import { type Caller, eventually, TestApp } from '../../support/test-app.ts'

const STREAMS_OF_PERSON_MAX = 20
const HOUR_MS = 3_600_000
const STREAMS_OF_ALL_MAX = 500
/** More have no room in one notification. */
const NOTIFIED_IDS_MAX = 100

let app: TestApp
let user: Caller
let admin: Caller
const open: HeardStream[] = []

beforeAll(async () => {
  app = await TestApp.start()
  user = await app.person(['connect.group_user'])
  admin = await app.person(['connect.group_admin'])
})
afterEach(() => {
  for (const stream of open.splice(0)) stream.close()
})
afterAll(() => app.stop())

async function listen(who: Caller): Promise<HeardStream> {
  const stream = await streamOf(app, who.userId)
  open.push(stream)
  return stream
}

function aPartner(name = 'Zoe'): Promise<number> {
  return app.admin.ask<number>('res.partner', 'create', { vals_list: { name } })
}

function notify(payload: string): Promise<void> {
  return app.db.transaction((tx) => tx.notify('connect_records', payload))
}

describe('an open stream', () => {
  it('an open stream says hello first, and is held back by no proxy', async () => {
    const stream = await listen(user)
    expect(stream.status).toBe(200)
    expect(stream.headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
      'x-content-type-options': 'nosniff',
    })
    const said = { build: expect.any(String), at: expect.any(String), user: user.userId, heartbeat_ms: 15_000 }
    expect(stream.events[0]).toEqual({ event: 'hello', data: said })
  })

  it('a record that was created, changed and removed is heard of by its id', async () => {
    const stream = await listen(user)
    const id = await aPartner()
    await stream.hearChange(({ model, ids }) => model === 'res.partner' && ids?.includes(id) === true)
    const heard = stream.events.length
    await app.admin.ask('res.partner', 'write', { ids: [id], vals: { name: 'Zoe Miller' } })
    await eventually(async () => stream.events.length > heard)
    await app.admin.ask('res.partner', 'unlink', { ids: [id] })
    const gone = await stream.hearChange((change) => change.gone === true)
    expect(gone).toEqual({ model: 'res.partner', ids: [id], gone: true })
  })

  it('more records than a notice names are heard of without ids', async () => {
    const stream = await listen(user)
    const ids = Array.from({ length: NOTIFIED_IDS_MAX + 1 }, (_each, at) => at + 1)
    await app.db.transaction((tx) => notifyChanged({ db: tx }, 'res.partner', ids))
    expect(await stream.hearChange(({ model }) => model === 'res.partner')).toEqual({ model: 'res.partner', ids: null })
  })

  it('a page loads again when notifications may have been missed', async () => {
    const stream = await listen(user)
    await notify('*')
    await stream.hear('reset')
  })

  it('nobody is disturbed by a notice that cannot be read', async () => {
    const stream = await listen(user)
    await notify('{')
    await stream.hear('reset')
    const id = await aPartner()
    await stream.hearChange(({ ids }) => ids?.includes(id) === true)
  })

  it('a stream is refused beyond those that one process has room for, and once it stops', () => {
    const { platform, identities } = app.app
    const hub = new LiveHub({ db: app.db, platform, identities, build: () => 'x', callModel: 'connect.call' })
    for (let userId = 1; userId <= STREAMS_OF_ALL_MAX; userId += 1) hub.open({ userId, token: String(userId) })
    const open = () => hub.open({ userId: STREAMS_OF_ALL_MAX + 1, token: 'x' })
    expect(open).toThrow(expect.objectContaining({ code: 'at-most-streams-open-at-once', status: 429 }))
    hub.stop()
    expect(open).toThrow(expect.objectContaining({ code: 'service-stopping-try-again', status: 503 }))
  })

  it('the last event of a stream stays the last one while a slow browser has not read it', async () => {
    const stream = new LiveStream({ userId: user.userId, token: 'x' })
    stream.end('signed-out')
    stream.send('heartbeat')
    stream.end('bye')
    let text = ''
    for await (const chunk of stream.body) text += String(chunk)
    expect(text).toMatch(/event: signed-out\ndata: \{\}\n\n$/)
  })

  it('a stream on which nothing happens has a heartbeat that a browser hears', async () => {
    const { platform, identities } = app.app
    const parts = { db: app.db, platform, identities, build: () => 'x', callModel: 'connect.call' }
    const hub = new LiveHub({ ...parts, heartbeatEveryMs: 1 })
    const token = (await cookieOf(app, user.userId)).split('=')[1] ?? ''
    const { body } = hub.open({ userId: user.userId, token })
    let text = ''
    body.on('data', (chunk) => {
      text += String(chunk)
    })
    await eventually(async () => text.includes('event: heartbeat\ndata: {}\n\n'))
    hub.stop()
    await eventually(async () => hub.size === 0)
    expect(text).toContain('event: bye\n')
  })
})

describe('what a stream never says', () => {
  it('a person never hears of calls that are not theirs, in a storm either', async () => {
    const other = await app.person(['connect.group_user'])
    const [mine, theirs, all] = [await listen(user), await listen(other), await listen(admin)]
    const calls: Record<'mine' | 'theirs', number[]> = { mine: [], theirs: [] }
    for (let round = 0; round < 40; round += 1) {
      const whose = round % 2 === 0 ? 'mine' : 'theirs'
      const caller = whose === 'mine' ? user : other
      const vals = { caller: '+41313808316', called: '+41313808317', caller_user: caller.userId }
      calls[whose].push(await app.admin.ask<number>('connect.call', 'create', { vals_list: vals }))
    }
    const last = (ids: number[]) => ids.at(-1) ?? 0
    await mine.hearChange(({ ids }) => ids?.includes(last(calls.mine)) === true)
    await theirs.hearChange(({ ids }) => ids?.includes(last(calls.theirs)) === true)
    await all.hearChange(({ ids }) => ids?.includes(last(calls.theirs)) === true)
    const heard = (stream: HeardStream) =>
      new Set(stream.changes.filter(({ model }) => model === 'connect.call').flatMap(({ ids }) => ids ?? []))
    expect(heard(mine)).toEqual(new Set(calls.mine))
    expect(heard(theirs)).toEqual(new Set(calls.theirs))
    expect(heard(all)).toEqual(new Set([...calls.mine, ...calls.theirs]))
  })

  it('a person hears of a removed call without its id, an administrator with it', async () => {
    const vals = { caller: '+41313808316', called: '+41313808317' }
    const id = await app.admin.ask<number>('connect.call', 'create', { vals_list: vals })
    const [mine, all] = [await listen(user), await listen(admin)]
    await app.admin.ask('connect.call', 'unlink', { ids: [id] })
    const isGone = (change: { gone?: true }) => change.gone === true
    expect(await all.hearChange(isGone)).toEqual({ model: 'connect.call', ids: [id], gone: true })
    expect(await mine.hearChange(isGone)).toEqual({ model: 'connect.call', ids: null, gone: true })
  })

  it('a person never hears of a model that they may not read', async () => {
    const stream = await listen(user)
    const notices = ['helpdesk.ticket', 'connect.settings', 'res.users.session', 'connect.delivery', 'no.such']
    // Of sessions, one's own is read: this one is nobody's.
    for (const model of notices) await notify(JSON.stringify({ model, ids: [2_000_000_000] }))
    const id = await aPartner()
    await stream.hearChange(({ ids }) => ids?.includes(id) === true)
    expect(stream.changes.filter(({ model }) => notices.includes(model))).toEqual([])
  })

  it('a person hears which of their calls a record belongs to, and nothing else of a record that is not theirs', async () => {
    const vals = { caller: '+41313808316', called: '+41313808317' }
    const own = await app.admin.ask<number>('connect.call', 'create', {
      vals_list: { ...vals, caller_user: user.userId },
    })
    const foreign = await app.admin.ask<number>('connect.call', 'create', { vals_list: vals })
    const [mine, all] = [await listen(user), await listen(admin)]
    await notify(JSON.stringify({ model: 'connect.delivery', ids: [7, 8], calls: [own, foreign] }))
    const isDelivery = ({ model }: { model: string }) => model === 'connect.delivery'
    expect(await mine.hearChange(isDelivery)).toEqual({ model: 'connect.delivery', ids: [], calls: [own] })
    const { ids, calls } = await all.hearChange(isDelivery)
    expect([ids, calls?.toSorted()]).toEqual([[7, 8], [own, foreign].toSorted()])
  })
})

describe('who has a stream', () => {
  it('nobody without a session has a stream, with a key neither', async () => {
    const opened = [
      await HeardStream.open(app, {}),
      await HeardStream.open(app, { cookie: 'connect_session=wrong' }),
      await HeardStream.open(app, { authorization: `bearer ${user.key}` }),
    ]
    expect(opened.map(({ status }) => status)).toEqual([401, 401, 401])
  })

  it('a stream is refused as the API refuses: with a wrong key beside the cookie, to another page, with an argument', async () => {
    const cookie = await cookieOf(app, user.userId)
    const ask = async (address: string, headers: Record<string, string>) => {
      const { status, body } = await app.request(address, { headers: { cookie, ...headers } })
      return [status, (body as { context: { code: string } }).context.code]
    }
    const call = (headers: Record<string, string>) =>
      app.post('/json/2/res.lang/search_count', { domain: [] }, { cookie, ...headers })
    for (const headers of [{ authorization: 'bearer wrong' }, { 'sec-fetch-site': 'cross-site' }]) {
      const { status, body } = await call(headers)
      expect(status).toBeGreaterThanOrEqual(401)
      expect(await ask('/api/live', headers)).toEqual([status, (body as { context: { code: string } }).context.code])
    }
    expect(await ask('/api/live', { 'sec-fetch-site': 'same-site' })).toEqual([403, expect.any(String)])
    expect(await ask('/api/live?models=res.users', {})).toEqual([422, 'stream-has-no-argument'])
    const own = await HeardStream.open(app, { cookie, 'sec-fetch-site': 'same-origin' })
    open.push(own)
    expect(own.status).toBe(200)
  })

  it('the stream of a person ends when the installation wants a second factor that they have not', async () => {
    const stream = await listen(user)
    const write = (vals: object) => app.admin.ask('connect.settings', 'write', { ids: [1], vals })
    await write({ require_second_factor: true })
    await stream.hear('signed-out')
    await stream.end()
    await write({ require_second_factor: false })
  })

  it('a person has so many streams at once and no more; one that was closed makes room', async () => {
    const person = await app.person([])
    const streams = await Promise.all(Array.from({ length: STREAMS_OF_PERSON_MAX }, () => listen(person)))
    expect(streams.map(({ status }) => status)).toEqual(streams.map(() => 200))
    const refused = await streamOf(app, person.userId)
    expect(refused.status).toBe(429)
    await expect
      .poll(() => refused.text)
      .toContain(`"code":"${'person-has-at-most-streams-open' satisfies RefusalCode}"`)
    expect((await listen(user)).status).toBe(200)
    streams[0]?.close()
    await eventually(async () => {
      const another = await listen(person)
      return another.status === 200
    })
  })

  it('signing out ends the streams of that session only', async () => {
    const cookie = await cookieOf(app, user.userId)
    const stream = await HeardStream.open(app, { cookie })
    const other = await listen(user)
    await app.post('/api/sign-out', {}, { cookie, 'sec-fetch-site': 'same-origin' })
    await stream.hear('signed-out')
    await stream.end()
    const id = await aPartner()
    await other.hearChange(({ ids }) => ids?.includes(id) === true)
    expect(other.hasEnded).toBe(false)
  })

  it('signing out ends a stream at once, not with its next heartbeat', async () => {
    const { platform, identities } = app.app
    const parts = { db: app.db, platform, identities, build: () => 'x', callModel: 'connect.call' }
    const hub = new LiveHub({ ...parts, heartbeatEveryMs: HOUR_MS })
    await hub.start()
    const cookie = await cookieOf(app, user.userId)
    const { body } = hub.open({ userId: user.userId, token: cookie.split('=')[1] ?? '' })
    let text = ''
    body.on('data', (chunk) => {
      text += String(chunk)
    })
    await app.post('/api/sign-out', {}, { cookie, 'sec-fetch-site': 'same-origin' })
    await eventually(async () => text.includes('event: signed-out'))
    expect(hub.size).toBe(0)
    hub.stop()
  })

  it('the stream of a person who is archived ends', async () => {
    const person = await app.person(['connect.group_user'])
    const stream = await listen(person)
    await app.admin.ask('res.users', 'write', { ids: [person.userId], vals: { active: false } })
    await stream.hear('signed-out')
    await stream.end()
  })

  it('a person who was taken out of a group hears no more of its records', async () => {
    const person = await app.person(['helpdesk.group_user'])
    const stream = await listen(person)
    const isTicket = ({ model }: { model: string }) => model === 'helpdesk.ticket'
    await app.admin.ask('helpdesk.ticket', 'create', { vals_list: { name: 'Leak' } })
    await stream.hearChange(isTicket)
    await app.admin.ask('res.users', 'write', { ids: [person.userId], vals: { group_ids: [[5]] } })
    await stream.hearChange(({ model }) => model === 'res.users')
    const before = stream.changes.filter(isTicket).length
    await app.admin.ask('helpdesk.ticket', 'create', { vals_list: { name: 'Another leak' } })
    await app.admin.ask('res.lang', 'create', { vals_list: { name: 'Marker', code: 'xx_MK' } })
    await stream.hearChange(({ model }) => model === 'res.lang')
    expect(stream.changes.filter(isTicket)).toHaveLength(before)
  })
})

it('a service that stops says bye, and does not wait for its streams', async () => {
  const stopping = await TestApp.start()
  const person = await stopping.person([])
  const stream = await streamOf(stopping, person.userId)
  await stopping.stop()
  await stream.hear('bye')
  await stream.end()
})

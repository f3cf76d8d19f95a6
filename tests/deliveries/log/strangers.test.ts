// What somebody who is not known may cost: bytes of the log, of memory and of disk, and time.
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../../src/database/drizzle.ts'
import { REJECTED_BODY_BYTES_MAX } from '../../../src/deliveries/log/logged-delivery.ts'
import { RejectionBudget } from '../../../src/deliveries/log/rejection-budget.ts'
import { readBody } from '../../../src/deliveries/webhooks/read-body.ts'
import { Room } from '../../../src/deliveries/webhooks/unverified-bytes.ts'
import { POST_CALL } from '../../fixtures/routes.ts'
import { setUpTelco } from '../../support/telco.ts'
import { eventually, TestApp } from '../../support/test-app.ts'

const REJECTED_PER_MINUTE_MAX = { signed: 100, bare: 200 }
const REJECTED_BYTES_PER_DAY_MAX = { bare: 16 * 1024 * 1024 }

/** Fewer than one address may hold before it proves who it is. */
const SOCKETS_AT_ONCE = 40

const CALLSTATUS = '/telco/webhook/callstatus'
const FORM = 'application/x-www-form-urlencoded'
/** Well-formed, and right for nothing. */
const MADE_UP = 'N76QHLGtNxxhoNaUGV1w68GvLzE='

let app: TestApp
let now = new Date('2030-01-01T10:00:00Z')

beforeAll(async () => {
  app = await TestApp.start({ clock: () => now })
  await setUpTelco(app)
})
afterAll(() => app.stop())

interface Row {
  route: string
  verdict: string
  reason: string
  body: string
  body_bytes: number
}

/** Every test has its own minute, and looks at what was logged in it. */
function nextMinute(): void {
  now = new Date(now.getTime() + 60_000)
}

async function logged(): Promise<Row[]> {
  await app.app.deliveries.drained()
  const since = now.toISOString().slice(0, 16).replace('T', ' ')
  return app.db.query<Row & Record<string, unknown>>(
    sql`select route, verdict, reason, body, body_bytes from connect_delivery where received_at >= ${since}::timestamp order by id`,
  )
}

function sendForm(body: string, signature?: string) {
  const headers = { 'content-type': FORM, ...(signature === undefined ? {} : { 'x-twilio-signature': signature }) }
  return app.post(CALLSTATUS, body, headers)
}

/** A request that says how long its body is and sends only part of it. */
async function sendPart(target: string, headers: Record<string, string>, part: string): Promise<Socket> {
  const { hostname, port } = new URL(app.url)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  const lines = Object.entries({ host: hostname, 'content-length': '100000', ...headers })
  socket.write(
    `POST ${target} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}`).join('\r\n')}\r\n\r\n${part}`,
  )
  return socket
}

describe('a body of a stranger', () => {
  it('a body of a stranger is logged with its first 8 KiB only, and with how long it was', async () => {
    nextMinute()
    const body = `CallSid=CA1&Body=${'x'.repeat(50_000)}`
    await sendForm(body)
    await sendForm(body, MADE_UP)
    const rows = await logged()
    expect(rows.map((row) => [row.verdict, row.body_bytes])).toEqual([
      ['rejected', body.length],
      ['rejected', body.length],
    ])
    for (const row of rows) expect(row.body).toBe(body.slice(0, REJECTED_BODY_BYTES_MAX))
    expect(rows.map((row) => row.reason)).toEqual([
      expect.stringContaining('Telco requires HTTPS'),
      expect.stringContaining('Telco requires HTTPS'),
    ])
  })

  it('a body of a stranger that is too large is one rejection more', async () => {
    nextMinute()
    expect((await sendForm('x'.repeat(1024 * 1024 + 1), MADE_UP)).status).toBe(413)
    expect(await logged()).toMatchObject([{ verdict: 'rejected', reason: 'The body is too large.', body: '' }])
  })

  it('a body of a stranger is not received at all where the headers tell enough', async () => {
    nextMinute()
    expect((await sendForm('x'.repeat(1024 * 1024 + 1))).status).toBe(200)
    expect((await app.post('/connect_voiceai/transfer', 'x'.repeat(2 * 1024 * 1024))).status).toBe(401)
    expect((await app.post(POST_CALL, 'x'.repeat(2 * 1024 * 1024))).status).toBe(401)
    // Each is logged after its answer: what came first may be written last.
    const rows = await logged()
    expect(rows.every(({ verdict }) => verdict === 'rejected')).toBe(true)
    const [form, ...others] = rows.sort((one, other) => one.body_bytes - other.body_bytes)
    expect(form).toMatchObject({ route: expect.stringContaining('callstatus'), body_bytes: 1024 * 1024 + 1 })
    expect(others.map(({ body }) => body)).toEqual(['', ''])
  })

  it('a body of a stranger with more fields than a form can have is rejected by their number, with a signature and without', async () => {
    nextMinute()
    const many = 'a=&'.repeat(300_000)
    expect((await sendForm(many)).text).toBe('False')
    expect((await sendForm(many, MADE_UP)).text).toBe('False')
    expect((await logged()).map((row) => row.reason)).toEqual([
      expect.stringContaining('Telco requires HTTPS'),
      'The form has too many fields.',
    ])
  })

  it('a body of a stranger that stops in the middle is logged under the same limit', async () => {
    nextMinute()
    const count = REJECTED_PER_MINUTE_MAX.signed + 30
    const headers = { 'content-type': FORM, 'x-twilio-signature': MADE_UP }
    let begun = 0
    app.app.http.server.on('request', ({ method }) => {
      if (method === 'POST') begun += 1
    })
    // One address holds only so many connections at once.
    for (let left = count; left > 0; left -= SOCKETS_AT_ONCE) {
      const some = Math.min(left, SOCKETS_AT_ONCE)
      const before = { begun, seen: await rejectionsSeen() }
      const sockets = await Promise.all(Array.from({ length: some }, () => sendPart(CALLSTATUS, headers, 'CallSid=')))
      await eventually(async () => begun >= before.begun + some)
      for (const socket of sockets) socket.resetAndDestroy()
      await eventually(async () => (await rejectionsSeen()) >= before.seen + some)
    }
    const rows = await logged()
    expect(rows).toHaveLength(REJECTED_PER_MINUTE_MAX.signed)
    expect(rows[0]?.reason).toContain('The body could not be received')
  })

  it('a body of a stranger that does not arrive in time ends, and its connection with it', async () => {
    nextMinute()
    const { server } = app.app.http
    expect(server.requestTimeout).toBe(30_000)
    server.requestTimeout = 200
    const socket = await sendPart(CALLSTATUS, { 'content-type': FORM, 'x-twilio-signature': MADE_UP }, 'CallSid=')
    socket.resume()
    await once(socket, 'close')
    server.requestTimeout = 30_000
    const [row] = await eventually(async () => {
      const rows = await logged()
      return rows.length > 0 && rows
    })
    expect(row).toMatchObject({ verdict: 'rejected', reason: expect.stringContaining('could not be received') })
  })
})

async function rejectionsSeen(): Promise<number> {
  const { text } = await app.request('/metrics')
  const [, count = '0'] =
    /connect_deliveries_total\{route="\/telco\/webhook\/callstatus",verdict="rejected"\} (\d+)/.exec(text) ?? []
  return Number(count)
}

describe('the log of rejections', () => {
  it('keeps room for those with a signature, whatever comes without', async () => {
    nextMinute()
    const flood = REJECTED_PER_MINUTE_MAX.bare + 50
    await Promise.all(Array.from({ length: flood }, () => sendForm('a=1')))
    await sendForm('CallSid=CAsomebody', MADE_UP)
    const rows = await logged()
    expect(rows).toHaveLength(REJECTED_PER_MINUTE_MAX.bare + 1)
    expect(rows.at(-1)?.body).toBe('CallSid=CAsomebody')
    expect((await app.request('/metrics')).text).toMatch(/^connect_rejections_not_logged [1-9]/m)
  })

  it('the log of rejections has a budget of bytes for a day, and a new one for the next', () => {
    const budget = new RejectionBudget()
    const bytes = REJECTED_BYTES_PER_DAY_MAX.bare / 4
    const at = (minute: number) => new Date(Date.UTC(2030, 0, 1, 0, minute))
    const answers = [0, 1, 2, 3, 4].map((minute) => budget.allows('bare', bytes, at(minute)))
    expect(answers).toEqual([true, true, true, true, false])
    expect(budget.allows('signed', bytes, at(5))).toBe(true)
    expect(budget.allows('bare', bytes, at(24 * 60))).toBe(true)
    expect(budget.notLogged).toBe(1)
  })
})

describe('the room for bytes of strangers', () => {
  const requestOf = (pieces: readonly Buffer[]) => Object.assign(Readable.from(pieces), { headers: {} }) as never

  it('the room for bytes of strangers is one for all of them, and is given back', async () => {
    const room = new Room(1_000)
    const shares = [room.share(), room.share()]
    const pieces = Array.from({ length: 8 }, () => Buffer.alloc(100))
    const [first, second] = shares
    if (first === undefined || second === undefined) throw new Error('no shares')
    expect(await readBody(requestOf(pieces), 10_000, first)).toMatchObject({ body: expect.any(Buffer) })
    expect(await readBody(requestOf(pieces), 10_000, second)).toBe('no-room')
    for (const share of shares) share.release()
    expect(room.bytes).toBe(0)
    expect(await readBody(requestOf(pieces), 10_000, second)).toMatchObject({ body: expect.any(Buffer) })
  })

  it('the room for bytes of strangers is not needed by small bodies, so that large ones of strangers turn away no report of a call', async () => {
    const room = new Room(1_000)
    expect(room.share().claim(1_000)).toBe(true)
    expect(await readBody(requestOf([Buffer.alloc(2_000)]), 10_000, room.share(2_000))).toMatchObject({
      body: expect.any(Buffer),
    })
    expect(await readBody(requestOf([Buffer.alloc(2_001)]), 10_000, room.share(2_000))).toBe('no-room')
  })
})

it('connections are limited', () => {
  expect(app.app.http.server.maxConnections).toBe(1_100)
})

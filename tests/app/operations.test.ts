import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SERVER_URL } from '../support/database.ts'
import { eventually, TestApp } from '../support/test-app.ts'

const TOKEN = 'a token of the metrics'

let app: TestApp

beforeAll(async () => {
  app = await TestApp.start()
})
afterAll(() => app.stop())

describe('/healthz and /readyz', () => {
  it('say that the process lives, and that database and queue are there', async () => {
    const alive = await app.request('/healthz')
    expect([alive.status, alive.body]).toEqual([200, { status: 'alive' }])
    const ready = await app.request('/readyz')
    expect([ready.status, ready.body]).toMatchObject([
      200,
      { status: 'ready', database: true, queue: true, disk: true, last_failed_write: null },
    ])
  })

  it('say no before the queue is open and after it is closed', async () => {
    const other = await TestApp.start()
    await other.app.jobs.stop()
    const ready = await other.request('/readyz')
    expect([ready.status, ready.body]).toMatchObject([503, { status: 'not ready', database: true, queue: false }])
    expect((await other.request('/healthz')).status).toBe(200)
    await other.stop()
  })
})

describe('a database that takes no writes', () => {
  it('is not ready, and the API says 503; reads go on, and so does everything once it takes them again', async ({
    skip,
  }) => {
    skip(SERVER_URL !== undefined, 'a server sets it for each connection')
    const other = await TestApp.start()
    await other.db.script('set default_transaction_read_only = on')
    const ready = await eventually(async () => {
      const answer = await other.request('/readyz')
      return answer.status === 503 && answer
    })
    expect(ready.body).toMatchObject({ status: 'not ready', database: false, queue: true })
    const refused = await other.admin.call('res.partner', 'create', { vals_list: { name: 'Zoe' } })
    expect([refused.status, refused.body]).toMatchObject([503, { message: expect.stringContaining('try again') }])
    expect((await other.admin.call('res.partner', 'search', {})).status).toBe(200)
    await other.db.script('set default_transaction_read_only = off')
    await eventually(async () => (await other.request('/readyz')).status === 200)
    await other.stop()
  })
})

describe('/metrics', () => {
  it('counts deliveries by route and verdict for whoever asks on this machine', async () => {
    await app.tool('/connect_voiceai/get_current_date')
    await app.tool('/connect_voiceai/get_current_date', {}, { 'x-voiceai-agent-token': 'wrong' })
    const { status, headers, text } = await app.request('/metrics')
    expect([status, headers.get('content-type')]).toEqual([200, expect.stringMatching(/^text\/plain/)])
    const route = 'route="/connect_voiceai/get_current_date"'
    expect(text).toMatch(new RegExp(`^connect_deliveries_total\\{${route},verdict="handled"\\} 1$`, 'm'))
    expect(text).toMatch(new RegExp(`^connect_deliveries_total\\{${route},verdict="rejected"\\} 1$`, 'm'))
    expect(text).toMatch(new RegExp(`^connect_delivery_seconds_count\\{${route}\\} 2$`, 'm'))
    expect(text).toMatch(/^connect_delivery_log_dropped 0$/m)
    expect(text).toMatch(/^process_resident_memory_bytes \d+/m)
    expect(text).not.toContain(app.token)
  })

  it('is for nobody behind a proxy', async () => {
    const forwarding = ['forwarded', 'via', 'x-real-ip', 'x-forwarded-host', 'x-forwarded-proto', 'cf-connecting-ip']
    const hosts = ['pbx.example.com', 'pbx.example.com:8080', '192.0.2.1', 'localhost.example.com', '127.0.0.1.example']
    for (const headers of [
      { 'x-forwarded-for': '192.0.2.1' },
      ...forwarding.map((name) => ({ [name]: 'x' })),
      ...hosts.map((host) => ({ host })),
    ]) {
      const answer = await app.request('/metrics', { headers })
      expect([answer.status, answer.body]).toEqual([401, { error: 'Unauthorized' }])
    }
  })

  it('is for this machine under each of its own names', async () => {
    for (const host of ['localhost', 'LOCALHOST:8080', '127.0.0.1:9', '127.1.2.3', '[::1]:8080'])
      expect((await app.request('/metrics', { headers: { host } })).status).toBe(200)
  })

  it('with a token is for whoever has it', async () => {
    const other = await TestApp.start({ env: { METRICS_TOKEN: TOKEN } })
    for (const [authorization, status] of [
      [`Bearer ${TOKEN}`, 200],
      [`bearer ${TOKEN}`, 200],
      [`Bearer ${TOKEN}x`, 401],
      [TOKEN, 401],
      ['', 401],
    ] as const) {
      expect((await other.request('/metrics', { headers: { authorization } })).status).toBe(status)
    }
    expect((await other.request('/metrics')).status).toBe(401)
    const forwarded = { authorization: `Bearer ${TOKEN}`, 'x-forwarded-for': '192.0.2.1' }
    expect((await other.request('/metrics', { headers: forwarded })).status).toBe(200)
    await other.stop()
  })
})

describe('GET /', () => {
  it('says what runs and where to go, escapes what it shows, and takes nothing from elsewhere', async () => {
    const [id] = await app.admin.ask<number[]>('connect.settings', 'search')
    const vals = { api_url: 'https://x.example.com/"><script>alert(1)</script>' }
    await app.admin.ask('connect.settings', 'write', { ids: [id], vals })
    const { status, headers, text } = await app.request('/')
    expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    expect(text).toContain('Connect is running')
    expect(text).toContain('Nobody can sign in yet')
    expect(text).not.toContain('<script>alert')
    for (const address of ['/api/docs', '/api/openapi.json', '/healthz', '/readyz'])
      expect(text).toContain(`"${address}"`)
    expect(text).not.toMatch(/(?:src|href)="(?:https?:)?\/\//)
  })
})

describe('a page', () => {
  it.each(['/', '/setup?token=x', '/api/docs'])(
    '%s is framed by nobody and tells nobody its address',
    async (address) => {
      const { headers } = await app.request(address)
      expect(headers.get('x-frame-options')).toBe('DENY')
      expect(headers.get('referrer-policy')).toBe('no-referrer')
      expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
      expect(headers.get('x-content-type-options')).toBe('nosniff')
    },
  )

  it('is what only pages are called', async () => {
    const { headers } = await app.request('/healthz')
    expect([headers.get('x-frame-options'), headers.get('x-content-type-options')]).toEqual([null, 'nosniff'])
  })
})

describe('what nobody answers', () => {
  it.each(['/nothing', '/metrics/x', '/setup/x', '/%00', '/.env', '/../etc/passwd'])(
    '%s is a 404 in one sentence',
    async (address) => {
      const answer = await app.request(address)
      expect(answer.status).toBe(404)
      expect(answer.text.length).toBeLessThan(100)
    },
  )

  it('is a 4xx where the address is broken', async () => {
    expect([400, 404]).toContain((await app.request('/%ff%')).status)
  })
})

// The service as a process: how it starts, what it says, what it refuses, and how it ends.

import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { type IncomingMessage, request } from 'node:http'
import { createServer } from 'node:net'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startService } from '../../src/cli/service/run-service.ts'
import { ConfigError, readConfig } from '../../src/config.ts'
import { createLog } from '../../src/log.ts'
import { SERVER_URL } from '../support/database.ts'
import { Place, ServiceProcess } from '../support/service-process.ts'

/** Of its own processor time: far above what a start takes, because a busy machine stretches that too. */
const READY_SECONDS_MAX = 10
const TICKS_PER_SECOND = 100
/** The peak of a start, which depends on when memory is collected: about 185 on a server, more on a busy machine. */
const RSS_MB_MAX = SERVER_URL === undefined ? 450 : 220
const KB_PER_MB = 1_024
const TEST_TIMEOUT_MS = 120_000
const isLinux = process.platform === 'linux'

describe('a first start on nothing', { timeout: TEST_TIMEOUT_MS }, () => {
  let place: Place
  let service: ServiceProcess

  beforeAll(async () => {
    place = await Place.empty()
    // What an earlier start left that was killed while it made the database.
    mkdirSync(path.join(place.dataDir, 'database.unfinished-0123', 'base'), { recursive: true })
    service = await ServiceProcess.start({ ...place.env, SECRET_KEY: '', API_URL: 'https://pbx.example.com/' })
  }, TEST_TIMEOUT_MS)
  afterAll(async () => {
    await service.stop('SIGKILL')
    await place.remove()
  })

  it('makes, migrates and seeds the database and serves', async () => {
    expect((await fetch(`${service.url}/readyz`)).status).toBe(200)
    const settings = await service.call<{ api_url: string }[]>(place.localKey, 'connect.settings', 'search_read')
    expect(settings).toMatchObject([{ api_url: 'https://pbx.example.com' }])
    expect(await service.call(place.localKey, 'connect.voiceai_agent_tool', 'search_count')).toBe(18)
  })

  it('takes away what an interrupted one has left', ({ skip }) => {
    skip(SERVER_URL !== undefined, 'a server makes its own folder')
    const ofTheEngine = readdirSync(place.dataDir).filter((name) => name.startsWith('database'))
    expect(ofTheEngine.filter((name) => name !== 'database.watermark')).toEqual(['database'])
  })

  it('says where it listens, where the data is, and what to do next', () => {
    expect(service.out).toMatch(/^Connect listens on http:\/\/127\.0\.0\.1:\d+$/m)
    expect(service.out).toMatch(
      SERVER_URL === undefined ? `Data: embedded database in ${place.dataDir}` : /Data: PostgreSQL at/,
    )
    expect(service.out).toContain(`Key for local scripts: ${path.join(place.dataDir, 'local-admin.key')}`)
    expect(service.out).toMatch(/create the first administrator at http:\S+\/setup#token=[\w-]{43} \(works once\)/)
    expect(service.err).toBe('')
  })

  it('keeps its keys in files for itself only, and prints neither', () => {
    for (const name of ['local-admin.key', 'secret.key']) {
      const file = path.join(place.dataDir, name)
      expect(statSync(file).mode & 0o777).toBe(0o600)
      expect(service.out + service.err).not.toContain(readFileSync(file, 'utf8').trim())
    }
  })

  it('takes no more memory than is promised', ({ skip }) => {
    skip(!isLinux, 'memory is read from /proc')
    const [, peak = ''] = /VmHWM:\s+(\d+) kB/.exec(readProcess(service, 'status')) ?? []
    expect(Number(peak) / KB_PER_MB).toBeLessThan(RSS_MB_MAX)
  })

  it('opens the one-time link once, and the next start does not print it again', async () => {
    const [link = ''] = /http:\S+\/setup#token=[\w-]{43}/.exec(service.out) ?? []
    expect((await fetch(link)).status).toBe(200)
    const token = new URLSearchParams(new URL(link).hash.slice(1)).get('token')
    const body = JSON.stringify({ token, name: 'First', login: 'first', password: 'correct horse battery' })
    const setUp = () =>
      fetch(`${service.url}/api/setup`, { method: 'POST', body, headers: { 'content-type': 'application/json' } })
    expect([(await setUp()).status, (await setUp()).status]).toEqual([200, 409])
    expect(await (await fetch(service.url)).text()).toContain('Connect is running')
    expect(await service.stop()).toBe(0)
    service = await ServiceProcess.start({ ...place.env, SECRET_KEY: '' })
    expect(service.out).not.toContain('setup')
  })
})

describe('a later start', { timeout: TEST_TIMEOUT_MS }, () => {
  let place: Place
  let first: ServiceProcess
  beforeAll(async () => {
    place = await Place.prepared()
    first = await ServiceProcess.start(place.env)
  })
  afterAll(async () => {
    await first.stop('SIGKILL')
    await place.remove()
  })

  it('a later start is ready soon', async ({ skip }) => {
    skip(!isLinux, 'processor time is read from /proc')
    const [userTicks, systemTicks] = readProcess(first, 'stat').split(') ')[1]?.split(' ').slice(11, 13) ?? []
    expect((Number(userTicks) + Number(systemTicks)) / TICKS_PER_SECOND).toBeLessThan(READY_SECONDS_MAX)
  })

  it('a later start on the folder of a running process is refused with a sentence that names that one, which goes on', async ({
    skip,
  }) => {
    skip(SERVER_URL !== undefined, 'a PostgreSQL server serves many processes')
    const { code, out, err } = await ServiceProcess.refused(place.env)
    expect([code, out]).toEqual([1, ''])
    expect(err).toMatch(
      new RegExp(
        `^The data folder ${place.dataDir} is in use by process ${first.child.pid} on \\S+, started \\d{4}-\\S+\\. ` +
          'The embedded database serves one process at a time: stop that one, choose another DATA_DIR, ' +
          'or set DATABASE_URL to a PostgreSQL server\\.\n$',
      ),
    )
    expect((await fetch(`${first.url}/readyz`)).status).toBe(200)
  })

  it('goes on where the first was killed: no lock is left in the way, and nothing is lost', async () => {
    const id = await first.call<number>(place.localKey, 'res.partner', 'create', { vals_list: { name: 'Kept' } })
    expect(await first.stop('SIGKILL')).toBeNull()
    const second = await ServiceProcess.start(place.env)
    const rows = await second.call(place.localKey, 'res.partner', 'read', { ids: [id], fields: ['name'] })
    expect(rows).toEqual([{ id, name: 'Kept' }])
    expect(await second.stop()).toBe(0)
  })

  it('beside another on one server serves the same', async ({ skip }) => {
    skip(SERVER_URL === undefined, 'the embedded database serves one process')
    const [one, other] = await Promise.all([ServiceProcess.start(place.env), ServiceProcess.start(place.env)])
    const id = await one.call<number>(place.localKey, 'res.partner', 'create', { vals_list: { name: 'Shared' } })
    expect(await other.call(place.localKey, 'res.partner', 'search', { domain: [['id', '=', id]] })).toEqual([id])
    expect(await Promise.all([one.stop(), other.stop()])).toEqual([0, 0])
  })
})

describe('a signal to stop', { timeout: TEST_TIMEOUT_MS }, () => {
  let place: Place
  beforeAll(async () => {
    place = await Place.prepared()
  })
  afterAll(() => place.remove())

  it('lets requests under way finish, takes no others, and exits with 0', async () => {
    const service = await ServiceProcess.start(place.env)
    const half = await sendHalf(service, place.localKey, { vals_list: { name: 'In flight' } })
    service.child.kill('SIGTERM')
    // Once a new connection is refused, the signal has been heard.
    while (await isAnswering(service)) await new Promise((resolve) => setTimeout(resolve, 20))
    const { status, connection, text } = await half.finish()
    expect([status, Number(text)]).toEqual([200, expect.any(Number)])
    // Else the service would wait for clients that keep connections open.
    expect(connection).toBe('close')
    expect(await service.exited()).toBe(0)
    const next = await ServiceProcess.start(place.env)
    const rows = await next.call(place.localKey, 'res.partner', 'read', { ids: [Number(text)], fields: ['name'] })
    expect(rows).toEqual([{ id: Number(text), name: 'In flight' }])
    expect(await next.stop('SIGINT')).toBe(0)
  })
})

describe('what cannot be is refused before anything is served', { timeout: TEST_TIMEOUT_MS }, () => {
  let place: Place
  beforeAll(async () => {
    place = await Place.prepared()
  })
  afterAll(() => place.remove())

  /** What a refused start says, without a process for it. */
  const refuse = async (env: Record<string, string>): Promise<string> => {
    const refusal = startService(readConfig({ ...place.env, PORT: '0', ...env }), createLog('silent'))
    const error: unknown = await refusal.then(
      () => undefined,
      (thrown: unknown) => thrown,
    )
    expect(error).toBeInstanceOf(ConfigError)
    return (error as ConfigError).message
  }

  it('every wrong variable, in one go, by a process that prints nothing else', async () => {
    const wrong = { PORT: 'high', WORKER: 'maybe', LOG_LEVEL: 'loud', DATABASE_URL: 'mysql://u:pass-word@h/d' }
    const { code, out, err } = await ServiceProcess.refused({ ...place.env, ...wrong })
    expect([code, out]).toEqual([1, ''])
    expect(err).not.toContain('    at ')
    for (const name of ['PORT', 'WORKER', 'LOG_LEVEL', 'DATABASE_URL']) expect(err).toContain(`- ${name} `)
    expect(err).not.toContain('pass-word')
  })

  it('a port that is taken', async () => {
    const taken = createServer().listen(0, '127.0.0.1')
    await new Promise((resolve) => taken.once('listening', resolve))
    const { port } = taken.address() as { port: number }
    expect(await refuse({ PORT: String(port) })).toMatch(/- HOST and PORT cannot be listened on: .*EADDRINUSE/)
    taken.close()
  })

  it('a host that is not this machine', async () => {
    expect(await refuse({ HOST: '192.0.2.1' })).toMatch(/- HOST and PORT cannot be listened on: .*EADDRNOTAVAIL/)
  })

  it('a data folder that is a file', async () => {
    const file = path.join(place.dataDir, 'a-file')
    writeFileSync(file, '')
    expect(await refuse({ DATA_DIR: file })).toContain('- DATA_DIR cannot be used as a folder')
    expect(await refuse({ MEDIA_DIR: path.join(file, 'media') })).toContain('- MEDIA_DIR cannot be used as a folder')
  })

  it.each([
    ['a server that does not answer, without its password', 'DATABASE_URL names a server that cannot be used: '],
    ['another key than the one that the secrets were encrypted with', 'SECRET_KEY, or secret.key'],
  ])('%s', async (_what, sentence) => {
    const DATABASE_URL = 'postgres://user:pass-word@127.0.0.1:1/db'
    const wrong = sentence.startsWith('D') ? { DATABASE_URL } : { SECRET_KEY: 'quite another key of the tests' }
    const { code, out, err } = await ServiceProcess.refused({ ...place.env, ...wrong })
    expect([code, out]).toEqual([1, ''])
    expect(err).toContain(`- ${sentence}`)
    expect(err).not.toMatch(/ {4}at |pass-word/)
  })
})

function readProcess({ child }: ServiceProcess, name: 'stat' | 'status'): string {
  return readFileSync(`/proc/${child.pid}/${name}`, 'utf8')
}

/** A request that has arrived, but for the rest of its body. */
async function sendHalf(service: ServiceProcess, key: string, args: object) {
  const body = JSON.stringify(args)
  const half = request(`${service.url}/json/2/res.partner/create`, {
    method: 'POST',
    headers: { authorization: `bearer ${key}`, 'content-type': 'application/json', 'content-length': body.length },
  })
  const answered = once(half, 'response') as Promise<[IncomingMessage]>
  half.write(body.slice(0, body.length / 2))
  // The service has read it when it has answered a request that was sent later.
  await new Promise((resolve) => half.once('socket', (socket) => socket.once('connect', resolve)))
  await isAnswering(service)
  return {
    async finish(): Promise<{ status: number | undefined; connection: string | undefined; text: string }> {
      half.end(body.slice(body.length / 2))
      const [reply] = await answered
      let text = ''
      for await (const chunk of reply.setEncoding('utf8')) text += chunk
      return { status: reply.statusCode, connection: reply.headers.connection, text }
    },
  }
}

function isAnswering(service: ServiceProcess): Promise<boolean> {
  return fetch(`${service.url}/healthz`).then(
    (reply) => reply.ok,
    () => false,
  )
}

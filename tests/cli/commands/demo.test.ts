import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { CommandProcess, runCommand } from '../../support/command.ts'
import { Place } from '../../support/service-process.ts'

interface DemoReport {
  first_ticket_seconds: number | null
  setup_url?: string
  scenarios: { name: string; complaints: string[]; call: object[]; message: object[]; note: object[] }[]
}

let place: Place
let folder: string
let onDatabase: string[]

beforeAll(async () => {
  place = await Place.empty()
  folder = path.join(place.dataDir, 'demo')
  onDatabase = ['--folder', folder, ...(place.databaseUrl === undefined ? [] : ['--postgres'])]
})
afterAll(() => place.remove())

test('the demo plays calls, shows what came of them, and stays until it is interrupted', async () => {
  const demo = new CommandProcess(['demo', 'agent-helpdesk', 'agent-unreachable', 'sms', ...onDatabase], {
    ...place.env,
    PORT: '0',
  })
  const out = await demo.printed(/Ctrl-C/)
  expect(out).toContain('ok   agent-helpdesk: A caller reaches a voice agent that opens a ticket and books a meeting')
  expect(out).toMatch(/call 1 +incoming, \+14155550210 \(Zoe Miller\).* voice agent Helpdesk, completed .*, ticket 1\n/)
  expect(out).toMatch(/call 2 +incoming, .*, voice agent Night desk was not reached, completed after/)
  expect(out).not.toContain('answered by voice agent Night desk')
  expect(out).toMatch(/ticket 1 +"Leaking boiler" of Zoe Miller\n/)
  expect(out).toMatch(/meeting 1 +"Boiler visit" with Ann Baker, /)
  expect(out).toMatch(/recording 1 +of call 1, .*\n(?: .*\n)* +user: My boiler leaks\.\n/)
  expect(out).toMatch(/recording 1 +of call 1, 00:23, http:\/\/127\.0\.0\.1:\d+\/connect\/recording\/1\n/)
  expect(out).toMatch(/bin\/connect call timeline 1 .*\n.*bin\/connect call explain 2 /)
  expect(out).toMatch(/First ticket created by a call: \d+ s after the command\./)
  expect(out).toMatch(/message 2 +sms outgoing, .*, delivered: "Yes, until six\."\n/)
  expect(out).toContain('All 3 scenarios went well.')

  const key = readFileSync(path.join(folder, 'local-admin.key'), 'utf8').trim()
  expect(out).not.toContain(key)
  const [, link = ''] = /Sign in: +(\S+)/.exec(out) ?? []
  expect(link).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/setup#token=/)
  expect((await fetch(new URL('/healthz', link))).status).toBe(200)
  const [, page = ''] = /Look at it: +(\S+)/.exec(out) ?? []
  const opened = await fetch(page, { redirect: 'manual' })
  expect([opened.status, opened.headers.get('location')]).toEqual([303, '/calls/1'])
  expect((await fetch(page, { redirect: 'manual' })).status).toBe(404)
  const settings = await fetch(new URL('/json/2/connect.settings/search_read', link), {
    method: 'POST',
    headers: { authorization: `bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ fields: ['company_name', 'tz'] }),
  })
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone
  expect(await settings.json()).toEqual([expect.objectContaining({ company_name: 'Acme Plumbing', tz: zone })])
  const second = await runCommand(['demo', '--once', ...onDatabase], place.env)
  expect(second).toMatchObject({ code: 3, err: expect.stringContaining('runs in') })

  demo.child.kill('SIGINT')
  expect(await demo.ended()).toMatchObject({ code: 0, err: '' })
})

test('a demo goes on with what the last one left, and tells programs in one document', async () => {
  const args = ['--json', 'demo', 'missed-call', '--keep', '--once', ...onDatabase]
  const { code, out, err } = await new CommandProcess(args, { ...place.env, PORT: '0' }).ended()
  expect({ code, err }).toEqual({ code: 0, err: '' })
  const { setup_url: link, scenarios } = JSON.parse(out) as DemoReport
  expect(link).toBeUndefined()
  expect(scenarios).toEqual([
    expect.objectContaining({
      name: 'missed-call',
      complaints: [],
      call: [expect.objectContaining({ id: 3, caller: '+14155550214', partner: [expect.any(Number), 'Yara Novak'] })],
      note: [expect.objectContaining({ body: expect.stringContaining('Missed call from +14155550214') })],
    }),
  ])
})

test('what a demo left is read by the command line, also when another service has its address by now', async () => {
  const other = createServer((_request, reply) => void reply.writeHead(401).end('{}'))
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
  const { port } = other.address() as AddressInfo
  writeFileSync(path.join(folder, 'connect.address'), `http://127.0.0.1:${port}`)
  const { SECRET_KEY: _ofTests, ...env } = place.env
  const listed = await runCommand(['call', 'list'], { ...env, DATA_DIR: folder })
  expect(listed).toMatchObject({ code: 0, out: expect.stringContaining('+14155550214') })
  await new Promise((resolve) => other.close(resolve))
})

test('a demo empties no folder that it has not made, and no database that is in use', async () => {
  const ours = path.join(place.dataDir, 'ours')
  mkdirSync(ours)
  writeFileSync(path.join(ours, 'letter.txt'), 'kept')
  const refused = await runCommand(['demo', '--once', '--folder', ours], place.env)
  expect(refused).toMatchObject({ code: 3, err: expect.stringContaining('no demo has made') })
  expect(readdirSync(ours)).toEqual(['letter.txt'])
  if (place.databaseUrl === undefined) return
  const inUse = await runCommand(['demo', '--once', ...onDatabase], place.env)
  expect(inUse).toMatchObject({ code: 3, err: expect.stringContaining('is not empty') })
})

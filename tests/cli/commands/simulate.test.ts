import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { serviceEnvironment } from '../../../emulators/simulate.ts'
import { type Ran, runCommand } from '../../support/command.ts'
import { Place, ServiceProcess } from '../../support/service-process.ts'

interface Report {
  name: string
  complaints: string[]
}

let place: Place

beforeAll(async () => {
  place = await Place.prepared()
})
afterAll(() => place.remove())

test('a service that talks to others is left alone, with a sentence that says how to start one', async () => {
  const withoutService = await simulate('all')
  expect(withoutService).toMatchObject({ code: 3, out: '', err: expect.stringContaining('No service runs on') })
  const service = await ServiceProcess.start(place.env)
  const withOthers = await simulate('all')
  expect(withOthers).toMatchObject({ code: 3, out: '' })
  expect(withOthers.err).toContain('TELCO_BASE_URL=http://127.0.0.1:4010 VOICEAI_BASE_URL=http://127.0.0.1:4020')
  await service.stop()
})

describe('a service that was started for it', () => {
  let service: ServiceProcess

  beforeAll(async () => {
    const ports = { telcoPort: await freePort(), voiceaiPort: await freePort() }
    service = await ServiceProcess.start({ ...place.env, ...serviceEnvironment(ports) })
  })
  afterAll(() => service.stop())

  test('plays scenarios, and the next run goes on with what both providers hold', async () => {
    const first = await simulate('agent-helpdesk', 'colleagues')
    const out = /^ok {3}agent-helpdesk: .*\nok {3}colleagues: .*\n2 of 2 scenarios went well\.\n$/
    expect(first).toMatchObject({ code: 0, err: '', out: expect.stringMatching(out) })

    const disturbed = await simulate('agent-helpdesk', '--duplicate', '--shuffle', '--seed', '3', '--json')
    expect(disturbed).toMatchObject({ code: 0, err: '' })
    const reports = JSON.parse(disturbed.out) as Report[]
    expect(reports.map(({ name, complaints }) => ({ name, complaints }))).toEqual([
      { name: 'agent-helpdesk', complaints: [] },
    ])
  })

  test('keeps the credentials of other accounts', async () => {
    const accountSid = `AC${'0'.repeat(32)}`
    expect((await runCommand(['settings', 'set', 'account_sid', accountSid], place.env)).code).toBe(0)
    const refused = await simulate('colleagues')
    expect(refused).toMatchObject({ code: 3, err: expect.stringContaining('credentials of other accounts') })
    const { out } = await runCommand(['settings', 'get', 'account_sid'], place.env)
    expect(out.trim()).toBe(accountSid)
  })
})

test('scenarios are listed by their names, and none is played unasked', async () => {
  const listed = await simulate('--list', '--json')
  expect(JSON.parse(listed.out)).toContainEqual({ name: 'missed-call', title: expect.any(String) })
  expect(await simulate()).toMatchObject({ code: 2, out: '', err: expect.stringContaining('--list') })
  expect(await simulate('nothing')).toMatchObject({ code: 3, err: expect.stringContaining('agent-helpdesk') })
})

function simulate(...args: string[]): Promise<Ran> {
  return runCommand(['simulate', ...args], place.env)
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

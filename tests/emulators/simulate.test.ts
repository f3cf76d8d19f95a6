import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { expect, test } from 'vitest'
import { findScenarios, serviceEnvironment, simulate, startSimulation } from '../../emulators/simulate.ts'
import { TestApp } from '../support/test-app.ts'

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

test('scenarios are played with a running service, again and again', async () => {
  const ports = { telcoPort: await freePort(), voiceaiPort: await freePort() }
  const app = await TestApp.start({ env: serviceEnvironment(ports) })
  try {
    const stateFile = path.join(app.config.dataDir, 'emulators.json')
    const names = ['agent-stream-transfer', 'sms']
    const options = { ...ports, stateFile, serviceUrl: app.url, key: app.admin.key, names }
    for (const _time of ['first', 'second']) {
      const reports = await simulate(options)
      expect(reports.map(({ name, complaints }) => ({ name, complaints }))).toEqual([
        ...names.map((name) => ({ name, complaints: [] })),
      ])
      const fields = ['ended_at', 'duration']
      const calls = await app.admin.ask<{ ended_at: string; duration: number }[]>('connect.call', 'search_read', {
        fields,
      })
      // The agent is off the line when the caller was handed over, and does not talk on to nobody.
      for (const { duration } of calls) expect(duration).toBeLessThan(60)
      // What was played in no time is over nevertheless.
      for (const { ended_at: ended } of calls) expect(Date.parse(`${ended}Z`)).toBeLessThanOrEqual(Date.now())
    }
  } finally {
    await app.stop()
  }
})

test('a scenario leaves a person of the service alone who has the username of one of its people, and says so', async () => {
  const ports = { telcoPort: await freePort(), voiceaiPort: await freePort() }
  const app = await TestApp.start({ env: serviceEnvironment(ports) })
  try {
    const user = await app.admin.ask<number>('res.users', 'create', {
      vals_list: { name: 'Ann Keller', login: 'ann.keller@acme.ch' },
    })
    const ours = await app.admin.ask<number>('connect.user', 'create', {
      vals_list: { user, username: 'ann', client_enabled: false, sip_enabled: false },
    })
    const stateFile = path.join(app.config.dataDir, 'emulators.json')
    const options = { ...ports, stateFile, serviceUrl: app.url, key: app.admin.key, names: ['agent-helpdesk'] }
    const [report] = await simulate(options)
    expect(report?.complaints).toEqual([
      expect.stringContaining('another person of that username: play it on a data folder of its own'),
    ])
    expect(await app.admin.ask('connect.user', 'read', { ids: [ours], fields: ['name', 'client_enabled'] })).toEqual([
      { id: ours, name: 'Ann Keller', client_enabled: false },
    ])
  } finally {
    await app.stop()
  }
})

test('a simulation beside emulators that run already says how to go on', async () => {
  const ports = { telcoPort: await freePort(), voiceaiPort: await freePort() }
  const running = await startSimulation(ports)
  try {
    await expect(startSimulation(ports)).rejects.toThrow(/`connect emulators`.*end that one with Ctrl-C and play again/)
  } finally {
    await running.stop()
  }
})

test('a scenario that nobody knows is refused with those that there are', () => {
  expect(() => findScenarios(['nothing'])).toThrow(/there is no scenario nothing: agent-helpdesk, /)
})

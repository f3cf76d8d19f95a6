// The demo for the pictures: the service between both emulators, an administrator, and somebody who may see nothing.
import path from 'node:path'
import { type Simulation, startSimulation } from '../../emulators/simulate.ts'
import { prepareFolder, startDemoService } from '../../src/cli/demo/demo-service.ts'
import { findLocalService, serviceConnection } from '../../src/cli/service/local-service.ts'
import type { Service } from '../../src/cli/service/run-service.ts'
import { readConfig } from '../../src/config.ts'
import { setupToken } from '../../src/platform/identity/session-routes.ts'

export const PASSWORD = 'correct horse battery'
const BUILD_MS = 60_000
const LOOK_MS = 100
const RANG_MS = 6_000
const LIVE = [
  { caller: '+14155550213', direction: 'incoming', answered: false, secondsAgo: 19 },
  { caller: '+14155550210', direction: 'incoming', answered: true, secondsAgo: 190 },
]

export interface Demo {
  readonly url: string
  ask<Result>(model: string, method: string, args: object): Promise<Result>
  /** Plays every scenario, and leaves two calls going on. */
  play(): Promise<void>
  stop(): Promise<void>
}

export async function startDemo(folder: string): Promise<Demo> {
  prepareFolder(folder, { isKept: false })
  const simulation = await startSimulation({
    telcoPort: 0,
    voiceaiPort: 0,
    stateFile: path.join(folder, 'providers.json'),
  })
  const service = await startDemoService({
    folder,
    isKept: false,
    onServer: false,
    personal: readConfig({ DATA_DIR: folder, PORT: '0' }),
    emulators: simulation.environment,
  })
  const demo = await demoOf(service, simulation, folder)
  await createPeople(demo, service)
  await pageIsBuilt(demo.url)
  return demo
}

async function demoOf(service: Service, simulation: Simulation, folder: string): Promise<Demo> {
  const local = await findLocalService({ dataDir: folder })
  if (local === undefined) throw new Error(`the service does not answer at ${service.address}`)
  const connection = serviceConnection(local)
  const ask = <Result>(model: string, method: string, args: object) =>
    connection.call(model, method, { ...args }) as Promise<Result>
  return {
    url: service.address,
    ask,
    async play() {
      const reports = await simulation.play({ serviceUrl: local.address, key: local.key })
      const complaints = reports.flatMap((report) => report.complaints)
      if (complaints.length > 0) throw new Error(complaints.join('\n'))
      await leaveCallsOpen(ask, service)
    },
    async stop() {
      await service.stop()
      await simulation.stop()
    },
  }
}

/** Calls that go on as long as somebody looks. */
async function leaveCallsOpen(ask: Demo['ask'], { db }: Service): Promise<void> {
  for (const { caller, direction, answered, secondsAgo } of LIVE) {
    const [partner] = await ask<number[]>('res.partner', 'search', { domain: [['phone', '=', caller]], limit: 1 })
    const [agent] = await ask<number[]>('connect.voiceai_agent', 'search', { domain: [['name', '=', 'Helpdesk']] })
    const call = await ask<number>('connect.call', 'create', {
      vals_list: {
        caller,
        called: '+14155550110',
        direction,
        status: answered ? 'in-progress' : 'ringing',
        ...(partner === undefined ? {} : { partner }),
      },
    })
    const leg = await ask<number>('connect.channel', 'create', {
      vals_list: {
        call,
        sid: `CA${String(call).padStart(32, '0')}`,
        caller,
        called: '+14155550110',
      },
    })
    // Only the provider's reports say when a leg began, and when somebody answered.
    const before = (seconds: number) => `now() at time zone 'utc' - interval '${seconds} seconds'`
    const answeredAt = answered ? before(secondsAgo - RANG_MS / 1_000) : 'null'
    const times = `started_at = ${before(secondsAgo)}, answered_at = ${answeredAt}`
    await db.script(`update connect_channel set ${times} where id = ${leg};
      ${answered && agent !== undefined ? `update connect_call set voiceai_agent = ${agent} where id = ${call};` : ''}
      update connect_call set ${times}, legs_strip = '${JSON.stringify(stripOf(answered))}' where id = ${call}`)
  }
}

/** What the legs of a call that goes on say of it so far. */
function stripOf(isAnswered: boolean): object[] {
  const ringing = { kind: 'ringing', from_ms: 0, to_ms: isAnswered ? RANG_MS : null, who: null }
  return isAnswered ? [ringing, { kind: 'agent', from_ms: RANG_MS, to_ms: null, who: null }] : [ringing]
}

async function createPeople({ url, ask }: Demo, service: Service): Promise<void> {
  const answer = await fetch(`${url}/api/setup`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token: setupToken(service.app), name: 'Ada Keller', login: 'ada', password: PASSWORD }),
  })
  if (!answer.ok) throw new Error(`no administrator: ${await answer.text()}`)
  const none = await ask<number>('res.users', 'create', { vals_list: { name: 'Nora Blum', login: 'nora' } })
  await ask('res.users', 'write', { ids: [none], vals: { password: PASSWORD } })
}

async function pageIsBuilt(url: string): Promise<void> {
  const end = Date.now() + BUILD_MS
  while ((await fetch(`${url}/sign-in`, { headers: { accept: 'text/html' } })).status !== 200) {
    if (Date.now() > end) throw new Error('the page is not built')
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
  }
}

/** The records that pages are drawn of, by the names that their addresses have for them. */
export async function readIds({ ask }: Pick<Demo, 'ask'>): Promise<Record<string, string>> {
  const ids: Record<string, string> = {}
  const find = async (name: string, model: string, domain: unknown[]): Promise<void> => {
    const [id] = await ask<number[]>(model, 'search', { domain, order: 'id', limit: 1 })
    if (id !== undefined) ids[name] = String(id)
  }
  await find('call', 'connect.call', [['ticket', '!=', null]])
  await find('failed', 'connect.call', [['has_error', '=', true]])
  await find('ticket', 'helpdesk.ticket', [['name', '=', 'Leaking boiler']])
  await find('contact', 'res.partner', [['name', '=', 'Zoe Miller']])
  await find('delivery', 'connect.delivery', [['verdict', '=', 'handled']])
  await find('number', 'connect.telco.number', [])
  await find('live', 'connect.call', [['outcome', '=', 'in_progress']])
  await find('agent', 'connect.voiceai_agent', [])
  await find('voice', 'connect.voiceai_voice', [])
  return ids
}

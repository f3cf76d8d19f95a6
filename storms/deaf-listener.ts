// The connection on which a process learns what others changed goes deaf: open at both ends, but nothing arrives any more.

import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import path from 'node:path'
import { ServiceUnderStorm, SHARED_KEY } from './service.ts'
import { calm, eventually, pause, rounds, type Tally, type Weather } from './storm.ts'
import { requireServer } from './storm-database.ts'

const TOOL_ROUTE = '/connect_voiceai/get_current_date'
const PATIENCE_MS = 60_000
/** So that a process has the settings in memory, and the pings are at any point of their turn. */
const QUIET_MS = [500, 5_000] as const
const LISTENS = /\blisten /i

/** The token is changed at one process; the other one has to refuse the old one in time, though it hears nothing. */
export async function deafListener(weather: Weather): Promise<Tally> {
  const server = await requireServer(weather)
  const wire = await Wire.to(server.url)
  weather.afterwards(() => wire.close())
  const start = async (name: string, databaseUrl: string): Promise<ServiceUnderStorm> => {
    const dataDir = path.join(weather.folder, name)
    const started = await ServiceUnderStorm.start({ dataDir, databaseUrl, env: SHARED_KEY })
    weather.afterwards(() => started.stop('SIGKILL'))
    return started
  }
  const hearing = await start('hearing', server.url)
  await hearing.setUp()
  const deaf = await start('deaf', wire.url)
  let turn = 0
  return rounds(weather, async () => {
    turn += 1
    const [old, fresh] = [`token ${turn}`, `token ${turn + 1}`]
    await changeToken(hearing, old)
    const knowsOld = await eventually(async () => (await askTool(deaf, old)) === 200, PATIENCE_MS)
    const [least, most] = QUIET_MS
    await pause(least + Math.random() * (most - least))
    wire.deafen()
    await changeToken(hearing, fresh)
    const changed = performance.now()
    const isRefused = await eventually(async () => (await askTool(deaf, old)) !== 200, PATIENCE_MS)
    const oldTokenMs = performance.now() - changed
    const takesFresh = (await askTool(deaf, fresh)) === 200
    const isFine = knowsOld && isRefused && takesFresh
    return { ...calm(), of: 1, wrong: isFine ? 0 : 1, figures: { oldTokenMs } }
  })
}

async function changeToken(service: ServiceUnderStorm, token: string): Promise<void> {
  const ids = await service.call<number[]>('connect.settings', 'search')
  await service.call('connect.settings', 'write', { ids, vals: { voiceai_agent_token: token } })
}

async function askTool({ url }: ServiceUnderStorm, token: string): Promise<number> {
  const headers = { 'content-type': 'application/json', 'x-voiceai-agent-token': token }
  return (await fetch(url + TOOL_ROUTE, { method: 'POST', headers, body: '{}' })).status
}

interface Pair {
  client: Socket
  server: Socket
  isListener: boolean
}

/** A way to a server that can swallow what the server says, on the connections that only listen. */
class Wire {
  readonly url: string
  readonly #pairs: Set<Pair>
  readonly #close: () => void

  private constructor(url: string, pairs: Set<Pair>, close: () => void) {
    this.url = url
    this.#pairs = pairs
    this.#close = close
  }

  static async to(serverUrl: string): Promise<Wire> {
    const { hostname, port } = new URL(serverUrl)
    const pairs = new Set<Pair>()
    const proxy = createServer((client) => {
      const server = connect(Number(port), hostname)
      const pair: Pair = { client, server, isListener: false }
      pairs.add(pair)
      client.on('data', (bytes) => {
        pair.isListener ||= LISTENS.test(bytes.toString('latin1'))
        server.write(bytes)
      })
      server.on('data', (bytes) => client.write(bytes))
      for (const [one, other] of [
        [client, server],
        [server, client],
      ] as const) {
        one.on('error', () => undefined)
        one.on('close', () => {
          other.destroy()
          pairs.delete(pair)
        })
      }
    })
    proxy.listen(0, '127.0.0.1')
    await once(proxy, 'listening')
    const url = new URL(serverUrl)
    const address = proxy.address()
    if (address === null || typeof address === 'string') throw new Error('the system gave no port')
    url.port = String(address.port)
    return new Wire(url.href, pairs, () => {
      for (const { client } of pairs) client.destroy()
      proxy.close()
    })
  }

  /** From now on nothing arrives on the connections that listen, and nobody learns of it. */
  deafen(): void {
    for (const { server, isListener } of this.#pairs) {
      if (!isListener) continue
      server.removeAllListeners('data')
      server.resume()
    }
  }

  close(): void {
    this.#close()
  }
}

// The bare loops: `node:http` and the driver. Started by run.ts, which sends the order.
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { isGenuine } from './bare-checks.ts'
import { type BareDatabase, type BarePlace, openBare } from './bare-database.ts'
import { BareLog } from './bare-log.ts'
import type { BareReply, Loaded } from './route.ts'
import { ROUTES } from './routes.ts'

const JSON_TYPE = 'application/json; charset=utf-8'
/** As long as the service lets a row of its log wait for others. */
const LINGER_MS = 100

/** What the bare loop needs to know. */
export interface BareOrder {
  place: BarePlace
  loaded: Loaded
  /**
   * `same work`: the same SQL as the service. `keep`: a delivery is checked, and answered once it is one row of a shared batch,
   * which is as fast as anything can be that loses nothing.
   */
  does: 'same work' | 'keep'
}

process.once('message', (order: BareOrder) => {
  void serve(order)
})

async function serve({ place, loaded, does }: BareOrder): Promise<void> {
  const db = await openBare(place)
  const log = new BareLog(db, does === 'keep' ? 0 : LINGER_MS)
  const server = createServer(async (request, response) => {
    const startedMs = performance.now()
    const body = await readBody(request)
    const received = { body, loaded }
    const reply = does === 'keep' ? check(request, received) : await answer(db, request, received)
    const noted = log.note(request, { body, reply, startedMs })
    if (does === 'keep') await noted
    const { status, body: text, contentType = JSON_TYPE } = reply
    response.writeHead(status, { 'content-type': contentType, 'content-length': Buffer.byteLength(text) }).end(text)
  })
  server.listen(0, '127.0.0.1', () => {
    const { port } = server.address() as AddressInfo
    process.send?.(`http://127.0.0.1:${port}`)
  })
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks)
}

interface Received {
  body: Buffer
  loaded: Loaded
}

function check({ url = '', headers }: IncomingMessage, { body, loaded }: Received): BareReply {
  return { status: isGenuine(url, { headers, body, loaded }) ? 200 : 401, body: '' }
}

async function answer(
  db: BareDatabase,
  { url, headers }: IncomingMessage,
  { body, loaded }: Received,
): Promise<BareReply> {
  const route = ROUTES.find(({ path }) => path === url)
  if (route === undefined) return { status: 404, body: '' }
  try {
    return await route.bare(db, { headers, body, loaded })
  } catch (error) {
    process.stderr.write(`the bare loop failed at ${route.name}: ${error}\n`)
    return { status: 500, body: '' }
  }
}

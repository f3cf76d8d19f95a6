// The bare loop: `node:http` and the driver, doing the same SQL as the service. Started by run.ts, which sends the order.
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type BareDatabase, type BarePlace, openBare } from './bare-database.ts'
import { BareLog } from './bare-log.ts'
import type { BareReply, Loaded } from './route.ts'
import { ROUTES } from './routes.ts'

const JSON_TYPE = 'application/json; charset=utf-8'

/** What the bare loop needs to know. */
export interface BareOrder {
  place: BarePlace
  loaded: Loaded
}

process.once('message', (order: BareOrder) => {
  void serve(order)
})

async function serve({ place, loaded }: BareOrder): Promise<void> {
  const db = await openBare(place)
  const log = new BareLog(db)
  const server = createServer(async (request, response) => {
    const startedMs = performance.now()
    const received = await readBody(request)
    const reply = await answer(db, request, { body: received, loaded })
    const { status, body, contentType = JSON_TYPE } = reply
    response.writeHead(status, { 'content-type': contentType, 'content-length': Buffer.byteLength(body) }).end(body)
    log.note(request, { body: received, reply, startedMs })
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

async function answer(
  db: BareDatabase,
  { url, headers }: IncomingMessage,
  { body, loaded }: { body: Buffer; loaded: Loaded },
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

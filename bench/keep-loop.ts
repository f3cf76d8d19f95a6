// What the service is measured against: `node:http` and the driver, which verify a delivery and answer once it is one row of a shared
// batch. Nothing that loses nothing can be faster. Started by sides.ts, which sends the order.
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { PGlite } from '@electric-sql/pglite'
import pg from 'pg'
import type { Loaded } from './route.ts'
import { isSignedByTelco } from './telco-request.ts'

/** Where the loop keeps deliveries. */
export type KeepPlace = { kind: 'embedded'; folder: string } | { kind: 'server'; url: string; pool: number }

/** What the loop needs to know. */
export interface KeepOrder {
  place: KeepPlace
  loaded: Loaded
}

/** A delivery as it came. */
interface Received {
  url: string
  headers: IncomingHttpHeaders
  body: Buffer
}

type Insert = (rows: string) => Promise<unknown>

/** As the service has it: so many rows in one statement. */
const ROWS_MAX = 200

const INSERT = {
  name: 'log',
  text: `insert into connect_delivery (area, route, verdict, status, ms, received_at, host, target, headers, body, body_bytes, reply)
    select area, route, verdict, status, ms, received_at, host, target, headers, body, body_bytes, reply
    from jsonb_to_recordset($1::jsonb) as r (area text, route text, verdict text, status int, ms int, received_at timestamp,
      host text, target text, headers jsonb, body text, body_bytes int, reply text)`,
}

process.once('message', (order: KeepOrder) => {
  void serve(order)
})

async function serve({ place, loaded }: KeepOrder): Promise<void> {
  const log = new KeptLog(await open(place))
  const server = createServer(async (request, response) => {
    const startedMs = performance.now()
    const received = { url: request.url ?? '', headers: request.headers, body: await readBody(request) }
    const status = isGenuine(received, loaded) ? 200 : 401
    await log.keep(received, status, startedMs)
    response.writeHead(status, { 'content-length': 0 }).end()
  })
  server.listen(0, '127.0.0.1', () => {
    const { port } = server.address() as AddressInfo
    process.send?.(`http://127.0.0.1:${port}`)
  })
}

async function open(place: KeepPlace): Promise<Insert> {
  if (place.kind === 'embedded') {
    const client = await PGlite.create({ dataDir: place.folder })
    return (rows) => client.query(INSERT.text, [rows])
  }
  const pool = new pg.Pool({ connectionString: place.url, max: place.pool })
  return (rows) => pool.query({ ...INSERT, values: [rows] })
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks)
}

/** Rows in batches, one at a time, each with whatever has come while the last one was written. */
class KeptLog {
  readonly #insert: Insert
  #waiting: { row: object; written: () => void }[] = []
  #isWriting = false

  constructor(insert: Insert) {
    this.#insert = insert
  }

  /** Resolves when the delivery is in the database. */
  keep({ url, headers, body }: Received, status: number, startedMs: number): Promise<void> {
    const row = {
      area: 'bench',
      route: url,
      verdict: 'handled',
      status,
      ms: Math.round(performance.now() - startedMs),
      received_at: new Date().toISOString().slice(0, -1),
      host: headers.host ?? null,
      target: url,
      headers,
      body: body.toString(),
      body_bytes: body.length,
      reply: '',
    }
    return new Promise((written) => {
      this.#waiting.push({ row, written })
      if (!this.#isWriting) void this.#write()
    })
  }

  async #write(): Promise<void> {
    this.#isWriting = true
    // After the other requests of this turn of the event loop have added theirs.
    await new Promise((resolve) => setImmediate(resolve))
    const batch = this.#waiting.splice(0, ROWS_MAX)
    await this.#insert(JSON.stringify(batch.map(({ row }) => row)))
    for (const { written } of batch) written()
    this.#isWriting = false
    if (this.#waiting.length > 0) void this.#write()
  }
}

/** Whether a delivery comes from where it should, by whichever proof it carries. */
function isGenuine(received: Received, loaded: Loaded): boolean {
  const { headers } = received
  if (headers['x-twilio-signature'] !== undefined) return isSignedByTelco(received, loaded)
  return headers['voiceai-signature'] === undefined ? hasToken(headers, loaded) : isSignedByVoiceai(received, loaded)
}

/** The agent token, compared in constant time. */
function hasToken(headers: IncomingHttpHeaders, { token }: Loaded): boolean {
  const given = headers['x-voiceai-agent-token']
  return typeof given === 'string' && timingSafeEqual(digest(given), digest(token))
}

/** The signature of a post-call delivery over its raw bytes. */
function isSignedByVoiceai({ headers, body }: Received, { postCallSecret }: Loaded): boolean {
  const [, time = '', given = ''] = /^t=(\d+),v0=([0-9a-f]{64})$/.exec(String(headers['voiceai-signature'])) ?? []
  const wanted = createHmac('sha256', postCallSecret).update(`${time}.`).update(body).digest()
  return given !== '' && timingSafeEqual(Buffer.from(given, 'hex'), wanted)
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

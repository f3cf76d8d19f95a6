// The load generator: a process of its own, so that its work is not on the event loop of what it measures.
import { HttpConnection, type ReceivedReply } from './http-client.ts'
import type { LoadOrder, LoadResult } from './load.ts'
import { getRoute } from './routes.ts'

const TICK_MS = 1
const MS_PER_SECOND = 1_000

process.on('message', (order: LoadOrder) => {
  void work(order).then((result) => process.send?.(result))
})

async function work(order: LoadOrder): Promise<LoadResult> {
  const { addresses, requestsPerSecond } = order
  const connections = Array.from({ length: order.connections }, (_, nth) => {
    const address = addresses[nth % addresses.length] ?? ''
    return new HttpConnection(address)
  })
  const run = new Run(order)
  if (requestsPerSecond === undefined) await Promise.all(connections.map((connection) => saturate(run, connection)))
  else await pace(run, connections, requestsPerSecond)
  for (const connection of connections) connection.close()
  return run.result()
}

/** Sends the next request as soon as the last one is answered. */
async function saturate(run: Run, connection: HttpConnection): Promise<void> {
  while (!run.isOver()) await run.send(connection, performance.now())
}

/** Sends at a fixed rate. A request that waits for a free connection has been waiting since it was due. */
async function pace(run: Run, connections: readonly HttpConnection[], perSecond: number): Promise<void> {
  const free = [...connections]
  const underWay = new Set<Promise<void>>()
  const start = performance.now()
  for (let sent = 0; !run.isOver(); ) {
    const due = start + (sent * MS_PER_SECOND) / perSecond
    const connection = due <= performance.now() ? free.pop() : undefined
    if (connection === undefined) {
      await new Promise((resolve) => setTimeout(resolve, TICK_MS))
      continue
    }
    sent += 1
    const answered = run.send(connection, due).finally(() => {
      free.push(connection)
      underWay.delete(answered)
    })
    underWay.add(answered)
  }
  await Promise.all(underWay)
}

/** One measurement: numbers the requests and keeps what became of them. */
class Run {
  readonly #order: LoadOrder
  readonly #routes: ReturnType<typeof getRoute>[]
  readonly #latenciesMs: number[] = []
  readonly #sent: Record<string, number> = {}
  readonly #start = performance.now()
  readonly #end: number
  #next: number
  #failed = 0
  #inTime = 0
  #sample: ReceivedReply | undefined

  constructor(order: LoadOrder) {
    this.#order = order
    this.#routes = order.routes.map(getRoute)
    this.#next = order.first
    this.#end = this.#start + order.seconds * MS_PER_SECOND
  }

  isOver(): boolean {
    const { requests } = this.#order
    return requests === undefined ? performance.now() >= this.#end : this.#next - this.#order.first >= requests
  }

  async send(connection: HttpConnection, dueMs: number): Promise<void> {
    const n = this.#next
    this.#next += 1
    const route = this.#routes[n % this.#routes.length]
    if (route === undefined) return
    this.#sent[route.name] = (this.#sent[route.name] ?? 0) + 1
    const reply = await connection.post(route.path, route.request(n, this.#order.loaded))
    this.#sample ??= reply
    const now = performance.now()
    this.#latenciesMs.push(now - dueMs)
    if (reply.status !== 200) this.#failed += 1
    else if (now <= this.#end) this.#inTime += 1
  }

  result(): LoadResult {
    return {
      next: this.#next,
      sent: this.#sent,
      failed: this.#failed,
      inTime: this.#inTime,
      seconds: this.#order.seconds,
      latenciesMs: this.#latenciesMs,
      sample: this.#sample ?? { status: 0, body: '' },
    }
  }
}

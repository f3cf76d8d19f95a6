import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { Type } from 'typebox'
import type { Database } from '../database/database.ts'
import { NotOpenError } from '../database/gate.ts'
import type { FullestSequence } from '../database/id-use.ts'
import type { DeliveryLog } from '../deliveries/log/delivery-log.ts'
import type { Verdict } from '../deliveries/log/delivery-model.ts'
import type { RejectionBudget } from '../deliveries/log/rejection-budget.ts'
import { equalInConstantTime } from '../deliveries/tools/agent-token.ts'
import { withinDeadline } from '../deliveries/webhooks/deadline.ts'
import { asError } from '../errors.ts'
import type { JobQueue } from '../jobs/queue.ts'
import { type ApiOperation, jsonBody } from '../platform/api/api-operation.ts'
import { type Storage, StorageShape } from './storage.ts'
import { WriteProbe } from './write-probe.ts'

const READY_DEADLINE_MS = 2_000
const SECONDS_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 15]
const MS_PER_SECOND = 1_000

interface MetricsParts {
  log: DeliveryLog
  rejections: RejectionBudget
  jobAgeSeconds: () => Promise<number>
  fullestSequence: () => Promise<FullestSequence | undefined>
}

/** Numbers for whoever watches the service. */
export class Metrics {
  readonly registry = new Registry()
  readonly #deliveries: Counter
  readonly #seconds: Histogram

  constructor({ log, rejections, jobAgeSeconds, fullestSequence }: MetricsParts) {
    collectDefaultMetrics({ register: this.registry })
    this.#deliveries = new Counter({
      name: 'connect_deliveries_total',
      help: 'Webhook deliveries by route and verdict',
      labelNames: ['route', 'verdict'],
      registers: [this.registry],
    })
    this.#seconds = new Histogram({
      name: 'connect_delivery_seconds',
      help: 'Time to answer a webhook delivery',
      labelNames: ['route'],
      buckets: SECONDS_BUCKETS,
      registers: [this.registry],
    })
    new Gauge({
      name: 'connect_delivery_log_dropped',
      help: 'Deliveries that found no room in the delivery log',
      registers: [this.registry],
      collect() {
        this.set(log.dropped)
      },
    })
    new Gauge({
      name: 'connect_rejections_not_logged',
      help: 'Rejected deliveries that were not logged because there were too many of them',
      registers: [this.registry],
      collect() {
        this.set(rejections.notLogged)
      },
    })
    new Gauge({
      name: 'connect_jobs_oldest_seconds',
      help: 'How long the oldest job that is due has been waiting',
      registers: [this.registry],
      async collect() {
        // Numbers are wanted most while the database is in trouble: they do not depend on it.
        const seconds = await withinDeadline(jobAgeSeconds(), READY_DEADLINE_MS).catch(() => Number.NaN)
        this.set(seconds)
      },
    })
    this.#registerIds(fullestSequence)
  }

  #registerIds(fullestSequence: MetricsParts['fullestSequence']): void {
    new Gauge({
      name: 'connect_ids_used_ratio',
      help: 'How much is used of the sequence of ids that is nearest to its end; 1 is all of it',
      labelNames: ['sequence'],
      registers: [this.registry],
      async collect() {
        const fullest = await withinDeadline(fullestSequence(), READY_DEADLINE_MS).catch(() => undefined)
        this.reset()
        if (fullest !== undefined) this.set({ sequence: fullest.name }, fullest.used)
      },
    })
  }

  observe(route: string, verdict: Verdict, ms: number): void {
    this.#deliveries.inc({ route, verdict })
    this.#seconds.observe({ route }, ms / MS_PER_SECOND)
  }
}

interface OperationsParts {
  storage: Storage
  db: Database
  jobs: JobQueue
  metrics: Metrics
  metricsToken: string | undefined
}

const Readiness = Type.Object({
  status: Type.Union([Type.Literal('ready'), Type.Literal('not ready')]),
  database: Type.Boolean(),
  queue: Type.Boolean(),
  ...StorageShape.properties,
})
const open = { tag: 'health', proof: 'nobody', method: 'get' } as const

/** The same, as the API document shows them. */
export const HEALTH_OPERATIONS: readonly ApiOperation[] = [
  {
    ...open,
    path: '/healthz',
    id: 'healthz',
    summary: 'Whether the process answers',
    reply: jsonBody(Type.Object({ status: Type.Literal('alive') })),
    others: { 503: 'Stopping' },
  },
  {
    ...open,
    path: '/readyz',
    id: 'readyz',
    summary: 'Whether deliveries can be taken and stored',
    reply: jsonBody(Readiness),
    others: { 503: { description: 'Not ready', content: { 'application/json': { schema: Readiness } } } },
  },
  {
    ...open,
    path: '/metrics',
    id: 'metrics',
    summary: 'Numbers for Prometheus: with the bearer METRICS_TOKEN, or asked from this machine',
    reply: { contentType: 'text/plain', schema: Type.String() },
    others: { 401: 'Unauthorized' },
  },
]

/** Serves /healthz, /readyz and /metrics. */
export function operationsRoutes(
  app: FastifyInstance,
  { db, jobs, metrics, metricsToken, storage }: OperationsParts,
): void {
  const writes = new WriteProbe(db)
  app.get('/healthz', (_request, reply) => reply.send({ status: 'alive' }))
  app.get('/readyz', async (_request, reply) => {
    const failure = await withinDeadline(writes.check(), READY_DEADLINE_MS).then(() => undefined, asError)
    const stored = storage.report()
    const report = { database: failure === undefined, queue: jobs.isRunning, ...stored }
    const why = obstacles({ failure, isQueueOpen: jobs.isRunning, hasDisk: stored.disk }).join(' ')
    if (why === '') return reply.send({ status: 'ready', ...report })
    return reply.code(503).send({ status: 'not ready', why, ...report })
  })
  app.get('/metrics', async (request, reply) => {
    if (!mayReadMetrics(request, metricsToken)) return refuse(reply)
    return reply.type(metrics.registry.contentType).send(await metrics.registry.metrics())
  })
}

/** Why the service is not ready, without a word that a stranger should not read. */
function obstacles(found: { failure: Error | undefined; isQueueOpen: boolean; hasDisk: boolean }): string[] {
  const { failure, isQueueOpen, hasDisk } = found
  const sentences = [
    failure instanceof NotOpenError ? 'The database has been unavailable since this process started.' : undefined,
    failure === undefined || failure instanceof NotOpenError ? undefined : 'The database does not take a write.',
    isQueueOpen ? undefined : 'The job queue is not open.',
    hasDisk ? undefined : 'Deliveries cannot be saved: a disk is full.',
  ]
  return sentences.filter((sentence) => sentence !== undefined)
}

/** With a token: whoever holds it. Without one: this machine only, asking for it by its own name, and not for others. */
function mayReadMetrics(request: FastifyRequest, token: string | undefined): boolean {
  if (token === undefined) {
    const isLocal = ['127.0.0.1', '::1', '::ffff:127.0.0.1'].includes(request.socket.remoteAddress ?? '')
    return isLocal && LOCAL_HOST.test(request.headers.host ?? '') && !isForwarded(request)
  }
  const [, given] = /^bearer (.+)$/i.exec(request.headers.authorization ?? '') ?? []
  return given !== undefined && equalInConstantTime(given, token)
}

/** A proxy on this machine may pass on the name it was asked for: whoever asks for a public one is not this machine. */
const LOCAL_HOST = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/i
/** What proxies and networks in front of one add for whom they ask. */
const FORWARDING_HEADERS =
  /^(?:x-forwarded(?:-.*)?|x-original-.*|forwarded|via|x-real-ip|x-client-ip|x-cluster-client-ip|true-client-ip|cf-.*|fastly-.*|x-envoy-.*|x-amzn-trace-id)$/

function isForwarded({ headers }: FastifyRequest): boolean {
  return Object.keys(headers).some((name) => FORWARDING_HEADERS.test(name))
}

function refuse(reply: FastifyReply): FastifyReply {
  return reply.code(401).send({ error: 'Unauthorized' })
}

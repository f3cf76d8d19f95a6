import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { Database } from '../database/database.ts'
import { NotOpenError } from '../database/gate.ts'
import { withinDeadline } from '../deliveries/webhooks/deadline.ts'
import { asError } from '../errors.ts'
import { writeIdleLease } from '../jobs/lease.ts'
import type { JobQueue } from '../jobs/queue.ts'
import { type ApiOperation, jsonBody } from '../platform/api/api-operation.ts'
import { equalInConstantTime } from '../platform/secrets/secrets.ts'
import type { Metrics } from './metrics.ts'
import { type Storage, StorageShape } from './storage.ts'

const READY_DEADLINE_MS = 2_000
/** Anyone who asks how the service is makes it write at most this often. */
const WRITE_EVERY_MS = 1_000
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
  const requireWrites = writeProbe(db)
  app.get('/healthz', (_request, reply) => reply.send({ status: 'alive' }))
  app.get('/readyz', async (_request, reply) => {
    const failure = await withinDeadline(requireWrites(), READY_DEADLINE_MS).then(() => undefined, asError)
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

/**
 * Finds out whether the database takes writes: a standby and a full disk answer reads all the same. Throws what the database
 * says when a row cannot be written. Answers of the last second count.
 */
function writeProbe(db: Database): () => Promise<void> {
  let look: Promise<void> | undefined
  return () => {
    if (look === undefined) {
      look = writeIdleLease(db, 'readiness')
      setTimeout(() => {
        look = undefined
      }, WRITE_EVERY_MS).unref()
    }
    return look
  }
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

/** With a token: anyone who holds it. Without one: this machine only, asking for it by its own name, and not for others. */
function mayReadMetrics(request: FastifyRequest, token: string | undefined): boolean {
  if (token === undefined) {
    const isLocal = ['127.0.0.1', '::1', '::ffff:127.0.0.1'].includes(request.socket.remoteAddress ?? '')
    return isLocal && LOCAL_HOST.test(request.headers.host ?? '') && !isForwarded(request)
  }
  const [, given] = /^bearer (.+)$/i.exec(request.headers.authorization ?? '') ?? []
  return given !== undefined && equalInConstantTime(given, token)
}

/** A proxy on this machine may pass on the name it was asked for: anyone who asks for a public one is not this machine. */
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

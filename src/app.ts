import cookie from '@fastify/cookie'
import Fastify, { type FastifyInstance } from 'fastify'
import { homePage } from './app/home-page.ts'
import { createModels } from './app/models.ts'
import { Metrics, operationsRoutes } from './app/operations.ts'
import type { Config } from './config.ts'
import type { Database } from './database/database.ts'
import { DeliveryLog } from './deliveries/delivery-log.ts'
import { cleanUp } from './deliveries/housekeeping.ts'
import { Inbox } from './deliveries/inbox.ts'
import { webhookRoutes } from './deliveries/webhook-routes.ts'
import { WebhookRunner } from './deliveries/webhook-runner.ts'
import { helpdeskTools } from './helpdesk/tools/tools.ts'
import { JobQueue } from './jobs/queue.ts'
import { MediaStore } from './ledger/media-store.ts'
import type { TelcoClient } from './ledger/telco-client.ts'
import type { Logger } from './log.ts'
import type { Platform } from './platform/env.ts'
import { Identities } from './platform/identity/identities.ts'
import { isSetUp, sessionRoutes } from './platform/identity/session-routes.ts'
import { rpcRoutes } from './platform/rpc-routes.ts'
import type { Cipher } from './platform/secrets.ts'
import { Settings } from './platform/settings.ts'
import { noTelcoClient } from './telco/client.ts'
import { phoneDirectory } from './telco/routing/phone-directory.ts'
import { postCallConsumers, postCallTable } from './voiceai/webhooks/post-call-route.ts'
import { voiceaiTables } from './voiceai/webhooks/tables.ts'

/** Slower than this, whoever sends the request is not a provider. */
const REQUEST_TIMEOUT_MS = 30_000
const MEDIA_REQUEST_TIMEOUT_MS = 10 * 60_000

export interface AppParts {
  config: Config
  db: Database
  cipher: Cipher
  log: Logger
  clock?: () => Date
  /** How live calls are redirected; without one, transfers are not available. */
  telcoClient?: TelcoClient
}

export interface App {
  http: FastifyInstance
  platform: Platform
  identities: Identities
  jobs: JobQueue
  inbox: Inbox
  deliveries: DeliveryLog
  /** Opens the queue, hears the other processes, and works on what was left over. */
  start(): Promise<void>
  /** Finishes what is under way; the database stays open. */
  stop(): Promise<void>
}

/** Puts the areas together over an open, migrated and seeded database. */
export function createApp({ config, db, cipher, log, clock = () => new Date(), telcoClient }: AppParts): App {
  const enqueue: Platform['enqueue'] = (tx, work) => jobs.enqueueIn(tx, work)
  const platform: Platform = { models: createModels(), settings: new Settings(db, cipher), cipher, log, clock, enqueue }
  const identities = new Identities(db, clock)
  const deliveries = new DeliveryLog(db, log)
  const metrics = new Metrics(deliveries)
  const media = new MediaStore(config.mediaDir)
  const client = telcoClient ?? noTelcoClient
  const inbox = new Inbox({ db, platform, identities, spoolDir: config.dataDir, consumers: postCallConsumers() })
  const jobs = new JobQueue(db, log, [
    { name: 'clean-up', cron: '17 3 * * *', attemptsMax: 3, retryDelaySeconds: 60, work: () => cleanUp(db, platform) },
  ])
  const http = Fastify({
    trustProxy: config.trustProxy,
    requestTimeout: MEDIA_REQUEST_TIMEOUT_MS,
    connectionTimeout: REQUEST_TIMEOUT_MS,
    routerOptions: { ignoreTrailingSlash: false, maxParamLength: 500 },
    forceCloseConnections: 'idle',
    ajv: { customOptions: { coerceTypes: false } },
  })
  http.register(cookie)
  const observe = metrics.observe.bind(metrics)
  const runner = new WebhookRunner({ platform, db, identities, deliveries, observe })
  const directory = phoneDirectory
  webhookRoutes(http, runner, [...voiceaiTables({ directory, client }), postCallTable({ inbox, media }), helpdeskTools])
  rpcRoutes(http, { platform, db, identities })
  sessionRoutes(http, { platform, db, identities })
  operationsRoutes(http, { db, jobs, metrics, metricsToken: config.metricsToken })
  http.get('/', async (_request, reply) => {
    const [hasAdministrator, { apiUrl }] = await Promise.all([isSetUp({ db }), platform.settings.get()])
    return reply.type('text/html; charset=utf-8').send(homePage({ isSetUp: hasAdministrator, apiUrl }))
  })
  return {
    http,
    platform,
    identities,
    jobs,
    inbox,
    deliveries,
    async start() {
      await db.listen('connect_settings', () => platform.settings.forget())
      await db.listen('connect_identity', () => identities.forget())
      await db.listen('connect_inbox', () => inbox.wake())
      await jobs.start({ works: config.worker })
      if (config.worker) inbox.start()
      await http.ready()
    },
    async stop() {
      await http.close()
      await inbox.stop()
      await jobs.stop()
      await deliveries.drained()
    },
  }
}

import type { FastifyInstance } from 'fastify'
import { webhookOperations } from '../deliveries/webhooks/described-webhooks.ts'
import { Room, UNVERIFIED_MEMORY_BYTES_MAX } from '../deliveries/webhooks/unverified-bytes.ts'
import { webhookRoutes } from '../deliveries/webhooks/webhook-routes.ts'
import { WebhookRunner } from '../deliveries/webhooks/webhook-runner.ts'
import { rpcRoutes } from '../platform/api/rpc-routes.ts'
import { AREAS } from './areas.ts'
import type { Built } from './build.ts'
import { HEALTH_OPERATIONS, operationsRoutes } from './health-routes.ts'
import { otherAnswers } from './not-found.ts'
import { servePage } from './page/page-routes.ts'
import { Storage } from './storage.ts'
import { webhookTables } from './webhooks/webhook-tables.ts'

/** Every address that is answered: webhooks, records, those of the areas, and what watches the process. */
export function serve(http: FastifyInstance, built: Built): void {
  const { config, db, log, metrics, page } = built
  otherAnswers(http, log, servePage(http, { db, build: page, voiceaiBaseUrl: config.voiceaiBaseUrl }))
  const observe = metrics.observe.bind(metrics)
  const runner = new WebhookRunner({ ...built, trials: built.triedTools.trials, observe })
  const tables = webhookTables(built)
  webhookRoutes(http, { runner, memory: new Room(UNVERIFIED_MEMORY_BYTES_MAX) }, tables)
  for (const { routes } of AREAS) routes?.(http, built)
  const described = AREAS.flatMap(({ described: ofArea = [] }) => ofArea)
  rpcRoutes(http, built, [...described, ...HEALTH_OPERATIONS, ...webhookOperations(tables)])
  const storage = new Storage(built)
  storage.register(metrics)
  operationsRoutes(http, { ...built, storage, metricsToken: config.metricsToken })
}

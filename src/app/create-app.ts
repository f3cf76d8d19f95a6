import type { FastifyInstance } from 'fastify'
import type { Config } from '../config.ts'
import { contactNumbers } from '../contacts/renumber-contacts.ts'
import { renumberingJob } from '../contacts/renumbering.ts'
import type { Database } from '../database/database.ts'
import { findFullestSequence } from '../database/id-use.ts'
import { Inbox } from '../deliveries/inbox/inbox.ts'
import { LastSettings } from '../deliveries/inbox/last-settings.ts'
import { SettingsFile } from '../deliveries/inbox/settings-file.ts'
import { DeliveryLog } from '../deliveries/log/delivery-log.ts'
import { RejectionBudget } from '../deliveries/log/rejection-budget.ts'
import { webhookOperations } from '../deliveries/webhooks/described-webhooks.ts'
import {
  Room,
  UNVERIFIED_DISK_BYTES_MAX,
  UNVERIFIED_MEMORY_BYTES_MAX,
} from '../deliveries/webhooks/unverified-bytes.ts'
import { webhookRoutes } from '../deliveries/webhooks/webhook-routes.ts'
import { WebhookRunner } from '../deliveries/webhooks/webhook-runner.ts'
import { ticketNumbers } from '../helpdesk/tickets/renumber-tickets.ts'
import { type JobKind, JobQueue } from '../jobs/queue.ts'
import { oldestJobSeconds } from '../jobs/queue-age.ts'
import { mediaRemovalJob } from '../ledger/recordings/media-removal.ts'
import { MediaStore } from '../ledger/recordings/media-store.ts'
import { mediaSweepJob } from '../ledger/recordings/media-sweep.ts'
import type { Logger } from '../log.ts'
import type { Platform } from '../platform/access/env.ts'
import { rpcRoutes } from '../platform/api/rpc-routes.ts'
import { Identities } from '../platform/identity/identities.ts'
import { SESSION_OPERATIONS } from '../platform/identity/session-operations.ts'
import { sessionRoutes } from '../platform/identity/session-routes.ts'
import type { Cipher } from '../platform/secrets/secrets.ts'
import type { TelcoClient } from '../ports/telco-client.ts'
import { DeadRuns } from '../sync/dead-runs.ts'
import { syncJobs } from '../sync/jobs.ts'
import { createTelcoAccount } from '../telco/client/account.ts'
import { createTelcoClient } from '../telco/client/telco-client.ts'
import { telcoOperations } from '../telco/described-routes.ts'
import { telcoJobs } from '../telco/jobs.ts'
import { CallerLanguages } from '../telco/numbers/caller-languages.ts'
import { ownNumbers } from '../telco/numbers/renumber-numbers.ts'
import { MEDIA_OPERATIONS } from '../telco/recordings/described-media.ts'
import { recordingMediaRoutes } from '../telco/recordings/media-routes.ts'
import { phoneDirectory } from '../telco/routing/phone-directory.ts'
import { speechFileRoutes } from '../telco/speech/speech-files.ts'
import { telcoPrompts } from '../telco/speech/spoken-prompts.ts'
import { telcoSyncOperations } from '../telco/sync/described-sync.ts'
import { TELCO_SYNC } from '../telco/sync/provider.ts'
import { telcoConsumers } from '../telco/webhooks/failed-events.ts'
import { telcoTable } from '../telco/webhooks/telco-webhooks.ts'
import { PlatformAgents } from '../voiceai/agents/platform-agents.ts'
import { sdkClient } from '../voiceai/client/sdk-client.ts'
import { initiationTable } from '../voiceai/conversations/initiation-route.ts'
import { postCallConsumers, postCallTable } from '../voiceai/conversations/post-call-route.ts'
import { agentConnector } from '../voiceai/conversations/register-call.ts'
import { ToolDeadlines } from '../voiceai/tools/tool-deadlines.ts'
import { VOICEAI_SYNC } from '../voiceai/workspace/provider.ts'
import { toolTables } from './agent-tools.ts'
import { Backups } from './backup/backups.ts'
import { backupOperations } from './backup/operations.ts'
import { HEALTH_OPERATIONS, Metrics, operationsRoutes } from './health-routes.ts'
import { homeRoute } from './home-page.ts'
import { createHttpServer } from './http-server.ts'
import { createModels } from './models.ts'
import { otherAnswers } from './not-found.ts'
import { pageHeaders } from './page-headers.ts'
import { openSettings } from './settings.ts'
import { Storage } from './storage.ts'
import { upkeepJobs } from './upkeep-jobs.ts'

interface AppParts {
  config: Config
  db: Database
  cipher: Cipher
  log: Logger
  clock?: () => Date
  /** In place of the phone provider's own REST API. */
  telcoClient?: TelcoClient
}

export interface App {
  http: FastifyInstance
  platform: Platform
  identities: Identities
  jobs: JobQueue
  inbox: Inbox
  deliveries: DeliveryLog
  agents: PlatformAgents
  /** Opens the queue, hears the other processes, and works on what was left over. When it throws it may be called again. */
  start(): Promise<void>
  /** Finishes what is under way; the database stays open. */
  stop(): Promise<void>
}

/** Everything that is made once and that routes and jobs are built from. */
interface Built {
  config: Config
  db: Database
  log: Logger
  platform: Platform
  identities: Identities
  lastSettings: LastSettings
  deliveries: DeliveryLog
  rejections: RejectionBudget
  metrics: Metrics
  media: MediaStore
  client: TelcoClient
  agents: PlatformAgents
  inbox: Inbox
  jobs: JobQueue
  deadRuns: DeadRuns
  toolDeadlines: ToolDeadlines
  languages: CallerLanguages
  backups: Backups
}

/** Puts the areas together over an open, migrated and seeded database. */
export function createApp(parts: AppParts): App {
  const built = build(parts)
  const { platform, identities, jobs, inbox, deliveries, agents } = built
  const http = createHttpServer(built.config)
  serve(http, built)
  return {
    http,
    platform,
    identities,
    jobs,
    inbox,
    deliveries,
    agents,
    start: () => start(http, built),
    stop: () => stop(http, built),
  }
}

function build({ config, db, cipher, log, clock = () => new Date(), telcoClient }: AppParts): Built {
  const enqueue: Platform['enqueue'] = (tx, work) => jobs.enqueueIn(tx, work)
  const settings = openSettings(db, cipher)
  const client = telcoClient ?? createTelcoClient({ settings, baseUrl: config.telcoBaseUrl, log })
  const backups = new Backups({ config, db, log, clock })
  const models = createModels(
    telcoOperations({ client, directory: phoneDirectory }),
    telcoSyncOperations(() => telcoSync),
    backupOperations(() => backups),
  )
  const platform: Platform = { models, settings, cipher, log, clock, enqueue, queryCostMax: db.queryCostMax }
  const identities = new Identities(db, clock)
  const account = createTelcoAccount({ settings, baseUrl: config.telcoBaseUrl, log })
  const telcoSync = { db, platform, identities, account }
  const deliveries = new DeliveryLog(db, log)
  const media = new MediaStore(config.mediaDir)
  const consumers = { ...postCallConsumers({ media }), ...telcoConsumers }
  const inbox = new Inbox({ db, platform, identities, spoolDir: config.dataDir, consumers })
  const voiceai = sdkClient({ settings, baseUrl: config.voiceaiBaseUrl })
  const jobs: JobQueue = new JobQueue(db, log, [
    ...upkeepJobs(db, platform),
    mediaRemovalJob(db, media),
    mediaSweepJob({ db, media, log }),
    renumberingJob(db, [contactNumbers, ownNumbers, ticketNumbers]) as JobKind,
    ...telcoJobs({ db, platform, identities, client, media }),
    ...syncJobs(TELCO_SYNC, telcoSync),
    ...syncJobs(VOICEAI_SYNC, { db, platform, client: voiceai, prompts: telcoPrompts }),
  ])
  const rejections = new RejectionBudget()
  const agents = new PlatformAgents(db)
  const toolDeadlines = new ToolDeadlines(db, log)
  return {
    config,
    db,
    log,
    platform,
    identities,
    lastSettings: new LastSettings(platform, settingsFile({ config, db, cipher })),
    deliveries,
    rejections,
    metrics: metricsOf({ db, deliveries, rejections }),
    media,
    client,
    agents,
    inbox,
    jobs,
    deadRuns: new DeadRuns(db, platform),
    toolDeadlines,
    languages: new CallerLanguages(db, log),
    backups,
  }
}

function metricsOf({ db, deliveries, rejections }: Pick<Built, 'db' | 'deliveries' | 'rejections'>): Metrics {
  const jobAgeSeconds = () => oldestJobSeconds(db)
  return new Metrics({ log: deliveries, rejections, jobAgeSeconds, fullestSequence: () => findFullestSequence(db) })
}

/** The embedded database is there whenever the process is. */
function settingsFile({ config, db, cipher }: Pick<AppParts, 'config' | 'db' | 'cipher'>): SettingsFile | undefined {
  if (db.kind === 'embedded') return undefined
  return new SettingsFile({ dataDir: config.dataDir, cipher, database: db.place })
}

/** Every address that is answered. */
function serve(http: FastifyInstance, built: Built): void {
  const {
    config,
    db,
    log,
    platform,
    identities,
    lastSettings,
    deliveries,
    rejections,
    metrics,
    media,
    client,
    agents,
    inbox,
    jobs,
    toolDeadlines,
    languages,
  } = built
  pageHeaders(http)
  otherAnswers(http, log)
  const observe = metrics.observe.bind(metrics)
  const runner = new WebhookRunner({ platform, lastSettings, db, identities, deliveries, rejections, observe })
  const memory = new Room(UNVERIFIED_MEMORY_BYTES_MAX)
  const disk = new Room(UNVERIFIED_DISK_BYTES_MAX)
  const { voiceaiBaseUrl: baseUrl } = config
  const connector = agentConnector({ platform, db, identities, directory: phoneDirectory, agents, baseUrl })
  const tools = toolTables({ directory: phoneDirectory, client }, toolDeadlines)
  const tables = [
    initiationTable({ directory: phoneDirectory, agents }),
    tools.voiceai,
    postCallTable({ inbox, media, disk }),
    tools.helpdesk,
    telcoTable({ context: { log, connector }, inbox, languages }),
  ]
  webhookRoutes(http, { runner, memory }, tables)
  speechFileRoutes(http, { db })
  recordingMediaRoutes(http, { platform, db, identities, media, client })
  const described = [...SESSION_OPERATIONS, ...HEALTH_OPERATIONS, ...MEDIA_OPERATIONS, ...webhookOperations(tables)]
  rpcRoutes(http, { platform, db, identities }, described)
  sessionRoutes(http, { platform, db, identities })
  const storage = new Storage({ db, inbox, media })
  storage.register(metrics.registry)
  operationsRoutes(http, { db, jobs, metrics, storage, metricsToken: config.metricsToken })
  homeRoute(http, { db, platform })
}

async function start(
  http: FastifyInstance,
  {
    config,
    db,
    platform,
    identities,
    lastSettings,
    agents,
    inbox,
    jobs,
    deadRuns,
    toolDeadlines,
    languages,
    backups,
  }: Built,
): Promise<void> {
  backups.start()
  const settingsChanged = (): void => {
    platform.settings.forget()
    void lastSettings.refresh()
  }
  await db.listen('connect_settings', settingsChanged)
  await db.listen('connect_identity', () => identities.forget())
  await db.listen('connect_agents', () => agents.forget())
  await db.listen('connect_inbox', () => inbox.wake())
  // What was read before may have changed before anybody would have heard of it.
  platform.settings.forget()
  identities.forget()
  agents.forget()
  await lastSettings.refresh()
  await toolDeadlines.start()
  await languages.start()
  await jobs.start({ works: config.worker })
  inbox.start({ works: config.worker })
  if (config.worker) deadRuns.start()
  await http.ready()
}

async function stop(
  http: FastifyInstance,
  { inbox, jobs, deliveries, deadRuns, lastSettings, backups }: Built,
): Promise<void> {
  // Requests under way may be waiting for the database that a backup holds.
  await Promise.all([backups.stop(), http.close()])
  await lastSettings.saved()
  await inbox.stop()
  await deadRuns.stop()
  await jobs.stop()
  await deliveries.drained()
}

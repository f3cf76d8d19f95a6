import type { Config } from '../config.ts'
import type { Database } from '../database/database.ts'
import { Inbox } from '../deliveries/inbox/inbox.ts'
import { LastSettings } from '../deliveries/inbox/last-settings.ts'
import type { SettingsFile } from '../deliveries/inbox/settings-file.ts'
import { DeliveryLog } from '../deliveries/log/delivery-log.ts'
import { RejectionBudget } from '../deliveries/log/rejection-budget.ts'
import { type JobKind, JobQueue } from '../jobs/queue.ts'
import { callModel } from '../ledger/calls/call.ts'
import { ledgerJobs } from '../ledger/ledger-jobs.ts'
import type { Logger } from '../log.ts'
import type { Platform } from '../platform/access/env.ts'
import { Identities } from '../platform/identity/identities.ts'
import { LiveHub } from '../platform/live/live-hub.ts'
import { MediaStore } from '../platform/media/media-store.ts'
import { SealedFile } from '../platform/secrets/sealed-file.ts'
import type { Cipher } from '../platform/secrets/secrets.ts'
import type { TelcoClient } from '../ports/telco-client.ts'
import { DeadRuns } from '../sync/dead-runs.ts'
import { syncJobs } from '../sync/jobs.ts'
import { createTelcoAccount } from '../telco/client/account.ts'
import { createTelcoClient } from '../telco/client/telco-client.ts'
import { telcoJobs } from '../telco/jobs.ts'
import { DIAL_PLAN_FILE, DialPlans } from '../telco/routing/dial-plans.ts'
import { telcoPrompts } from '../telco/speech/spoken-prompts.ts'
import { TELCO_SYNC } from '../telco/sync/provider.ts'
import { telcoConsumers } from '../telco/webhooks/failed-events.ts'
import { VERSION } from '../version.ts'
import { PlatformAgents } from '../voiceai/agents/platform-agents.ts'
import { sdkClient } from '../voiceai/client/sdk-client.ts'
import { postCallConsumers } from '../voiceai/conversations/post-call.ts'
import { ToolDeadlines } from '../voiceai/tools/tool-deadlines.ts'
import { VOICEAI_SYNC } from '../voiceai/workspace/provider.ts'
import { Backups } from './backup/backups.ts'
import { CheckRuns } from './checks/check-runs.ts'
import { Metrics } from './metrics.ts'
import { createModels } from './models.ts'
import { serviceOperations } from './operations.ts'
import { PageBuild } from './page/page-build.ts'
import { contactJobs } from './person/contact-jobs.ts'
import { openSettings, settingsFileOf } from './settings.ts'
import { upkeepJobs } from './upkeep-jobs.ts'
import { replaysOf } from './webhooks/replays.ts'
import { TriedTools } from './webhooks/tried-tools.ts'

export interface AppParts {
  config: Config
  db: Database
  cipher: Cipher
  log: Logger
  clock?: () => Date
  /** In place of the phone provider's own REST API. */
  telcoClient?: TelcoClient
}

/** Everything that is made once and that routes and jobs are built from. */
export type Built = ReturnType<typeof build>

export function build({ config, db, cipher, log, clock = () => new Date(), telcoClient }: AppParts) {
  const enqueue: Platform['enqueue'] = (tx, work) => jobs.enqueueIn(tx, work)
  const settings = openSettings(db, cipher)
  const client = telcoClient ?? createTelcoClient({ settings, baseUrl: config.telcoBaseUrl, log })
  const later = { telcoSync: () => telcoSync, replays: () => replays, jobs: () => jobs, tried: () => triedTools }
  const looks = { backups: () => backups, checks: () => checks, agents: () => agents }
  const voiceai = sdkClient({ settings, baseUrl: config.voiceaiBaseUrl })
  const backups = new Backups({ config, db, log, clock })
  const models = createModels(...serviceOperations({ client, config, voiceai, ...later, ...looks }))
  const platform: Platform = { models, settings, cipher, log, clock, enqueue, takesLocalIssuer: config.localIssuer }
  const identities = new Identities(db, clock)
  const checks = new CheckRuns({ config, db, platform, identities })
  const account = createTelcoAccount({ settings, baseUrl: config.telcoBaseUrl, log })
  const telcoSync = { db, platform, identities, account }
  const [deliveries, media] = [new DeliveryLog(db, log), new MediaStore(config.mediaDir)]
  const consumers = { ...postCallConsumers({ media }), ...telcoConsumers }
  const inbox = new Inbox({ db, platform, identities, spoolDir: config.dataDir, consumers })
  const own = { db, platform, identities, media, log, inbox, deliveries, client }
  const jobs: JobQueue = new JobQueue(db, log, [
    ...ownJobs(own),
    ...syncJobs(TELCO_SYNC, telcoSync),
    ...syncJobs(VOICEAI_SYNC, { db, platform, client: voiceai, prompts: telcoPrompts, media }),
  ])
  const [rejections, agents] = [new RejectionBudget(), new PlatformAgents(db)]
  const [page, toolDeadlines] = [config.page ? new PageBuild(log) : undefined, new ToolDeadlines(db, log)]
  const triedTools = new TriedTools({ db, platform, identities, toolDeadlines, client })
  const dialPlans = new DialPlans({ db, settings, log, file: dialPlanFile({ config, db, cipher }) })
  const replays = replaysOf({ db, platform, identities, log, agents, inbox, media, toolDeadlines, dialPlans })
  return {
    config,
    db,
    log,
    platform,
    identities,
    lastSettings: new LastSettings(platform, settingsFile({ config, db, cipher })),
    deliveries,
    rejections,
    metrics: new Metrics({ config, db, log: deliveries, rejections }),
    media,
    client,
    agents,
    inbox,
    jobs,
    deadRuns: new DeadRuns(db, platform),
    toolDeadlines,
    triedTools,
    dialPlans,
    live: new LiveHub({ db, platform, identities, build: () => servedBuild(page), callModel: callModel.name }),
    backups,
    checks,
    page,
  }
}

type OwnJobParts = Parameters<typeof ledgerJobs>[0] &
  Parameters<typeof contactJobs>[0] &
  Parameters<typeof telcoJobs>[0]

/** Work on our own records; that of SYNC is with the providers. */
function ownJobs(parts: OwnJobParts): JobKind[] {
  return [...upkeepJobs(parts.db, parts.platform), ...ledgerJobs(parts), ...contactJobs(parts), ...telcoJobs(parts)]
}

/** Which build of the page browsers are served; without a page, that of the service. */
export function servedBuild(page: PageBuild | undefined): string {
  return page?.hash || VERSION
}

/** The embedded database is there whenever the process is. */
function settingsFile({ config, db, cipher }: Pick<AppParts, 'config' | 'db' | 'cipher'>): SettingsFile | undefined {
  if (db.kind === 'embedded') return undefined
  return settingsFileOf({ dataDir: config.dataDir, cipher, database: db.place })
}

function dialPlanFile({ config, db, cipher }: Pick<AppParts, 'config' | 'db' | 'cipher'>): SealedFile | undefined {
  if (db.kind === 'embedded') return undefined
  return new SealedFile({ dataDir: config.dataDir, name: DIAL_PLAN_FILE, cipher, database: db.place })
}

import type { Config } from '../config.ts'
import type { Database } from '../database/database.ts'
import { Inbox } from '../deliveries/inbox/inbox.ts'
import { LastSettings } from '../deliveries/inbox/last-settings.ts'
import type { SettingsFile } from '../deliveries/inbox/settings-file.ts'
import { DeliveryLog } from '../deliveries/log/delivery-log.ts'
import { RejectionBudget } from '../deliveries/log/rejection-budget.ts'
import { JobQueue } from '../jobs/queue.ts'
import { callModel } from '../ledger/calls/call.ts'
import type { Logger } from '../log.ts'
import type { Platform } from '../platform/access/env.ts'
import { Identities } from '../platform/identity/identities.ts'
import { OneTimeLinks } from '../platform/identity/one-time-links.ts'
import { LiveHub } from '../platform/live/live-hub.ts'
import { MediaStore } from '../platform/media/media-store.ts'
import { SealedFile } from '../platform/secrets/sealed-file.ts'
import type { Cipher } from '../platform/secrets/secrets.ts'
import type { TelcoClient } from '../ports/telco-client.ts'
import { DeadRuns } from '../sync/dead-runs.ts'
import { createTelcoAccount } from '../telco/client/account.ts'
import { createTelcoClient } from '../telco/client/telco-client.ts'
import { DIAL_PLAN_FILE, DialPlans } from '../telco/routing/dial-plans.ts'
import { phoneDirectory } from '../telco/routing/phone-directory.ts'
import { telcoPrompts } from '../telco/speech/spoken-prompts.ts'
import { VERSION } from '../version.ts'
import { PlatformAgents } from '../voiceai/agents/platform-agents.ts'
import { sdkClient } from '../voiceai/client/sdk-client.ts'
import { agentConnector } from '../voiceai/conversations/register-call.ts'
import { ToolDeadlines } from '../voiceai/tools/tool-deadlines.ts'
import { AREAS } from './areas.ts'
import { Backups } from './backup/backups.ts'
import { CheckRuns } from './checks/check-runs.ts'
import { isEmulated } from './emulation.ts'
import { Metrics } from './metrics.ts'
import { addMethods, createModels, operationsOf } from './models.ts'
import { PageBuild } from './page/page-build.ts'
import type { Parts } from './parts.ts'
import { featuresOf, openSettings, settingsFileOf } from './settings.ts'
import { findUserFacts } from './signed-in/person.ts'
import { toolTables } from './webhooks/agent-tools.ts'
import { consumersWith } from './webhooks/consumers.ts'
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

/** Everything that is made once. */
export type Built = ReturnType<typeof build>

export function build({ config, db, cipher, log, clock = () => new Date(), telcoClient }: AppParts) {
  const settings = openSettings(db, cipher)
  const models = createModels()
  const enqueue: Platform['enqueue'] = (tx, work) => jobs.enqueueIn(tx, work)
  const platform: Platform = { models, settings, cipher, log, clock, enqueue, takesLocalIssuer: config.localIssuer }
  const identities = new Identities(db, clock)
  const own = { config, db, platform, identities, log }

  const client = telcoClient ?? createTelcoClient({ settings, baseUrl: config.telcoBaseUrl, log })
  const [agents, toolDeadlines] = [new PlatformAgents(db), new ToolDeadlines(db, log)]
  const dialPlans = new DialPlans({ db, settings, log, file: dialPlanFile({ config, db, cipher }) })
  const [deliveries, media] = [new DeliveryLog(db, log), new MediaStore(config.mediaDir)]
  const inbox = new Inbox({ ...own, spoolDir: config.dataDir, consumers: consumersWith(media) })
  const answering = { ...own, directory: phoneDirectory, client, agents, toolDeadlines, dialPlans, media, inbox }

  const page = config.page ? new PageBuild(log) : undefined
  const servedBuild = (): string => page?.hash || VERSION
  const parts: Parts = {
    ...answering,
    connector: agentConnector({ ...answering, baseUrl: config.voiceaiBaseUrl }),
    lastSettings: new LastSettings(platform, settingsFile({ config, db, cipher })),
    deliveries,
    account: createTelcoAccount({ settings, baseUrl: config.telcoBaseUrl, log }),
    voiceai: sdkClient({ settings, baseUrl: config.voiceaiBaseUrl }),
    prompts: telcoPrompts,
    triedTools: new TriedTools({ ...answering, tablesWith: (ports) => toolTables(ports, toolDeadlines) }),
    replays: replaysOf(answering),
    live: new LiveHub({ ...own, build: servedBuild, callModel: callModel.name }),
    backups: new Backups({ config, db, log, clock }),
    checks: new CheckRuns(own),
    links: new OneTimeLinks(),
    numbered: AREAS.flatMap(({ numbered = [] }) => numbered),
    wakeJobs: (kind) => jobs.wake(kind),
    findUserFacts,
    featuresOf: (snapshot) => ({ ...featuresOf(snapshot), emulated: isEmulated(config) }),
    build: servedBuild,
  }
  const jobs: JobQueue = new JobQueue(
    db,
    log,
    AREAS.flatMap((area) => area.jobs?.(parts) ?? []),
  )
  addMethods(models, operationsOf(parts))
  const rejections = new RejectionBudget()
  return {
    ...parts,
    jobs,
    page,
    rejections,
    metrics: new Metrics({ config, db, log: deliveries, rejections }),
    deadRuns: new DeadRuns(db, platform),
  }
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

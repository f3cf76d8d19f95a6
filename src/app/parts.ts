import type { ToolPorts } from '../area.ts'
import type { Config } from '../config.ts'
import type { NumberedTable } from '../contacts/renumbering.ts'
import type { Database } from '../database/database.ts'
import type { Inbox } from '../deliveries/inbox/inbox.ts'
import type { LastSettings } from '../deliveries/inbox/last-settings.ts'
import type { DeliveryLog } from '../deliveries/log/delivery-log.ts'
import type { ComparisonParts } from '../deliveries/replay/compare.ts'
import type { ReplayParts } from '../deliveries/replay/replay.ts'
import type { Logger } from '../log.ts'
import type { Platform } from '../platform/access/env.ts'
import type { Identities } from '../platform/identity/identities.ts'
import type { MeParts } from '../platform/identity/me.ts'
import type { OneTimeLinks } from '../platform/identity/one-time-links.ts'
import type { LiveHub } from '../platform/live/live-hub.ts'
import type { MediaStore } from '../platform/media/media-store.ts'
import type { AgentConnector } from '../ports/agent-connector.ts'
import type { SpokenPrompts } from '../ports/spoken-prompts.ts'
import type { TelcoClient } from '../ports/telco-client.ts'
import type { TelcoAccount } from '../telco/client/account.ts'
import type { DialPlans } from '../telco/routing/dial-plans.ts'
import type { PlatformAgents } from '../voiceai/agents/platform-agents.ts'
import type { VoiceaiClient } from '../voiceai/client/sdk-client.ts'
import type { ToolDeadlines } from '../voiceai/tools/tool-deadlines.ts'
import type { Backups } from './backup/backups.ts'
import type { CheckRuns } from './checks/check-runs.ts'
import type { TriedTools } from './webhooks/tried-tools.ts'

/** What webhooks are answered with. */
export interface WebhookParts extends ToolPorts {
  db: Database
  platform: Platform
  log: Logger
  agents: PlatformAgents
  inbox: Inbox
  media: MediaStore
  toolDeadlines: ToolDeadlines
  dialPlans: DialPlans
  connector: AgentConnector
}

/** What is made once and handed to every area; an area takes what it needs of it. */
export interface Parts extends WebhookParts, MeParts {
  config: Config
  identities: Identities
  lastSettings: LastSettings
  deliveries: DeliveryLog
  client: TelcoClient
  account: TelcoAccount
  voiceai: VoiceaiClient
  prompts: SpokenPrompts
  triedTools: TriedTools
  replays: ComparisonParts & ReplayParts
  live: LiveHub
  backups: Backups
  checks: CheckRuns
  /** Addresses that sign somebody in once, for the person who runs this process. */
  links: OneTimeLinks
  /** Every table with numbers that somebody wrote. */
  numbered: readonly NumberedTable[]
  /** Has a kind of job looked at now. */
  wakeJobs(kind: string): void
}

import type { Database } from '../../database/database.ts'
import type { Inbox } from '../../deliveries/inbox/inbox.ts'
import { Room, UNVERIFIED_DISK_BYTES_MAX } from '../../deliveries/webhooks/unverified-bytes.ts'
import type { Reply, WebhookTable } from '../../deliveries/webhooks/webhook-table.ts'
import type { Logger } from '../../log.ts'
import type { Platform } from '../../platform/access/env.ts'
import type { MediaStore } from '../../platform/media/media-store.ts'
import type { AgentConnector } from '../../ports/agent-connector.ts'
import { ProviderUnavailable, type TelcoClient } from '../../ports/telco-client.ts'
import type { DialPlans } from '../../telco/routing/dial-plans.ts'
import { phoneDirectory } from '../../telco/routing/phone-directory.ts'
import { GatheredRecords } from '../../telco/webhooks/gathered-records.ts'
import { telcoTable } from '../../telco/webhooks/telco-webhooks.ts'
import type { PlatformAgents } from '../../voiceai/agents/platform-agents.ts'
import { initiationTable } from '../../voiceai/conversations/conversation-initiation.ts'
import { postCallTable } from '../../voiceai/conversations/post-call-route.ts'
import type { ToolDeadlines } from '../../voiceai/tools/tool-deadlines.ts'
import { toolTables } from './agent-tools.ts'

/** What the webhooks are built from. */
export interface TableParts {
  db: Database
  platform: Platform
  log: Logger
  agents: PlatformAgents
  inbox: Inbox
  media: MediaStore
  toolDeadlines: ToolDeadlines
  dialPlans: DialPlans
}

interface Providers {
  client: Pick<TelcoClient, 'redirectCall'>
  connector: AgentConnector
}

/** Every webhook, in the order in which they are served. */
export function webhookTables(parts: TableParts, { client, connector }: Providers): WebhookTable[] {
  const { db, log, agents, inbox, media, toolDeadlines, dialPlans } = parts
  const tools = toolTables({ directory: phoneDirectory, client }, toolDeadlines)
  return [
    initiationTable({ directory: phoneDirectory, agents }),
    tools.voiceai,
    postCallTable({ inbox, media, disk: new Room(UNVERIFIED_DISK_BYTES_MAX) }),
    tools.helpdesk,
    telcoTable({
      context: { log, connector },
      inbox,
      dialPlans,
      records: new GatheredRecords(db.kind, (env) => dialPlans.inForce(env)),
    }),
  ]
}

/**
 * The same where no provider is asked, to see what would be answered now: a live leg counts as redirected, and the agents'
 * platform says what it said then.
 */
export function tablesWithoutProviders(parts: TableParts, then: Reply): WebhookTable[] {
  const connector: AgentConnector = {
    async registerCall() {
      if ((await parts.platform.settings.get()).voiceaiApiKey === undefined) return undefined
      // Our own markup never connects a call by this verb.
      if (then.body.includes('<Connect')) return then.body
      throw new ProviderUnavailable('it is not asked')
    },
  }
  return webhookTables(parts, { client: { redirectCall: async () => undefined }, connector })
}

import type { Reply, WebhookTable } from '../../deliveries/webhooks/webhook-table.ts'
import type { AgentConnector } from '../../ports/agent-connector.ts'
import { ProviderUnavailable } from '../../ports/telco-client.ts'
import { AREAS } from '../areas.ts'
import type { WebhookParts } from '../parts.ts'
import { toolTables } from './agent-tools.ts'

/** Every webhook, those of tools first. */
export function webhookTables(parts: WebhookParts): WebhookTable[] {
  return [...toolTables(parts, parts.toolDeadlines), ...AREAS.flatMap(({ webhooks }) => webhooks?.(parts) ?? [])]
}

/**
 * The same where no provider is asked, to see what would be answered now: a live leg counts as redirected, and the agents'
 * platform says what it said then.
 */
export function tablesWithoutProviders(parts: Omit<WebhookParts, 'client' | 'connector'>, then: Reply): WebhookTable[] {
  const connector: AgentConnector = {
    async registerCall() {
      if ((await parts.platform.settings.get()).voiceaiApiKey === undefined) return undefined
      // Our own markup never connects a call by this verb.
      if (then.body.includes('<Connect')) return then.body
      throw new ProviderUnavailable('it is not asked')
    },
  }
  return webhookTables({ ...parts, client: { redirectCall: async () => undefined }, connector })
}

import { sql } from '../../database/drizzle.ts'
import type { Env } from '../../platform/access/env.ts'
import { type ComputedField, computed } from '../../platform/model/fields.ts'
import type { Row } from '../../platform/model/model.ts'
import { joinUrl } from '../../platform/settings/settings-model.ts'

/** What the addresses that we give to the provider are made of. */
export interface WebhookBase {
  readonly apiUrl: string | undefined
  readonly fallbackUrl: string | undefined
  readonly edge: string
  readonly region: string
}

const EDGE_DEFAULT = 'ashburn'
const REGION_DEFAULT = 'us1'
// A short outage of ours is then covered by the provider's own retries (docs/reference/providers.md#webhook-retries);
// repeats are harmless to us.
const STATUS_RETRIES = 'rc=2&rp=ct,rt,5xx'

/** Where the provider fetches markup: fetched once, because a caller is waiting. A query belongs into `path`. */
export function markupUrl(base: string | undefined, path: string, edge: string): string | null {
  return withFragment(base, path, `e=${edge}`)
}

/** Where the provider reports what happened: reported again when we could not be reached. */
export function statusUrl(base: string | undefined, path: string, edge: string): string | null {
  return withFragment(base, path, `e=${edge}&${STATUS_RETRIES}`)
}

/** An address of ours that the provider is given, computed from the settings; null while there is no API URL. */
export function webhookField(label: string, build: (base: WebhookBase, row: Row) => string | null): ComputedField {
  return computed(label, 'char', {
    depends: [],
    async compute(env, rows) {
      const base = await readWebhookBase(env)
      return rows.map((row) => build(base, row))
    },
  })
}

/** Where the provider asks what to do with calls of a record, and reports how they go. */
export function callAddressFields(pathOf: (row: Row) => string) {
  return {
    voice_url: webhookField('Call URL', ({ apiUrl, edge }, row) => markupUrl(apiUrl, pathOf(row), edge)),
    voice_status_url: webhookField('Call event URL', ({ apiUrl, edge }) =>
      statusUrl(apiUrl, '/telco/webhook/callstatus', edge),
    ),
    voice_fallback_url: webhookField('Call fallback URL', ({ fallbackUrl, edge }, row) =>
      markupUrl(fallbackUrl, pathOf(row), edge),
    ),
  }
}

/** The settings behind webhook addresses, read inside the request's own transaction. */
export async function readWebhookBase(env: Pick<Env, 'db'>): Promise<WebhookBase> {
  const rows = await env.db.query<
    Record<'api_url' | 'api_fallback_url' | 'telco_edge' | 'telco_region', string | null>
  >(sql`select api_url, api_fallback_url, telco_edge, telco_region from connect_settings order by id limit 1`)
  return {
    apiUrl: rows[0]?.api_url || undefined,
    fallbackUrl: rows[0]?.api_fallback_url || undefined,
    edge: rows[0]?.telco_edge || EDGE_DEFAULT,
    region: rows[0]?.telco_region || REGION_DEFAULT,
  }
}

/** The fragment stays with the provider, which reads its instructions there; it is never sent and never signed. */
function withFragment(base: string | undefined, path: string, fragment: string): string | null {
  return base === undefined ? null : `${joinUrl(base, path)}#${fragment}`
}

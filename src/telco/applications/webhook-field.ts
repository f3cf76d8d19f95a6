import { type ComputedField, computed } from '../../platform/model/fields.ts'
import type { Row } from '../../platform/model/model.ts'
import { readWebhookBase, type WebhookBase } from './webhook-url.ts'

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

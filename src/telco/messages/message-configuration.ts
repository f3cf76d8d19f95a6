import { Refusal } from '../../errors.ts'
import { parseJson } from '../../json.ts'
import type { Env } from '../../platform/access/env.ts'
import { many2one, selection, text } from '../../platform/model/fields.ts'
import { defineModel } from '../../platform/model/model.ts'
import { getField } from '../../platform/model/models.ts'

const DESTINATION = 'res.partner'
const VALUES_CHARS_MAX = 10_000

/** What becomes of messages to a number that belong to no conversation yet. */
export const messageConfigurationModel = defineModel({
  name: 'connect.telco.message_configuration',
  label: 'Message rule',
  order: 'id',
  display: { columns: ['destination'], show: (row) => `New messages to ${row.destination}` },
  fields: {
    number: many2one('Number', 'connect.telco.number', { required: true, onDelete: 'cascade', isIndexed: false }),
    destination: selection('Creates', { [DESTINATION]: 'Contact' }, { required: true, default: DESTINATION }),
    default_values: text('Values of the new entry', {
      default: '{}',
      maxLength: VALUES_CHARS_MAX,
      help: 'Values for the new contact, such as {"comment": "Wrote to the support number"}.',
    }),
  },
  indexes: [{ columns: ['number'], isUnique: true, refusal: 'message-configuration-twice' }],
  checks: [
    {
      fields: ['default_values'],
      says: `A JSON object of fields of ${DESTINATION}.`,
      require({ env, values: { default_values: written } }) {
        if (typeof written === 'string') requireFieldsOf(env, DESTINATION, parseValues(written))
      },
    },
  ],
  prepare(_env, given) {
    const values = { ...given }
    if ('default_values' in values) values.default_values = values.default_values || '{}'
    return values
  },
})

/** The values in a strict JSON object; throws a refusal when the text is anything else. */
export function parseValues(written: string): Record<string, unknown> {
  const parsed = parseJson(written)
  if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) return parsed as Record<string, unknown>
  throw new Refusal('refused', 'connect-telco-message-configuration-default-values')
}

/** A wrong name is told now, and not when somebody's message arrives. */
function requireFieldsOf(env: Env, modelName: string, values: Record<string, unknown>): void {
  const model = env.platform.models.get(modelName)
  for (const name of Object.keys(values)) getField(model, name)
}

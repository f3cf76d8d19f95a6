import { Refusal } from '../../errors.ts'
import { many2one, text } from '../../platform/model/fields.ts'
import { defineModel } from '../../platform/model/model.ts'
import { followTransfers } from '../workspace/changes.ts'

/** When an agent hands a conversation over to another agent. */
export const transferModel = defineModel({
  name: 'connect.voiceai_agent_transfer',
  label: 'Agent transfer',
  order: 'id',
  display: { columns: ['condition'], show: (row) => String(row.condition || `Transfer ${row.id}`) },
  fields: {
    agent: many2one('Agent', 'connect.voiceai_agent', { required: true, onDelete: 'cascade' }),
    transfer_to_agent: many2one('Transfer to', 'connect.voiceai_agent', { required: true, onDelete: 'cascade' }),
    condition: text('Condition', { help: 'When to transfer, in words that the agent reads.' }),
  },
  prepare(_env, values, current) {
    const after = { ...current, ...values }
    if (typeof after.agent === 'number' && after.agent === after.transfer_to_agent) {
      throw new Refusal('refused', '"connect.voiceai_agent_transfer.transfer_to_agent" must be another agent.')
    }
    return values
  },
  saved: (env, { id }) => followTransfers(env, [id]),
  removing: followTransfers,
})

import { Refusal } from '../../errors.ts'
import { many2one, text } from '../../platform/model/fields.ts'
import { defineModel } from '../../platform/model/model.ts'

/** When an agent hands a conversation over to another agent. */
export const transferModel = defineModel({
  name: 'connect.voiceai_agent_transfer',
  label: 'Agent transfer',
  order: 'id',
  display: { columns: ['condition'], show: (row) => String(row.condition || `Transfer ${row.id}`) },
  fields: {
    agent: many2one('Agent', 'connect.voiceai_agent', { required: true, onDelete: 'cascade' }),
    transfer_to_agent: many2one('Transfer to', 'connect.voiceai_agent', {
      required: true,
      onDelete: 'cascade',
      offers: [['id', '!=', { of: 'agent' }]],
    }),
    condition: text('Condition', { help: 'Tells the agent when to transfer.' }),
  },
  checks: [
    {
      fields: ['transfer_to_agent', 'agent'],
      says: 'The agent that is transferred to must be another one.',
      require({ after: { agent, transfer_to_agent: other } }) {
        if (typeof agent !== 'number' || agent !== other) return
        throw new Refusal('refused', 'connect-voiceai-agent-transfer-transfer-agent')
      },
    },
  ],
})

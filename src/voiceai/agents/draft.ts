import { json, many2one } from '../../platform/model/fields.ts'
import { defineModel } from '../../platform/model/model.ts'

/** Changes of an agent that are not published: the platform hears nothing of them, and no call does. */
export const draftModel = defineModel({
  name: 'connect.voiceai_agent_draft',
  label: 'Agent draft',
  order: 'id',
  isReadonly: true,
  display: { columns: ['id'], show: (row) => `Draft ${row.id}` },
  fields: {
    agent: many2one('Agent', 'connect.voiceai_agent', { required: true, onDelete: 'cascade', isIndexed: false }),
    vals: json('Changes', { required: true, help: 'The fields that would change, with their new values.' }),
    base: json('Values before', { required: true, help: 'What the agent had in those fields.' }),
  },
  // Two people share one draft: what one of them has changed is never lost to the other.
  indexes: [{ columns: ['agent'], isUnique: true, refusal: 'agent-draft-twice' }],
})

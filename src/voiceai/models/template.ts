import { char, text } from '../../platform/fields.ts'
import { defineModel } from '../../platform/model.ts'

/** A prompt that new voice agents can start from. */
export const templateModel = defineModel({
  name: 'connect.voiceai_agent_template',
  label: 'Agent template',
  order: 'name',
  fields: {
    name: char('Name', { required: true, isIndexed: true }),
    system_prompt: text('System prompt', { required: true }),
  },
})

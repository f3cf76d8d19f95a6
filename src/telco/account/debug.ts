import { char, text } from '../../platform/model/fields.ts'
import { defineModel } from '../../platform/model/model.ts'

/** A trace of what the service did, written in debug mode and kept for a day. */
export const debugModel = defineModel({
  name: 'connect.debug',
  label: 'Debug line',
  isAboutPeople: true,
  order: 'id desc',
  display: { columns: ['model'], show: (row) => String(row.model ?? '') },
  fields: {
    model: char('Model'),
    message: text('Message'),
  },
  indexes: [{ columns: ['create_date'] }],
  retention: { since: 'create_date', age: () => '1 day' },
})

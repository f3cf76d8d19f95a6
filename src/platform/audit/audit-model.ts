import { char, datetime, integer, json, many2one, selection } from '../model/fields.ts'
import { defineModel } from '../model/model.ts'

/** Who changed what. Written by the service where somebody changes a record or has something done; nobody edits it. */
export const auditModel = defineModel({
  name: 'connect.audit',
  label: 'Audit',
  isReadonly: true,
  order: 'id desc',
  display: {
    columns: ['what', 'model', 'res_id'],
    show: (row) => `${row.what} ${row.model} ${row.res_id ?? ''}`.trim(),
  },
  fields: {
    at: datetime('At', { required: true, isIndexed: true, isPrecise: true }),
    user: many2one('Who', 'res.users'),
    key: char('API key', { help: 'The name of the key that was used.' }),
    via: selection('By', { page: 'Page', key: 'API key' }, { required: true }),
    model: char('Model', { required: true, widget: 'program_name' }),
    res_id: integer('Record', { isRecordId: true }),
    what: char('What', { required: true, widget: 'program_name', help: 'The action that was taken.' }),
    changes: json('Changes', {
      help: "Values before and after. Secrets, long texts and callers' words only show as changed.",
    }),
  },
  indexes: [{ columns: ['model', 'res_id', 'id'] }],
  retention: { since: 'at', age: () => '1 year' },
})

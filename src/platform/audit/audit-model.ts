import { char, datetime, integer, json, many2one, selection } from '../model/fields.ts'
import { defineModel } from '../model/model.ts'

/** Who changed what. Written by the service where somebody changes a record or has something done; nobody edits it. */
export const auditModel = defineModel({
  name: 'connect.audit',
  label: 'Audit',
  order: 'id desc',
  display: {
    columns: ['what', 'model', 'res_id'],
    show: (row) => `${row.what} ${row.model} ${row.res_id ?? ''}`.trim(),
  },
  fields: {
    at: datetime('At', { readonly: true, required: true, isIndexed: true, isPrecise: true }),
    user: many2one('Who', 'res.users', { readonly: true }),
    key: char('API key', { readonly: true, help: 'The name of the key that was used.' }),
    via: selection('By', { page: 'Page', key: 'API key' }, { readonly: true, required: true }),
    model: char('Model', { readonly: true, required: true }),
    res_id: integer('Record', { readonly: true, isRecordId: true }),
    what: char('What', {
      readonly: true,
      required: true,
      help: 'create, write, unlink, or the method that was called',
    }),
    changes: json('Changes', {
      readonly: true,
      help: 'Each field with its value before and after; only "changed" for secrets, long texts and what callers said.',
    }),
  },
  indexes: [{ columns: ['model', 'res_id', 'id'] }],
  retention: { since: 'at', age: () => '1 year' },
})

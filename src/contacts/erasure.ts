import { datetime, integer, json, many2one, selection, text } from '../platform/model/fields.ts'
import { defineModel } from '../platform/model/model.ts'

/**
 * The receipt of an erased person: what was removed, when and by whom, and nothing of the person. Written by the service, read by
 * administrators.
 */
export const erasureModel = defineModel({
  name: 'connect.erasure',
  label: 'Erasure',
  isReadonly: true,
  order: 'id desc',
  display: { columns: ['id'], show: (row) => `Erasure ${row.id}` },
  fields: {
    contact: integer('Contact ID', { required: true, isRecordId: true }),
    state: selection(
      'State',
      { running: 'Running', done: 'Done', failed: 'Not finished' },
      { required: true, default: 'running' },
    ),
    by: many2one('Erased by', 'res.users', { isIndexed: false }),
    counts: json('Deleted or emptied', { help: 'How much was deleted or emptied, by type.' }),
    remains: json('Not yet scrubbed', {
      help: 'Parts of the database that were too large to rewrite while calls come in. Their files keep deleted data until no one calls or the space is used again.',
    }),
    ended_at: datetime('Ended'),
    error: text('Error'),
    // What is looked for until the work is done; then it is removed.
    pattern: text('Looked for', { groups: [] }),
    marks: json('Conversations looked for, and how far the search is', { groups: [] }),
  },
})

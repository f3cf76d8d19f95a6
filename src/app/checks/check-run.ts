import { datetime, json, selection } from '../../platform/model/fields.ts'
import { defineModel } from '../../platform/model/model.ts'

/** One look at the installation: what each check found, and how to set it right. Written by the service. */
export const checkRunModel = defineModel({
  name: 'connect.check_run',
  label: 'Checks',
  isReadonly: true,
  order: 'id desc',
  display: { columns: ['id', 'state'], show: (row) => `Checks ${row.id} (${row.state})` },
  fields: {
    state: selection('State', { running: 'Running', done: 'Done', failed: 'Failed' }, { required: true }),
    started_at: datetime('Started', { required: true, isIndexed: true }),
    ended_at: datetime('Ended'),
    findings: json('Findings', {
      help: 'What each check found, and how to fix it.',
    }),
  },
  retention: { since: 'started_at', age: () => '90 days' },
})

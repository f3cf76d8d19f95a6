import { date, integer, selection } from '../../platform/model/fields.ts'
import { defineModel } from '../../platform/model/model.ts'

/** How long it is kept who began how much. */
const KEPT = '90 days'

/** How many calls and messages were begun on a day: of everybody together (user 0), and of each person. Open to nobody. */
export const outgoingCountModel = defineModel({
  name: 'connect.outgoing_count',
  label: 'Outgoing calls and messages of a day',
  order: 'id desc',
  display: { columns: ['day', 'kind'], show: (row) => `${row.day} ${row.kind}` },
  fields: {
    day: date('Day', { required: true, isIndexed: true }),
    kind: selection('Kind', { call: 'Call', message: 'Message' }, { required: true }),
    user: integer('Person', { required: true, isRecordId: true }),
    count: integer('Count', { required: true }),
  },
  indexes: [{ columns: ['day', 'kind', 'user'], isUnique: true }],
  retention: { since: 'day', age: () => KEPT },
})

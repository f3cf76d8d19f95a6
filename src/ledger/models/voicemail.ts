import { char, datetime, integer } from '../../platform/fields.ts'
import { defineModel } from '../../platform/model.ts'

/**
 * A voicemail as the provider reported it. Its call shows it; this row keeps it until the call is known, and remembers
 * our own copy of the audio. Open to nobody over the API.
 */
export const voicemailModel = defineModel({
  name: 'connect.voicemail',
  label: 'Voicemail',
  order: 'id desc',
  display: { columns: ['id'], show: (row) => `Voicemail ${row.id}` },
  fields: {
    sid: char('Recording SID', { required: true, isUnique: true }),
    call_sid: char('Call SID', { required: true, isIndexed: true }),
    url: char('Audio address', { required: true, maxLength: 2_000 }),
    duration: integer('Duration (seconds)', { required: true, default: 0 }),
    start_time: datetime('Start'),
    media_ref: char('Stored audio'),
    media_type: char('Audio type'),
  },
  indexes: [{ columns: ['media_ref'], where: 'media_ref is not null' }],
})

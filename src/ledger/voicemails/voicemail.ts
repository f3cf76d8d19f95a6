import { GROUP } from '../../platform/access/identity.ts'
import { char, computed, datetime, integer, many2one } from '../../platform/model/fields.ts'
import { defineModel } from '../../platform/model/model.ts'
import { readersOfCalls } from '../calls/call-readers.ts'
import { SHOWN_DURATION } from '../calls/call-words.ts'
import { recordedVoicemailPlayer } from '../recordings/players.ts'

/**
 * A voicemail as the provider reported it. Its call shows the newest; each is read here, by everybody who may read its call. The
 * row is there before the call is known, and remembers our own copy of the audio. Written by the service only.
 */
export const voicemailModel = defineModel({
  name: 'connect.voicemail',
  label: 'Voicemail',
  comesWithDeliveries: true,
  isAboutPeople: true,
  order: 'id desc',
  display: { columns: ['id'], show: (row) => `Voicemail ${row.id}` },
  fields: {
    sid: char('Recording SID', { required: true, isUnique: true, readonly: true }),
    call_sid: char('Call SID', { required: true, isIndexed: true, readonly: true }),
    call: many2one('Call', 'connect.call', { readonly: true }),
    url: char('Audio address', {
      required: true,
      maxLength: 2_000,
      readonly: true,
      groups: [GROUP.connectAdmin],
      widget: 'none',
    }),
    duration: integer('Duration (seconds)', { required: true, default: 0, readonly: true }),
    duration_human: SHOWN_DURATION.duration_human,
    start_time: datetime('Start', { readonly: true }),
    recording_widget: computed('Player', 'html', {
      depends: ['url', 'media_ref'],
      compute: (env, rows) => rows.map((row) => recordedVoicemailPlayer(env, row)),
    }),
    media_ref: char('Stored audio', { readonly: true, groups: [] }),
    media_type: char('Audio type', { readonly: true }),
  },
  indexes: [
    { columns: ['media_ref'], where: 'media_ref is not null' },
    { columns: ['create_date'], where: "media_ref is not null or url <> ''" },
  ],
  rules: readersOfCalls('call.'),
})

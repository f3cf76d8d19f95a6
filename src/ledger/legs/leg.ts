import { CONTACTS_OFFERED } from '../../contacts/contacts-offered.ts'
import { GROUP } from '../../platform/access/identity.ts'
import { CONNECT_COLLEAGUES } from '../../platform/identity/colleagues-offered.ts'
import { boolean, char, datetime, integer, many2one, selection, text } from '../../platform/model/fields.ts'
import { defineModel } from '../../platform/model/model.ts'
import { sharedCalls } from '../calls/call-readers.ts'
import { SHOWN_DURATION } from '../calls/call-words.ts'
import { CALL_STATUSES } from './call-status.ts'

/** A leg: one party's connection within a call. */
export const channelModel = defineModel({
  name: 'connect.channel',
  label: 'Connection',
  comesWithDeliveries: true,
  isAboutPeople: true,
  order: 'id desc',
  display: { columns: ['sid'], show: (row) => String(row.sid ?? '') },
  fields: {
    sid: char('Call SID', { required: true, isUnique: true }),
    parent_sid: char('Parent call SID', { isIndexed: 'where present' }),
    parent_channel: many2one('Parent connection', 'connect.channel', {
      onDelete: 'cascade',
      isIndexed: 'where present',
    }),
    call: many2one('Call', 'connect.call', { onDelete: 'cascade' }),
    caller: char('Caller'),
    called: char('Called'),
    to: char('To'),
    caller_number: char('Caller number', { isIndexed: true }),
    called_number: char('Called number', { isIndexed: true }),
    technical_direction: selection('Direction', ['inbound', 'outbound-api', 'outbound-dial']),
    status: selection('Status', CALL_STATUSES),
    duration: integer('Duration (seconds)', { default: 0 }),
    ...SHOWN_DURATION,
    duration_billing: integer('Billed minutes'),
    call_type: selection('Type', ['phone', 'whatsapp'], { default: 'phone' }),
    partner: many2one('Contact', 'res.partner', { isIndexed: false, offers: CONTACTS_OFFERED }),
    caller_pbx_user: many2one('Calling phone user', 'connect.user', { isIndexed: false }),
    called_pbx_user: many2one('Called phone user', 'connect.user', { isIndexed: false }),
    caller_user: many2one('Calling user', 'res.users', { isIndexed: 'where present', offers: CONNECT_COLLEAGUES }),
    called_user: many2one('Called user', 'res.users', { isIndexed: 'where present', offers: CONNECT_COLLEAGUES }),
    recording_state: selection('Recording', ['off', 'on', 'starting', 'stopping', 'error'], { default: 'off' }),
    recording_control_ref: char('Recording reference'),
    recording_control_error: text('Recording error'),
    started_at: datetime('Started'),
    answered_at: datetime('Answered'),
    ended_at: datetime('Ended'),
    error_code: char('Error code', { widget: 'provider_error' }),
    error_message: text('Error'),
    caller_name: char('Caller name', { readonly: true, help: 'The name the network shows for the caller.' }),
    stir_verstat: char('Caller verification', {
      readonly: true,
      help: 'Does the network vouch for the number (STIR/SHAKEN)?',
    }),
    forwarded_from: char('Forwarded from', { readonly: true }),
    conference_sid: char('Conference SID', { readonly: true, isIndexed: 'where present' }),
    is_duration_reported: boolean('Duration was reported', { readonly: true, groups: [] }),
    unbridged_dials: text('Dialled legs that nobody talked on', { readonly: true, groups: [] }),
    bridged_dials: text('Dialled legs that two people talked on', { readonly: true, groups: [] }),
  },
  indexes: [{ columns: ['create_date'], where: "status in ('queued', 'initiated', 'ringing', 'in-progress')" }],
  // Legs are what the phone provider reported. Administrators may add one that it did not report, and change none.
  byHand: {
    always: ['partner'],
    creating: [
      ...['sid', 'parent_sid', 'parent_channel', 'call', 'call_type', 'technical_direction', 'status', 'duration'],
      ...['caller', 'called', 'to', 'caller_number', 'called_number'],
      ...['caller_user', 'called_user', 'caller_pbx_user', 'called_pbx_user'],
    ],
  },
  rules: [
    {
      group: GROUP.connectUser,
      domain: ({ userId }) => ['|', ['caller_user', '=', userId], ['called_user', '=', userId]],
    },
    ...sharedCalls('call.'),
  ],
})

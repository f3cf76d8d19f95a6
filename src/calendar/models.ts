import { sql } from '../database/drizzle.ts'
import { Refusal } from '../errors.ts'
import type { Env } from '../platform/access/env.ts'
import { GROUP } from '../platform/access/identity.ts'
import {
  boolean,
  char,
  datetime,
  float,
  many2many,
  many2one,
  one2many,
  selection,
  text,
} from '../platform/model/fields.ts'
import { defineModel, type Row } from '../platform/model/model.ts'
import { parseZone } from '../time.ts'

const ATTENDEES = { table: 'calendar_event_res_partner_rel', here: 'event_id', there: 'partner_id' }
const HOURS_PER_DAY = 24
const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']

export const eventModel = defineModel({
  name: 'calendar.event',
  label: 'Meeting',
  order: 'start desc, id desc',
  hasChatter: true,
  fields: {
    name: char('Subject', { required: true, maxLength: 1_000 }),
    start: datetime('Start', { required: true }),
    stop: datetime('Stop', { required: true }),
    allday: boolean('All day'),
    active: boolean('Active', { default: true }),
    user_id: many2one('Organiser', 'res.users', {
      isIndexed: false,
      default: (env) => (env.identity.userId > 0 ? env.identity.userId : null),
    }),
    partner_ids: many2many('Attendees', 'res.partner', ATTENDEES),
    made_in_call: many2one('Made in call', 'connect.call', { readonly: true, groups: [GROUP.connectUser] }),
    location: char('Location'),
    description: text('Description'),
    tz: char('Time zone', { readonly: true, help: 'The zone its caller spoke of; empty when none was named.' }),
  },
  indexes: [{ columns: ['user_id', 'stop'] }, { columns: ['start'] }],
  rules: [
    {
      group: GROUP.connectUser,
      domain: ({ userId, partnerId }) => ['|', ['user_id', '=', userId], ['partner_ids', 'in', [partnerId ?? 0]]],
    },
  ],
  prepare(_env, values, current) {
    const start = values.start ?? current?.start
    const stop = values.stop ?? current?.stop
    if (typeof start === 'string' && typeof stop === 'string' && stop.slice(0, 19) < start.slice(0, 19)) {
      throw new Refusal('refused', '"calendar.event.stop" must not be before its start.')
    }
    return values
  },
  async saved(env, { id, values }) {
    if (typeof values.user_id === 'number') await addOrganiser(env, id, values.user_id)
  },
})

/** The organiser's contact always attends. */
async function addOrganiser(env: Env, eventId: number, userId: number): Promise<void> {
  await env.db.query(
    sql`insert into calendar_event_res_partner_rel (event_id, partner_id)
        select ${eventId}::bigint, partner_id from res_users where id = ${userId}::bigint and partner_id is not null
        on conflict do nothing`,
  )
}

/** Working hours: which hours of which weekdays somebody takes meetings, in their own zone. */
export const workingHoursModel = defineModel({
  name: 'resource.calendar',
  label: 'Working hours',
  order: 'id',
  fields: {
    name: char('Name', { required: true }),
    user_id: many2one('User', 'res.users', { onDelete: 'cascade', isIndexed: false }),
    tz: char('Time zone', { maxLength: 64, help: 'Empty: the zone of the user.' }),
    attendance_ids: one2many('Hours', 'resource.calendar.attendance', 'calendar_id'),
  },
  indexes: [{ columns: ['user_id'], isUnique: true, message: 'This user already has working hours.' }],
  prepare(_env, values) {
    if (typeof values.tz === 'string' && values.tz !== '' && parseZone(values.tz) === undefined) {
      throw new Refusal('refused', '"resource.calendar.tz" must be a time zone such as Europe/Zurich.')
    }
    return values
  },
})

export const attendanceModel = defineModel({
  name: 'resource.calendar.attendance',
  label: 'Working hours of a day',
  order: 'dayofweek, hour_from',
  display: { columns: ['dayofweek'], show: (row: Row) => WEEKDAYS[Number(row.dayofweek)] ?? '' },
  fields: {
    calendar_id: many2one('Working hours', 'resource.calendar', { required: true, onDelete: 'cascade' }),
    dayofweek: selection(
      'Day',
      WEEKDAYS.map((name, day) => [String(day), name] as const),
      { required: true, help: '0 is Monday.' },
    ),
    hour_from: float('From', { required: true, min: 0, max: HOURS_PER_DAY }),
    hour_to: float('To', { required: true, min: 0, max: HOURS_PER_DAY }),
  },
  prepare(_env, values, current) {
    const from = Number(values.hour_from ?? current?.hour_from)
    const to = Number(values.hour_to ?? current?.hour_to)
    if (to <= from) throw new Refusal('refused', '"resource.calendar.attendance.hour_to" must be after "hour_from".')
    return values
  },
})

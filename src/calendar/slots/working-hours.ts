import { COLLEAGUES } from '../../platform/identity/colleagues-offered.ts'
import { char, float, many2one, one2many, selection } from '../../platform/model/fields.ts'
import { defineModel, type Row } from '../../platform/model/model.ts'
import { orderCheck } from '../../platform/model/order-check.ts'
import { hoursText, overlapRule } from '../../platform/model/overlap-rule.ts'
import { zoneCheck } from '../../platform/model/zone-check.ts'

const HOURS_PER_DAY = 24
const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']

/** Working hours: which hours of which weekdays somebody takes meetings, in their own zone. */
export const workingHoursModel = defineModel({
  name: 'resource.calendar',
  label: 'Working hours',
  order: 'id',
  fields: {
    name: char('Name', { required: true }),
    user_id: many2one('User', 'res.users', { onDelete: 'cascade', isIndexed: false, offers: COLLEAGUES }),
    tz: char('Time zone', { maxLength: 64, help: "Leave empty for the user's own time zone." }),
    attendance_ids: one2many('Hours', 'resource.calendar.attendance', 'calendar_id', { hasParts: true }),
  },
  indexes: [{ columns: ['user_id'], isUnique: true, refusal: 'working-hours-twice' }],
  checks: [zoneCheck('resource.calendar', 'tz')],
})

export const attendanceModel = defineModel({
  name: 'resource.calendar.attendance',
  label: 'Working hours of a day',
  order: 'dayofweek, hour_from',
  display: {
    columns: ['dayofweek', 'hour_from', 'hour_to'],
    show: ({ dayofweek: day, hour_from: from, hour_to: to }: Row) =>
      `${WEEKDAYS[Number(day)] ?? ''} ${hoursText(Number(from), Number(to))}`,
  },
  fields: {
    calendar_id: many2one('Working hours', 'resource.calendar', { required: true, onDelete: 'cascade' }),
    dayofweek: selection(
      'Day',
      WEEKDAYS.map((name, day) => [String(day), name] as const),
      { required: true, help: '0 is Monday.', widget: 'weekday' },
    ),
    hour_from: float('From', { required: true, min: 0, max: HOURS_PER_DAY, widget: 'time_of_day' }),
    hour_to: float('To', { required: true, min: 0, max: HOURS_PER_DAY, widget: 'time_of_day' }),
  },
  checks: [orderCheck('resource.calendar.attendance', ['hour_from', 'hour_to'], (from, to) => from < to)],
  together: overlapRule('resource.calendar.attendance', 'calendar_id', WEEKDAYS),
})

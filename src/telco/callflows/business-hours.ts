import { boolean, char, date, float, many2one, one2many, selection } from '../../platform/model/fields.ts'
import { defineModel, type Row } from '../../platform/model/model.ts'
import { orderCheck } from '../../platform/model/order-check.ts'
import { hoursText, overlapRule } from '../../platform/model/overlap-rule.ts'
import { zoneCheck } from '../../platform/model/zone-check.ts'

const HOURS_PER_DAY = 24
const ZONE_CHARS_MAX = 64
const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']

/** When numbers are answered by their destination, and not by what they do outside of these hours. */
export const businessHoursModel = defineModel({
  name: 'connect.telco.business_hours',
  label: 'Business hours',
  order: 'name',
  fields: {
    name: char('Name', { required: true }),
    tz: char('Time zone', {
      required: true,
      maxLength: ZONE_CHARS_MAX,
      help: 'Time zone of the hours and holidays.',
    }),
    opening_ids: one2many('Opening hours', 'connect.telco.opening', 'business_hours', {
      hasParts: true,
      help: 'Leave empty to be open every day except holidays.',
    }),
    holiday_ids: one2many('Holidays', 'connect.telco.holiday', 'business_hours', { hasParts: true }),
  },
  checks: [zoneCheck('connect.telco.business_hours', 'tz')],
})

/** One stretch of a weekday that is open. One past midnight is two of them. */
export const openingModel = defineModel({
  name: 'connect.telco.opening',
  label: 'Opening hours',
  order: 'dayofweek, hour_from',
  display: {
    columns: ['dayofweek', 'hour_from', 'hour_to'],
    show: ({ dayofweek: day, hour_from: from, hour_to: to }: Row) =>
      `${WEEKDAYS[Number(day)] ?? ''} ${hoursText(Number(from), Number(to))}`,
  },
  fields: {
    business_hours: many2one('Business hours', 'connect.telco.business_hours', { required: true, onDelete: 'cascade' }),
    dayofweek: selection(
      'Day',
      WEEKDAYS.map((name, day) => [String(day), name] as const),
      { required: true, help: '0 is Monday.', widget: 'weekday' },
    ),
    hour_from: float('From', {
      required: true,
      min: 0,
      max: HOURS_PER_DAY,
      help: '8.5 is half past eight.',
      widget: 'time_of_day',
    }),
    hour_to: float('To', { required: true, min: 0, max: HOURS_PER_DAY, widget: 'time_of_day' }),
  },
  checks: [orderCheck('connect.telco.opening', ['hour_from', 'hour_to'], (from, to) => from < to)],
  together: overlapRule('connect.telco.opening', 'business_hours', WEEKDAYS),
})

/** Days on which nothing is open. */
export const holidayModel = defineModel({
  name: 'connect.telco.holiday',
  label: 'Holiday',
  order: 'date_from',
  fields: {
    business_hours: many2one('Business hours', 'connect.telco.business_hours', { required: true, onDelete: 'cascade' }),
    name: char('Name', { required: true }),
    date_from: date('First day', { required: true }),
    date_to: date('Last day', { help: 'Leave empty for a single day.' }),
    is_yearly: boolean('Every year', { help: 'Repeats every year.' }),
  },
  checks: [orderCheck('connect.telco.holiday', ['date_from', 'date_to'], (from, to) => from <= to)],
})

import { sql } from '../../database/drizzle.ts'
import { Refusal } from '../../errors.ts'
import type { Env } from '../../platform/access/env.ts'
import { GROUP } from '../../platform/access/identity.ts'
import { COLLEAGUES } from '../../platform/identity/colleagues-offered.ts'
import { boolean, char, datetime, many2many, many2one, text } from '../../platform/model/fields.ts'
import { defineModel } from '../../platform/model/model.ts'
import { parsePublishedTime } from '../../time.ts'

const ATTENDEES = { table: 'calendar_event_res_partner_rel', here: 'event_id', there: 'partner_id' }
const UTC_HELP = 'In UTC, written YYYY-MM-DD HH:MM:SS.'

export const eventModel = defineModel({
  name: 'calendar.event',
  label: 'Meeting',
  order: 'start desc, id desc',
  hasChatter: true,
  isAboutPeople: true,
  fields: {
    name: char('Subject', { required: true, maxLength: 1_000 }),
    start: datetime('Start', { required: true, help: UTC_HELP }),
    stop: datetime('End', { required: true, help: UTC_HELP }),
    allday: boolean('All day'),
    active: boolean('Active', { default: true }),
    user_id: many2one('Organiser', 'res.users', {
      isIndexed: false,
      offers: COLLEAGUES,
      help: 'The person whose time it takes.',
      default: (env) => (env.identity.userId > 0 ? env.identity.userId : null),
    }),
    partner_ids: many2many('Attendees', 'res.partner', ATTENDEES, { offers: [['active', '!=', false]] }),
    made_in_call: many2one('Created in call', 'connect.call', { readonly: true, groups: [GROUP.connectUser] }),
    location: char('Location'),
    description: text('Description'),
    tz: char('Time zone', { readonly: true, help: 'The time zone the caller named, if any.' }),
  },
  indexes: [{ columns: ['user_id', 'stop'] }, { columns: ['start'] }],
  rules: [
    {
      group: GROUP.connectUser,
      domain: ({ userId, partnerId }) => ['|', ['user_id', '=', userId], ['partner_ids', 'in', [partnerId ?? 0]]],
    },
  ],
  checks: [
    {
      fields: ['stop', 'start'],
      says: '"stop" must not be before "start".',
      require({ after: { start, stop } }) {
        if (typeof start !== 'string' || typeof stop !== 'string') return
        if (asWritten(stop) >= asWritten(start)) return
        throw new Refusal('refused', 'calendar-event-stop-must-not-before')
      },
    },
    {
      fields: ['stop', 'start'],
      says: '"stop" must be less than a year after "start".',
      require({ values, after: { start, stop } }) {
        if (!('start' in values) && !('stop' in values)) return
        const [from, to] = [start, stop].map((moment) => parsePublishedTime(String(moment)))
        if (from === undefined || to === undefined) return
        const last = new Date(from)
        last.setUTCFullYear(last.getUTCFullYear() + 1)
        if (to >= last) throw new Refusal('refused', 'calendar-event-stop-must-less-than')
      },
    },
  ],
  async saved(env, { id, values }) {
    if (typeof values.user_id === 'number') await addOrganiser(env, id, values.user_id)
  },
})

/** Date and time without what may stand behind them: `T` between them is the same as a blank. */
function asWritten(moment: string): string {
  return moment.slice(0, 19).replace('T', ' ')
}

/** The organiser's contact always attends. */
async function addOrganiser(env: Env, eventId: number, userId: number): Promise<void> {
  await env.db.query(
    sql`insert into calendar_event_res_partner_rel (event_id, partner_id)
        select ${eventId}::bigint, partner_id from res_users where id = ${userId}::bigint and partner_id is not null
        on conflict do nothing`,
  )
}

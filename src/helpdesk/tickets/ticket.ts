import { findContactById } from '../../contacts/find-by-number.ts'
import { isReadableNumber, requireNumber } from '../../contacts/number-check.ts'
import { sql } from '../../database/drizzle.ts'
import { bareEmail } from '../../email-address.ts'
import { countCallsOfTickets } from '../../ledger/calls/call-ticket.ts'
import { readId } from '../../lenient-values.ts'
import { cleanName, ONE_LINE } from '../../names.ts'
import { toContactKey } from '../../phone.ts'
import type { Env } from '../../platform/access/env.ts'
import { GROUP, isWebhook } from '../../platform/access/identity.ts'
import { HELPDESK_COLLEAGUES } from '../../platform/identity/colleagues-offered.ts'
import {
  boolean,
  char,
  computed,
  datetime,
  float,
  integer,
  many2many,
  many2one,
  one2many,
  selection,
  text,
} from '../../platform/model/fields.ts'
import { type Check, defineModel, type Row, type Values } from '../../platform/model/model.ts'
import { notifyPeople } from '../../platform/notices/notice.ts'
import { records } from '../../platform/records/records.ts'
import { publishedTime } from '../../time.ts'
import { isUnseen } from '../../unseen.ts'
import { board } from './board.ts'
import { BOARD_RANK } from './board-rank.ts'
import { findTickets } from './find-tickets.ts'
import { move } from './move-ticket.ts'
import { STAGE_CHECK, withStageOfTeam } from './stage-of-team.ts'

export const PRIORITIES = [
  ['0', 'Low'],
  ['1', 'Medium'],
  ['2', 'High'],
  ['3', 'Urgent'],
] as const

const STAGE_TEAMS = { table: 'helpdesk_stage_team_rel', here: 'stage_id', there: 'team_id' }

/** What somebody writes is a number; what a tool, or the ticket's contact, brings is stored as it came. */
const PHONE_CHECK: Check = {
  fields: ['partner_phone'],
  says: 'Must be a phone number, an extension or a short code.',
  async require({ env, values: { partner_phone: written }, current, after }) {
    if (typeof written !== 'string' || isUnseen(written) || written === current?.partner_phone) return
    if (env.identity.isElevated || isWebhook(env.identity) || isReadableNumber(written, env.settings.country)) return
    const contact = typeof after.partner_id === 'number' ? await findContactById(env.db, after.partner_id) : undefined
    if (written === contact?.phone || written === contact?.mobile) return
    requireNumber(written, 'helpdesk.ticket.partner_phone', env.settings.country)
  },
}

export const ticketModel = defineModel({
  name: 'helpdesk.ticket',
  label: 'Ticket',
  comesWithDeliveries: true,
  order: 'id desc',
  hasChatter: true,
  isAboutPeople: true,
  fields: {
    name: char('Subject', { required: true, maxLength: 1_000, tracked: true }),
    description: text('Description', { tracked: true }),
    active: boolean('Active', { default: true }),
    team_id: many2one('Team', 'helpdesk.team', { tracked: true }),
    stage_id: many2one('Stage', 'helpdesk.stage', {
      onDelete: 'restrict',
      tracked: true,
      offers: ['|', ['team_ids', '=', false], ['team_ids', '=', { of: 'team_id' }]],
    }),
    user_id: many2one('Assigned to', 'res.users', { tracked: true, offers: HELPDESK_COLLEAGUES }),
    partner_id: many2one('Contact', 'res.partner', {
      isIndexed: false,
      tracked: true,
      offers: [['active', '!=', false]],
    }),
    partner_name: char('Contact name', { pattern: ONE_LINE }),
    partner_email: char('Contact e-mail'),
    partner_phone: char('Contact phone'),
    phone_normalized: char('Phone (E.164)', { readonly: true, isIndexed: 'where present' }),
    priority: selection('Priority', PRIORITIES, { default: '0', tracked: true }),
    closed_at: datetime('Closed on', { readonly: true, help: 'When it reached a closed stage.' }),
    position: float('Position', { readonly: true, help: 'Where someone moved it within its stage.' }),
    board_rank: float('Board position', {
      readonly: true,
      generatedAs: BOARD_RANK,
      help: 'The lowest is on top. New tickets start there.',
    }),
    made_in_call: many2one('Created in call', 'connect.call', {
      readonly: true,
      isIndexed: 'where present',
      groups: [GROUP.connectUser],
    }),
    connect_calls: one2many('Calls', 'connect.call', 'ticket'),
    connect_calls_count: computed('Number of calls', 'integer', { depends: [], compute: countCalls }),
  },
  indexes: [{ columns: ['partner_id', 'id'] }, { columns: ['stage_id', 'board_rank'] }],
  methods: { board, move, find: findTickets },
  checks: [STAGE_CHECK, PHONE_CHECK],
  async prepare(env, given, current) {
    const values = { ...given }
    if (current === undefined) await withTeamAndStage(env, values)
    else await withStageOfTeam(env, values, current)
    await withContact(env, values, current)
    if (typeof values.partner_email === 'string') values.partner_email = bareEmail(values.partner_email)
    await withClosing(env, values, current)
    if ('partner_phone' in values) {
      const phone = values.partner_phone
      values.phone_normalized = typeof phone === 'string' ? (toContactKey(phone, env.settings.country) ?? null) : null
    }
    return values
  },
  async saved(env, { id, isNew, values: { user_id: user }, previous }) {
    if (typeof user === 'number' && user !== previous?.user_id) {
      notifyPeople(env, { kind: 'assigned', ref: { model: 'helpdesk.ticket', id }, users: [user] })
    }
    const callId = isNew ? readId(env.context.connect_call_id) : undefined
    if (callId?.kind === 'present') await records(env, 'connect.call').write([callId.value], { ticket: id })
  },
})

export const teamModel = defineModel({
  name: 'helpdesk.team',
  label: 'Helpdesk team',
  order: 'id',
  fields: {
    name: char('Name', { required: true, pattern: ONE_LINE }),
    member_ids: many2many(
      'Members',
      'res.users',
      { table: 'helpdesk_team_member_rel', here: 'team_id', there: 'user_id' },
      { offers: HELPDESK_COLLEAGUES },
    ),
    stage_ids: many2many('Stages', 'helpdesk.stage', {
      table: STAGE_TEAMS.table,
      here: STAGE_TEAMS.there,
      there: STAGE_TEAMS.here,
    }),
  },
})

export const stageModel = defineModel({
  name: 'helpdesk.stage',
  label: 'Helpdesk stage',
  order: 'sequence, id desc',
  fields: {
    name: char('Name', { required: true, pattern: ONE_LINE }),
    sequence: integer('Sequence', { default: 10 }),
    fold: boolean('Closed'),
    team_ids: many2many('Teams', 'helpdesk.team', STAGE_TEAMS),
  },
})

/** A new ticket without team or stage goes to the first team, in that team's first stage. */
async function withTeamAndStage(env: Env, values: Values): Promise<void> {
  if (typeof values.team_id !== 'number') {
    const teams = await env.db.query<{ id: number }>(sql`select id from helpdesk_team order by id limit 1`)
    values.team_id = teams[0]?.id ?? null
  }
  if (typeof values.stage_id !== 'number') {
    const stages = await env.db.query<{ id: number }>(
      sql`select s.id from helpdesk_stage s
          left join helpdesk_stage_team_rel r on r.stage_id = s.id and r.team_id = ${values.team_id ?? null}::bigint
          order by (r.team_id is null), s.sequence, s.id limit 1`,
    )
    values.stage_id = stages[0]?.id ?? null
  }
}

/** A ticket that gets a contact takes its name, address and phone over, unless something else is said of them. */
async function withContact(env: Env, values: Values, current: Row | undefined): Promise<void> {
  const { partner_id: partnerId } = values
  if (typeof partnerId !== 'number' || partnerId === current?.partner_id) return
  const contact = await findContactById(env.db, partnerId)
  if (contact === undefined) return
  values.partner_name ??= cleanName(contact.name)
  values.partner_email ??= contact.email
  // The mobile number where there is no other, as for the tickets of calls (contactToCopy).
  values.partner_phone ??= contact.phone?.trim() ? contact.phone : contact.mobile
}

/** A ticket that comes into a closed stage is closed now, and one that leaves it is open again. */
async function withClosing(env: Env, values: Values, current: Row | undefined): Promise<void> {
  const { stage_id: stage } = values
  if (!('stage_id' in values) || stage === current?.stage_id) return
  const [found] = await env.db.query<{ fold: boolean | null }>(
    sql`select fold from helpdesk_stage where id = ${typeof stage === 'number' ? stage : null}::bigint`,
  )
  // Where it was put by hand was a place among others.
  values.position = null
  values.closed_at = found?.fold === true ? ((current?.closed_at as string | null) ?? publishedTime(env.now)) : null
}

async function countCalls(env: Env, rows: readonly { id: number }[]): Promise<number[]> {
  const counts = await countCallsOfTickets(
    env.db,
    rows.map(({ id }) => id),
  )
  return rows.map(({ id }) => counts.get(id) ?? 0)
}

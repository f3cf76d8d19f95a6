import type { Queryable } from '../../database/database.ts'
import { sql } from '../../database/drizzle.ts'
import { listed } from '../../database/listed.ts'
import { param, statement } from '../../database/statement.ts'
import type { RowOf } from '../../platform/model/model.ts'
import { notifyChangedSql } from '../../platform/records/notify-changed.ts'
import type { stageModel, ticketModel } from './ticket.ts'

type Ticket = RowOf<typeof ticketModel>
/** New values; null leaves a value as it is. */
type Changes = { [Name in 'name' | 'description' | 'priority' | 'stage_id']: Ticket[Name] | null }

type LockedTicket = Pick<Ticket, 'id' | 'team_id' | 'partner_id' | 'made_in_call'>

/** A stage, and whether it is one of the team that was asked for. */
type Stage = RowOf<typeof stageModel, 'id' | 'name'> & { is_own: boolean }

const LOCK = statement<LockedTicket, { ids: readonly number[] }>(
  'helpdesk_tickets_lock',
  sql`select id, team_id, partner_id, made_in_call from helpdesk_ticket where id in ${listed('ids', 'bigint')}
      order by id for update`,
)
const STAGES = statement<Stage, { team_id: number | null }>(
  'helpdesk_stage_list',
  sql`select s.id, s.name, (r.team_id is not null) as is_own from helpdesk_stage s
      left join helpdesk_stage_team_rel r on r.stage_id = s.id and r.team_id = ${param('team_id')}::bigint
      order by (r.team_id is null), s.sequence, s.id`,
)
const UPDATE = statement<{ id: number }, Changes & { ticket_id: number }>(
  'helpdesk_ticket_update',
  sql`with changed as (
        update helpdesk_ticket set name = coalesce(${param('name')}::text, name),
          description = coalesce(${param('description')}::text, description),
          priority = coalesce(${param('priority')}::text, priority),
          stage_id = coalesce(${param('stage_id')}::bigint, stage_id),
          position = case when ${param('stage_id')}::bigint <> stage_id then null else position end,
          closed_at = case when ${param('stage_id')}::bigint is null then closed_at
            when (select fold from helpdesk_stage where id = ${param('stage_id')}::bigint) then coalesce(closed_at, now() at time zone 'utc')
            end, write_date = now() at time zone 'utc'
        where id = ${param('ticket_id')} returning id
      )
      select changed.id from changed,
        lateral (select ${notifyChangedSql('helpdesk.ticket', sql`changed.id`)}) notified`,
)

/** The tickets by their ids, locked in that order until the transaction ends. */
export async function lockTickets(db: Queryable, ids: readonly number[]): Promise<Map<number, LockedTicket>> {
  const tickets = await db.run(LOCK, { ids: [...new Set(ids)] })
  return new Map(tickets.map((ticket) => [ticket.id, ticket]))
}

export async function updateTicket(db: Queryable, id: number, changes: Changes): Promise<void> {
  await db.run(UPDATE, { ...changes, ticket_id: id })
}

/** Every stage, those of the team first. */
export function listStages(db: Queryable, teamId: number | null): Promise<Stage[]> {
  return db.run(STAGES, { team_id: teamId })
}

/** The stage meant by a name, ignoring case: exact before beginning before containing, the team's own first. */
export function chooseStage<Each extends Pick<Stage, 'name' | 'is_own'>>(
  stages: readonly Each[],
  wanted: string,
): Each | undefined {
  const text = wanted.toLowerCase()
  const ways: ((name: string) => boolean)[] = [
    (name) => name === text,
    (name) => name.startsWith(text),
    (name) => name.includes(text),
  ]
  for (const isOwn of [true, false]) {
    for (const isMeant of ways) {
      const found = stages.find((stage) => stage.is_own === isOwn && isMeant(stage.name.toLowerCase()))
      if (found !== undefined) return found
    }
  }
  return undefined
}

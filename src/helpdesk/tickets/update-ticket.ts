import type { Queryable } from '../../database/database.ts'
import { sql } from '../../database/drizzle.ts'
import { listed } from '../../database/listed.ts'
import { param, statement } from '../../database/statement.ts'
import { foldText } from '../../folded-text.ts'
import type { Env } from '../../platform/access/env.ts'
import type { RowOf } from '../../platform/model/model.ts'
import { records } from '../../platform/records/records.ts'
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
/** The tickets by their ids, locked in that order until the transaction ends. */
export async function lockTickets(db: Queryable, ids: readonly number[]): Promise<Map<number, LockedTicket>> {
  const tickets = await db.run(LOCK, { ids: [...new Set(ids)] })
  return new Map(tickets.map((ticket) => [ticket.id, ticket]))
}

/** Changes a ticket as everybody does, so that its history tells. */
export async function updateTicket(env: Env, id: number, changes: Changes): Promise<void> {
  const values = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== null))
  await records(env, 'helpdesk.ticket').write([id], values)
}

/** Every stage, those of the team first. */
export function listStages(db: Queryable, teamId: number | null): Promise<Stage[]> {
  return db.run(STAGES, { team_id: teamId })
}

/** The stage meant by a name, ignoring case and accents: exact before beginning before containing, the team's own first. */
export function chooseStage<Each extends Pick<Stage, 'name' | 'is_own'>>(
  stages: readonly Each[],
  wanted: string,
): Each | undefined {
  const text = foldText(wanted)
  // Apostrophes and blanks alone name nothing.
  if (text.trim() === '') return undefined
  const ways: ((name: string) => boolean)[] = [
    (name) => name === text,
    (name) => name.startsWith(text),
    (name) => name.includes(text),
  ]
  for (const isOwn of [true, false]) {
    for (const isMeant of ways) {
      const found = stages.find((stage) => stage.is_own === isOwn && isMeant(foldText(stage.name)))
      if (found !== undefined) return found
    }
  }
  return undefined
}

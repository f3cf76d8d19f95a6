import type { Transaction } from '../../database/database.ts'
import { sql } from '../../database/drizzle.ts'
import { seedOnce } from '../../platform/records/seed-once.ts'

const STAGES: readonly [name: string, sequence: number, fold: boolean][] = [
  ['Inbox', 10, false],
  ['In Progress', 20, false],
  ['On Hold', 30, false],
  ['Resolved', 40, true],
  ['Closed', 50, true],
]

/** One team with its stages. */
export function seedHelpdesk(tx: Transaction): Promise<void> {
  return seedOnce(tx, 'helpdesk.team', () => seedTeam(tx))
}

async function seedTeam(tx: Transaction): Promise<void> {
  const teams = await tx.query<{ id: number }>(
    sql`insert into helpdesk_team (name) values ('Customer Care') returning id`,
  )
  for (const [name, sequence, fold] of STAGES) {
    await tx.query(
      sql`with stage as (
            insert into helpdesk_stage (name, sequence, fold) values (${name}, ${sequence}::int, ${fold}) returning id
          )
          insert into helpdesk_stage_team_rel (stage_id, team_id) select id, ${teams[0]?.id ?? null}::bigint from stage`,
    )
  }
}

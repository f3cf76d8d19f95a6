import { sql } from '../../database/drizzle.ts'
import { Refusal } from '../../errors.ts'
import type { Env } from '../../platform/access/env.ts'
import type { Check, Row, Values } from '../../platform/model/model.ts'

/**
 * A stage of other teams is none of a team that has stages of its own. Tools of voice agents name any stage and write
 * elevated (docs/reference/domain.md#stages-of-a-team).
 */
export const STAGE_CHECK: Check = {
  fields: ['stage_id', 'team_id'],
  says: 'A stage of the team, or one that belongs to no team.',
  async require({ env, values, after: { stage_id: stage, team_id: team }, current }) {
    const isWritten = ['stage_id', 'team_id'].some((name) => name in values && values[name] !== current?.[name])
    if (env.identity.isElevated || !isWritten || typeof stage !== 'number' || typeof team !== 'number') return
    const names = await strangeStage(env, stage, team)
    if (names === undefined) return
    throw new Refusal('refused', 'stage-of-other-teams', { stage: names.stage, team: names.team })
  },
}

/** A ticket that moves to another team comes into that team's first stage, unless its stage is one of that team too. */
export async function withStageOfTeam(env: Env, values: Values, current: Row): Promise<void> {
  const { team_id: team } = values
  if (typeof team !== 'number' || team === current.team_id || 'stage_id' in values) return
  if (typeof current.stage_id !== 'number' || (await strangeStage(env, current.stage_id, team)) === undefined) return
  const [first] = await env.db.query<{ id: number }>(
    sql`select s.id from helpdesk_stage s join helpdesk_stage_team_rel r on r.stage_id = s.id
        where r.team_id = ${team}::bigint order by s.sequence, s.id limit 1`,
  )
  if (first !== undefined) values.stage_id = first.id
}

/** The names of both when the stage belongs to other teams only, and the team has stages of its own. */
async function strangeStage({ db }: Env, stage: number, team: number) {
  const [found] = await db.query<{ stage: string; team: string }>(
    sql`select s.name as stage, t.name as team from helpdesk_stage s, helpdesk_team t
        where s.id = ${stage}::bigint and t.id = ${team}::bigint
          and exists (select 1 from helpdesk_stage_team_rel where stage_id = s.id)
          and exists (select 1 from helpdesk_stage_team_rel where team_id = t.id)
          and not exists (select 1 from helpdesk_stage_team_rel where stage_id = s.id and team_id = t.id)`,
  )
  return found
}

import { type Static, Type } from 'typebox'
import { sql } from '../../database/drizzle.ts'
import { Refusal } from '../../errors.ts'
import type { Env } from '../../platform/access/env.ts'
import { findLastChange } from '../../platform/chatter/tracked.ts'
import { method } from '../../platform/model/model.ts'
import { writerOf, writtenBy } from '../../platform/model/written-by.ts'
import { notifyChanged } from '../../platform/records/notify-changed.ts'
import { records } from '../../platform/records/records.ts'
import { storedMs } from '../../time.ts'

const MS_PER_SECOND = 1_000
/** Between two tickets there is always room for one more: below this the stage is numbered anew. */
const GAP_MIN = 1e-6

const Args = Type.Object({
  stage_id: Type.Integer(),
  after: Type.Optional(
    Type.Union([Type.Integer(), Type.Null()], {
      description: 'The ticket above it. Leave empty to put it on top.',
    }),
  ),
  from: Type.Optional(
    Type.Union([Type.Integer(), Type.Null()], {
      description: 'The stage it was last seen in. Nothing moves if it has changed.',
    }),
  ),
})
const StageName = Type.Object({ id: Type.Integer(), name: Type.String() })
const Reply = Type.Object({
  moved: Type.Boolean(),
  /** Where it stood before, or stands when nothing was moved. */
  stage: Type.Union([StageName, Type.Null()]),
  after: Type.Union([Type.Integer(), Type.Null()]),
  by: Type.Union([Type.String(), Type.Null()]),
  seconds_ago: Type.Union([Type.Integer(), Type.Null()]),
})

interface Standing {
  id: number
  stage_id: number | null
  stage: string | null
  board_rank: number
  write_date: string
}

/** Moves a ticket within its stage or to another one, unless somebody moved it elsewhere since it was seen. */
export const move = method({
  label: 'Move',
  operation: 'write',
  args: Args,
  reply: Reply,
  async run(env, ids, args) {
    const [id, ...others] = ids
    if (id === undefined || others.length > 0) throw new Refusal('refused', 'api-one-ticket-moved')
    return moveOne(env, id, args)
  },
})

async function moveOne(env: Env, id: number, { stage_id: stage, after = null, from }: Static<typeof Args>) {
  const [now] = await env.db.query<Standing>(
    sql`select t.id, t.stage_id, s.name as stage, t.board_rank, t.write_date from helpdesk_ticket t
        left join helpdesk_stage s on s.id = t.stage_id where t.id = ${id}::bigint for update of t`,
  )
  if (now === undefined) throw new Refusal('not-found', 'no-such-ticket')
  const there = now.stage_id === null ? null : { id: now.stage_id, name: now.stage ?? '' }
  if (from !== undefined && now.stage_id !== from && now.stage_id !== stage) {
    return { moved: false, stage: there, after: null, ...(await whoMoved(env, now)) }
  }
  const undo = await ticketAbove(env, now)
  if (now.stage_id !== stage) await records(env, 'helpdesk.ticket').write([id], { stage_id: stage })
  await putAfter(env, { id, stage, after })
  await notifyChanged(env, 'helpdesk.ticket', [id])
  return { moved: true, stage: there, after: undo, by: null, seconds_ago: null }
}

/** Who moved it last, as its history says: a person, or a voice agent; of others only the time is known. */
async function whoMoved(
  env: Env,
  { id, write_date: written }: Standing,
): Promise<{ by: string | null; seconds_ago: number }> {
  const last = await findLastChange(env, { model: 'helpdesk.ticket', id, field: 'stage_id' })
  const at = storedMs(last?.at ?? written)
  return {
    by: last?.by ?? null,
    seconds_ago: Math.max(0, Math.round((env.now.getTime() - at) / MS_PER_SECOND)),
  }
}

async function ticketAbove(env: Env, { stage_id: stage, board_rank: rank }: Standing): Promise<number | null> {
  const [above] = await env.db.query<{ id: number }>(
    sql`select id from helpdesk_ticket where stage_id = ${stage}::bigint and board_rank < ${rank}::float8
        order by board_rank desc limit 1`,
  )
  return above?.id ?? null
}

interface Place {
  id: number
  stage: number
  after: number | null
}

async function putAfter(env: Env, { id, stage, after }: Place): Promise<void> {
  const ranks = await ranksAround(env, { id, stage, after })
  if (ranks.below !== null && ranks.above !== null && ranks.below - ranks.above < GAP_MIN) {
    await env.db.query(sql`update helpdesk_ticket t set position = n.place from (
        select id, row_number() over (order by board_rank) as place from helpdesk_ticket where stage_id = ${stage}::bigint
      ) n where t.id = n.id`)
    return putAfter(env, { id, stage, after })
  }
  const position = between(ranks)
  await env.db.query(sql`update helpdesk_ticket set position = ${position}::float8, ${writtenBy(writerOf(env))}
    where id = ${id}::bigint`)
}

function between({ above, below }: { above: number | null; below: number | null }): number {
  if (above === null) return (below ?? 0) - 1
  return below === null ? above + 1 : (above + below) / 2
}

/** The ranks that a ticket comes to stand between; null where there is nothing. */
async function ranksAround(
  env: Env,
  { id, stage, after }: Place,
): Promise<{ above: number | null; below: number | null }> {
  const [found] = await env.db.query<{ above: number | null; below: number | null }>(sql`
    with above as (
      select board_rank as rank from helpdesk_ticket where id = ${after}::bigint and stage_id = ${stage}::bigint
    )
    select (select rank from above) as above, (
      select board_rank from helpdesk_ticket where stage_id = ${stage}::bigint and id <> ${id}::bigint and active
        and board_rank > coalesce((select rank from above), '-infinity'::float8) order by board_rank limit 1
    ) as below`)
  return found ?? { above: null, below: null }
}

import { type Static, Type } from 'typebox'
import { type SQL, sql } from '../../database/drizzle.ts'
import { Refusal } from '../../errors.ts'
import type { Env } from '../../platform/access/env.ts'
import { method } from '../../platform/model/model.ts'
import { visibleSql } from '../../platform/records/domain.ts'
import { parseZone } from '../../time.ts'
import { readTimeSpan } from '../../time-span.ts'
import { putThroughInVain } from './call-back.ts'

/** A year and a day: the same months of two years are compared by two questions. */
const SPAN_DAYS_MAX = 367
/** By the hour: a month, and the hour that a clock change may add. */
const HOURS_DAYS_MAX = 32

const COUNTED = ['agent', 'person', 'agent_person', 'missed', 'given_up', 'voicemail', 'busy', 'no_answer'] as const
const OUTCOMES = [...COUNTED, 'failed', 'in_progress'] as const

const Figures = {
  total: Type.Integer(),
  ...(Object.fromEntries(OUTCOMES.map((name) => [name, Type.Integer()])) as Record<
    (typeof OUTCOMES)[number],
    ReturnType<typeof Type.Integer>
  >),
  not_taken_over: Type.Integer({
    description: 'Calls among `agent` that were put through to people of whom no one took them.',
  }),
  failed_incoming: Type.Integer({ description: 'Calls among `failed` that came in: their callers reached no one.' }),
  failed_outgoing: Type.Integer({ description: 'Calls among `failed` that went out.' }),
  incoming: Type.Integer(),
  unanswered: Type.Integer({
    description: 'Incoming calls that were missed, given up or failed, and those of `not_taken_over`.',
  }),
  tickets: Type.Integer({ description: 'Calls with a ticket.' }),
  talk_seconds: Type.Integer(),
}
const Seconds = Type.Union([Type.Integer(), Type.Null()])
const Stats = Type.Object({
  ...Figures,
  wait_p50: Type.Union(Seconds.anyOf, {
    description: 'How long half of the callers waited at most: of calls from outside.',
  }),
  wait_p90: Seconds,
  parts: Type.Array(
    Type.Object({
      at: Type.String({ description: 'When the hour or day began, in UTC; those without calls are left out.' }),
      ...Figures,
    }),
  ),
})
const Args = Type.Object({
  from: Type.String({ description: 'Start, in UTC.' }),
  to: Type.String({ description: 'End (not included), in UTC.' }),
  tz: Type.Optional(Type.String({ description: 'Time zone of hours and days. Leave empty for UTC.' })),
  by: Type.Optional(Type.Union([Type.Literal('hour'), Type.Literal('day')])),
})
type Figure = keyof typeof Figures
type Row = Record<Figure, number> & { at: string | null; wait_p50: number | null; wait_p90: number | null }

/** `connect.call/stats {from, to, tz, by}`: what came of the calls that began in a time, of those one may read. */
export const callStats = method({
  label: 'Statistics',
  operation: 'read',
  args: Args,
  reply: Stats,
  run: stats,
})

async function stats(env: Env, _ids: number[], { from, to, tz = 'UTC', by }: Static<typeof Args>) {
  const zone = parseZone(tz)
  if (zone === undefined) throw new Refusal('refused', 'api-no-time-zone', { tz: JSON.stringify(tz) })
  const { begin, end } = readTimeSpan({ from, to }, by === 'hour' ? HOURS_DAYS_MAX : SPAN_DAYS_MAX)
  const scope = { models: env.platform.models, identity: env.identity }
  const visible = visibleSql(scope, env.platform.models.get('connect.call'), 'c') ?? sql`true`
  const isIn = (at: SQL) => sql`${at} >= ${begin.toISOString()}::timestamp and ${at} < ${end.toISOString()}::timestamp`
  // Each half has an index of its own.
  const span = sql`(${isIn(sql`c.started_at`)} or c.started_at is null and ${isIn(sql`c.create_date`)})`
  const query = statsSql(sql`${span} and (${visible})`, by, zone)
  const rows = await env.db.query<Row>(query)
  const whole = rows.find(({ at }) => at === null)
  return {
    ...figuresOf(whole),
    wait_p50: whole?.wait_p50 ?? null,
    wait_p90: whole?.wait_p90 ?? null,
    parts: rows.flatMap((row) => (row.at === null ? [] : [{ at: row.at, ...figuresOf(row) }])),
  }
}

/** One pass over the calls: a row for each part, and one without a moment for all of them. */
function statsSql(where: SQL, by: 'hour' | 'day' | undefined, zone: string): SQL {
  const outcomes = OUTCOMES.map(
    (name) => sql`count(*) filter (where c.outcome = ${sql.raw(`'${name}'`)})::int as ${sql.identifier(name)}`,
  )
  // An hour that comes twice when clocks are set back is two hours; days are as long as they are there.
  const at =
    by === undefined
      ? sql`null::text`
      : sql`to_char(date_trunc(${sql.raw(`'${by}'`)}, coalesce(c.started_at, c.create_date) at time zone 'utc', ${zone}::text) at time zone 'utc',
          'YYYY-MM-DD HH24:MI:SS')`
  return sql`with c as materialized (
      select ${at} as at, c.outcome, c.direction, c.ticket, c.duration, c.wait_seconds,
        ${putThroughInVain(sql`c`)} as not_taken_over from connect_call c where ${where})
    select c.at, count(*)::int as total, ${sql.join(outcomes, sql`, `)},
      count(*) filter (where c.not_taken_over)::int as not_taken_over,
      count(*) filter (where c.outcome = 'failed' and c.direction = 'incoming')::int as failed_incoming,
      count(*) filter (where c.outcome = 'failed' and c.direction = 'outgoing')::int as failed_outgoing,
      count(*) filter (where c.direction = 'incoming')::int as incoming,
      count(*) filter (where c.not_taken_over or c.direction = 'incoming' and c.outcome in ('missed', 'given_up', 'failed'))::int as unanswered,
      count(c.ticket)::int as tickets,
      coalesce(sum(c.duration) filter (where c.outcome in ('agent', 'person', 'agent_person')), 0)::float8 as talk_seconds,
      round(percentile_cont(0.5) within group (order by c.wait_seconds) filter (where c.direction = 'incoming'))::int as wait_p50,
      round(percentile_cont(0.9) within group (order by c.wait_seconds) filter (where c.direction = 'incoming'))::int as wait_p90
    from c group by grouping sets ((), (c.at)) having grouping(c.at) = 1 or c.at is not null order by c.at`
}

function figuresOf(row: Row | undefined): Record<Figure, number> {
  const names = Object.keys(Figures) as Figure[]
  return Object.fromEntries(names.map((name) => [name, row?.[name] ?? 0])) as Record<Figure, number>
}

import { Type } from 'typebox'
import { sql } from '../../database/drizzle.ts'
import type { Env } from '../../platform/access/env.ts'
import { GROUP } from '../../platform/access/identity.ts'
import { method } from '../../platform/model/model.ts'
import { readTimeSpan, type TimeSpan } from '../../time-span.ts'

/** By the minute: a day; by the hour: a month. */
const MINUTES_DAYS_MAX = 1
const HOURS_DAYS_MAX = 32
/** The newest are counted: rows carry headers, and on the embedded database everybody waits while one reads. */
const ROWS_MAX = 20_000

const Figures = {
  total: Type.Integer(),
  handled: Type.Integer(),
  refused: Type.Integer(),
  rejected: Type.Integer(),
  failed: Type.Integer(),
}
const Milliseconds = Type.Union([Type.Integer(), Type.Null()])
const Stats = Type.Object({
  ...Figures,
  p50_ms: Milliseconds,
  p95_ms: Milliseconds,
  is_whole: Type.Boolean({
    description: `False when there were more than ${ROWS_MAX}: the newest of them are counted.`,
  }),
  parts: Type.Array(
    Type.Object({
      at: Type.String({ description: 'When the minute or hour began, in UTC; those without deliveries are left out.' }),
      ...Figures,
    }),
  ),
})
type Figure = keyof typeof Figures
type Row = Record<Figure, number> & { at: string | null; p50_ms: number | null; p95_ms: number | null }

/** `connect.delivery/stats {from, to, by}`: what became of the deliveries of a time, and how long their answers took. */
export const deliveryStats = method({
  label: 'Statistics',
  operation: 'read',
  groups: [GROUP.connectAdmin],
  args: Type.Object({
    from: Type.String({ description: 'Start, in UTC.' }),
    to: Type.String({ description: 'End (not included), in UTC.' }),
    by: Type.Union([Type.Literal('minute'), Type.Literal('hour')]),
  }),
  reply: Stats,
  async run(env, _ids, { from, to, by }) {
    const span = readTimeSpan({ from, to }, by === 'minute' ? MINUTES_DAYS_MAX : HOURS_DAYS_MAX)
    const rows = await countRows(env, span, by)
    const whole = rows.find(({ at }) => at === null)
    const { total, ...counts } = figuresOf(whole)
    return {
      total: Math.min(total, ROWS_MAX),
      ...counts,
      p50_ms: whole?.p50_ms ?? null,
      p95_ms: whole?.p95_ms ?? null,
      is_whole: total <= ROWS_MAX,
      parts: rows.flatMap((row) => (row.at === null ? [] : [{ at: row.at, ...figuresOf(row) }])),
    }
  },
})

/** One pass, newest first: a row for each part, and one without a moment for all of them. One row too many says that there are more. */
function countRows({ db }: Env, { begin, end }: TimeSpan, by: 'minute' | 'hour'): Promise<Row[]> {
  const unit = sql.raw(`'${by}'`)
  const of = (verdict: string) =>
    sql`count(*) filter (where d.verdict = ${verdict} and d.place <= ${sql.raw(String(ROWS_MAX))})::int`
  return db.query<Row>(
    sql`with d as materialized (
          select to_char(date_trunc(${unit}, n.received_at), 'YYYY-MM-DD HH24:MI:SS') as at, n.verdict, n.ms,
            row_number() over (order by n.received_at desc, n.id desc) as place
          from (select id, received_at, verdict, ms from connect_delivery
                where received_at >= ${begin.toISOString()}::timestamp and received_at < ${end.toISOString()}::timestamp
                order by received_at desc, id desc limit ${sql.raw(String(ROWS_MAX + 1))}) n)
        select d.at, count(*)::int as total, ${of('handled')} as handled, ${of('refused')} as refused,
          ${of('rejected')} as rejected, ${of('failed')} as failed,
          round(percentile_cont(0.5) within group (order by d.ms))::int as p50_ms,
          round(percentile_cont(0.95) within group (order by d.ms))::int as p95_ms
        from d group by grouping sets ((), (d.at)) having grouping(d.at) = 1 or d.at is not null order by d.at`,
  )
}

function figuresOf(row: Row | undefined): Record<Figure, number> {
  const names = Object.keys(Figures) as Figure[]
  return Object.fromEntries(names.map((name) => [name, row?.[name] ?? 0])) as Record<Figure, number>
}

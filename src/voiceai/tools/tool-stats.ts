import { Type } from 'typebox'
import { sql } from '../../database/drizzle.ts'
import { idList } from '../../database/ids.ts'
import { GROUP } from '../../platform/access/identity.ts'
import { method } from '../../platform/model/model.ts'
import { readTimeSpan } from '../../time-span.ts'

const SPAN_DAYS_MAX = 32
const TOOLS_MAX = 100
/** Of each tool the newest calls are counted: enough for a percentile, and read by index. */
const CALLS_MAX = 1_000

const Milliseconds = Type.Union([Type.Integer(), Type.Null()])
const ToolFigures = Type.Object({
  id: Type.Integer(),
  name: Type.String(),
  calls: Type.Integer(),
  errors: Type.Integer({ description: 'Those that were refused, rejected or failed.' }),
  p50_ms: Milliseconds,
  p95_ms: Milliseconds,
  budget_ms: Type.Union([Type.Integer(), Type.Null()], { description: 'How long the platform waits for the answer.' }),
})

/** `connect.voiceai_agent_tool/stats {ids, from, to}`: how fast tools answered, and how often they did not do what was asked. */
export const toolStats = method({
  label: 'Statistics',
  operation: 'read',
  groups: [GROUP.connectAdmin],
  args: Type.Object({
    from: Type.String({ description: 'Start, in UTC.' }),
    to: Type.String({ description: 'End (not included), in UTC.' }),
  }),
  reply: Type.Array(ToolFigures, {
    description: `The tools of "ids", or the first ${TOOLS_MAX} that were called then; of each its newest ${CALLS_MAX} calls.`,
  }),
  async run({ db }, ids, span) {
    const { begin, end } = readTimeSpan(span, SPAN_DAYS_MAX)
    const named = ids.length === 0 ? sql`true` : sql`t.id in (${idList(ids)})`
    return db.query(
      sql`select t.id, t.name, f.calls, f.errors, f.p50_ms, f.p95_ms, f.budget_ms
          from (select t.id, t.name from connect_voiceai_agent_tool t where ${named} order by t.name limit ${sql.raw(String(TOOLS_MAX))}) t
          cross join lateral (
            select count(*)::int as calls, count(*) filter (where d.verdict <> 'handled')::int as errors,
              round(percentile_cont(0.5) within group (order by d.ms))::int as p50_ms,
              round(percentile_cont(0.95) within group (order by d.ms))::int as p95_ms, max(d.budget_ms) as budget_ms
            from (select verdict, ms, budget_ms from connect_delivery
                  where tool = t.name and tool is not null
                    and received_at >= ${begin.toISOString()}::timestamp and received_at < ${end.toISOString()}::timestamp
                  order by received_at desc limit ${sql.raw(String(CALLS_MAX))}) d) f
          where ${ids.length === 0 ? sql`f.calls > 0` : sql`true`} order by t.name`,
    )
  },
})

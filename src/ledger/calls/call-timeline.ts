import { Type } from 'typebox'
import type { Queryable } from '../../database/database.ts'
import { sql } from '../../database/drizzle.ts'
import { GROUP } from '../../platform/access/identity.ts'
import { method } from '../../platform/model/model.ts'
import { storedMs, storedTime } from '../../time.ts'
import { answerWords, eventWords, sipWords } from './delivery-story.ts'

/** One thing that happened in a call. */
interface Moment {
  /** UTC, with milliseconds: when it happened. */
  at: string
  what: string
  /** The record that says so, such as `leg 7`. */
  record: string
  detail: string
}

const MILLISECONDS = sql`'YYYY-MM-DD HH24:MI:SS.MS'`

/** `connect.call/timeline {ids}`: what happened in calls, in order. */
export const timelineMethod = method({
  label: 'What happened, in order',
  operation: 'read',
  groups: [GROUP.connectAdmin],
  args: Type.Object({}),
  async run(env, ids) {
    const moments: Moment[] = []
    for (const id of ids) moments.push(...(await callTimeline(env.db, id)))
    return moments
  },
})

/** Milliseconds that a report takes to us at most when both clocks agree; what is apart by more happened at the provider's time. */
const ON_ITS_WAY_MS_MAX = 2_000
/** Characters of a delivery and of its reply that are looked at. */
const READ_CHARS_MAX = 8_000

/** A moment as its record has it, on the clock of whoever wrote it down. */
interface Found {
  at: string
  clock: 'provider' | 'ours'
  rank: number
  what: string
  kind: string
  id: number
  detail: string
  sid: string | null
  body: string | null
  reply: string | null
}

/** How much later than the provider says we received something, from that moment on. */
interface Skew {
  fromMs: number
  ms: number
}

/**
 * Legs, deliveries, recordings, the voicemail and notes of a call, as one story. The provider's clock tells it: reports say
 * when they happened, and what was written down by our clock stands where the reports around it put it. What has the same
 * time comes in the order in which it can have happened: a report before what it says of the leg, the end of a leg last.
 */
async function callTimeline(db: Queryable, call: number): Promise<Moment[]> {
  const found = (await findMoments(db, call)).map((each) => ({
    ...each,
    ms: storedMs(each.at),
    fields: readForm(each),
  }))
  const skews = found.flatMap(({ ms, fields }): Skew[] => {
    const happened = Date.parse(fields.get('Timestamp') ?? '')
    return Number.isNaN(happened) ? [] : [{ fromMs: ms, ms: skewOf(ms, happened) }]
  })
  const begun = Math.min(...found.filter(({ kind }) => kind === 'leg').map(({ ms }) => ms))
  // What a leg dialled ended with that code, not the leg itself.
  const own = found.filter(({ fields }) => !fields.has('DialCallStatus'))
  const reasons = new Map(
    own.map(({ sid, fields }) => [sid, sipWords(fields)] as const).filter(([, why]) => why !== ''),
  )
  let deliveredMs = Number.NEGATIVE_INFINITY
  const placed = found.map(({ ms, fields, ...each }) => {
    const skew = each.clock === 'ours' ? skewAt(skews, ms) : 0
    const isReport = fields.has('Timestamp')
    // A request that says no time of its own came after what came before it, and not before the call.
    const earliest =
      each.kind === 'delivery' && skew !== 0 && !isReport ? Math.max(deliveredMs, begun) : Number.NEGATIVE_INFINITY
    const at = Math.max(ms - skew, earliest)
    if (each.kind === 'delivery') deliveredMs = Math.max(deliveredMs, at)
    const received = skew === 0 ? '' : ` (${each.kind === 'delivery' ? 'received' : 'noted'} ${each.at})`
    return { ...each, ms: at, detail: `${detailOf(each, fields, reasons)}${received}` }
  })
  return placed
    .sort((one, other) => one.ms - other.ms || one.rank - other.rank || one.id - other.id)
    .map(({ ms, what, kind, id, detail }) => ({ at: storedTime(new Date(ms)), what, record: `${kind} ${id}`, detail }))
}

function detailOf(each: Found, fields: URLSearchParams, reasons: ReadonlyMap<string | null, string>): string {
  if (each.kind === 'leg' && each.rank === ENDED) {
    return [each.detail, each.sid === null ? '' : (reasons.get(each.sid) ?? '')]
      .filter((part) => part !== '')
      .join(': ')
  }
  if (each.kind !== 'delivery') return each.detail
  const answer = answerWords(each.reply ?? '')
  const said = eventWords(fields)
  return [each.detail, said === '' ? '' : `; ${said}`, answer === '' ? '' : ` → ${answer}`].join('')
}

function readForm({ kind, body }: Found): URLSearchParams {
  const isForm = kind === 'delivery' && body !== null && !body.trimStart().startsWith('{')
  return new URLSearchParams(isForm ? body : '')
}

/** What is received before it happened, or long after, was written down by another clock. */
function skewOf(receivedMs: number, happenedMs: number): number {
  const skew = receivedMs - happenedMs
  return skew >= 0 && skew <= ON_ITS_WAY_MS_MAX ? 0 : skew
}

/** The skew that the last report before that moment shows; that of the first one for what came before all of them. */
function skewAt(skews: readonly Skew[], ms: number): number {
  return (skews.findLast(({ fromMs }) => fromMs <= ms) ?? skews[0])?.ms ?? 0
}

/** Rank of a leg's end, after everything that has the same time. */
const ENDED = 6

function findMoments(db: Queryable, call: number): Promise<Found[]> {
  return db.query<Found>(sql`
    with leg as (select * from connect_channel where call = ${call}::bigint),
    parties as (
      select id, sid, status, started_at, answered_at, ended_at, create_date, error_code, error_message,
        concat(coalesce(caller_number, '?'), ' to ', coalesce(called_number, '?')) as detail from leg),
    delivered as (
      select id from connect_delivery where call_ref = ${call}::bigint
      union select d.id from leg l join connect_delivery d on d.call_sid = l.sid
      union select d.id from connect_call c join connect_delivery d on d.conversation = c.voiceai_conversation_id
        where c.id = ${call}::bigint),
    moments as (
      select received_at as at, 'ours' as clock, 1 as rank, 'delivery' as what, 'delivery' as kind, d.id,
        concat(route, ' ', verdict, ' (', status, ', ', ms, ' ms)', ': ' || d.reason) as detail,
        d.call_sid as sid, left(d.body, ${READ_CHARS_MAX}::int) as body, left(d.reply, ${READ_CHARS_MAX}::int) as reply
        from connect_delivery d join delivered using (id)
      union all select coalesce(started_at, create_date), case when started_at is null then 'ours' else 'provider' end,
        2, 'leg begins', 'leg', id, detail, sid, null, null from parties
      union all select answered_at, 'provider', 3, 'answered', 'leg', id, detail, sid, null, null
        from parties where answered_at is not null
      union all select coalesce(start_time, create_date), case when start_time is null then 'ours' else 'provider' end,
        4, 'recording', 'recording', id, concat(coalesce(status, '-'), ', ', coalesce(duration, 0), ' s'), null, null, null
        from connect_recording where call = ${call}::bigint
      union all select coalesce(v.start_time, v.create_date), case when v.start_time is null then 'ours' else 'provider' end,
        4, 'voicemail', 'voicemail', v.id, concat(v.duration, ' s'), null, null, null
        from connect_voicemail v join leg l on l.sid = v.call_sid
      union all select date, 'ours', 5, 'note', 'note', id,
        left(regexp_replace(coalesce(body, ''), '<[^>]*>', ' ', 'g'), 200), null, null, null
        from mail_message where model = 'connect.call' and res_id = ${call}::bigint
      union all select ended_at, 'provider', ${ENDED}::int, coalesce(status, 'ended'), 'leg', id,
        concat(detail, ': error ' || error_code, ' ' || error_message), sid, null, null
        from parties where ended_at is not null)
    select to_char(at, ${MILLISECONDS}) as at, clock, rank, what, kind, id, detail, sid, body, reply
      from moments order by moments.at, rank, id`)
}

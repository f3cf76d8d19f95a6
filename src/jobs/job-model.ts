import { Type } from 'typebox'
import { sql } from '../database/drizzle.ts'
import { Refusal } from '../errors.ts'
import type { Env } from '../platform/access/env.ts'
import { GROUP } from '../platform/access/identity.ts'
import { char, datetime, integer, selection, text } from '../platform/model/fields.ts'
import { defineModel, type Operations, outsideMethod } from '../platform/model/model.ts'

/** Characters of an error that the list shows. */
const ERROR_CHARS_MAX = 2_000
/** A number for a job, whose own id is a UUID: 53 bits of a hash, which JavaScript reads exactly. */
const ID = '(hashtextextended(id::text, 0) & 9007199254740991)'
/** Work that is not done: what is done is nobody's concern, and the queue's own chores are not ours. */
const UNDONE = String.raw`state <> 'completed' and name not like '\_\_pgboss%'`

/** What the service has yet to do, or could not do: read from the queue. */
export const jobModel = defineModel({
  name: 'connect.job',
  label: 'Job',
  isReadonly: true,
  order: 'create_date desc',
  display: { columns: ['kind'], show: (row) => `${row.kind} ${row.id}` },
  rows: `select ${ID} as id, name as kind, state::text as state, retry_count as attempts, retry_limit + 1 as attempts_max,
      left(coalesce(output ->> 'message', output ->> 'value', output::text), ${ERROR_CHARS_MAX}) as error,
      start_after at time zone 'utc' as due, started_on at time zone 'utc' as started_at,
      created_on at time zone 'utc' as create_date, coalesce(completed_on, started_on, created_on) at time zone 'utc' as write_date,
      null::bigint as create_uid, null::bigint as write_uid
    from jobs.job where ${UNDONE}`,
  fields: {
    kind: char('Kind', { required: true, widget: 'program_name' }),
    state: selection(
      'State',
      {
        created: 'Waiting',
        retry: 'Retrying',
        active: 'Running',
        failed: 'Failed',
        cancelled: 'Cancelled',
      },
      { required: true },
    ),
    attempts: integer('Retries'),
    attempts_max: integer('Maximum attempts'),
    error: text('Last error'),
    due: datetime('Due'),
    started_at: datetime('Started'),
  },
})

interface Found {
  uuid: string
  kind: string
  state: string
}

/** `connect.job/retry {ids}` and `connect.job/drop {ids}`, for administrators; `wake` has a kind looked at now. */
export function jobOperations(wake: (kind: string) => void): Operations {
  const button = (label: string, act: (env: Env, jobs: readonly Found[]) => Promise<unknown>) =>
    outsideMethod({
      label,
      operation: 'read',
      groups: [GROUP.connectAdmin],
      isAudited: true,
      reply: Type.Object({ jobs: Type.Integer() }),
      async runOutside(open, ids) {
        const kinds = await open(async (env) => {
          const jobs = await lockJobs(env, ids)
          await act(env, jobs)
          return new Set(jobs.map(({ kind }) => kind))
        })
        for (const kind of kinds) wake(kind)
        return { jobs: ids.length }
      },
    })
  return { 'connect.job': { retry: button('Try again now', retryJobs), drop: button('Discard', dropJobs) } }
}

/** One more attempt than it had, now. */
async function retryJobs({ db }: Env, jobs: readonly Found[]): Promise<void> {
  await db.query(
    sql`update jobs.job set start_after = now(), completed_on = null, keep_until = greatest(keep_until, now() + interval '14 days'),
          retry_limit = case when state = 'failed' then retry_limit + 1 else retry_limit end,
          state = case when state = 'failed' then 'retry'::jobs.job_state when state = 'cancelled' then 'created' else state end
        where id = any(${sql.param(jobs.map(({ uuid }) => uuid))}::uuid[]) and name = any(${sql.param(jobs.map(({ kind }) => kind))}::text[])`,
  )
}

async function dropJobs({ db }: Env, jobs: readonly Found[]): Promise<void> {
  await db.query(
    sql`delete from jobs.job where id = any(${sql.param(jobs.map(({ uuid }) => uuid))}::uuid[])
          and name = any(${sql.param(jobs.map(({ kind }) => kind))}::text[])`,
  )
}

/** What is being worked on is left alone: nobody could stop it, and it may end at any moment. */
async function lockJobs({ db }: Env, ids: readonly number[]): Promise<Found[]> {
  const jobs = await db.query<Found>(
    sql`select id::text as uuid, name as kind, state::text as state from jobs.job
        where ${sql.raw(UNDONE)} and ${sql.raw(ID)} = any(${sql.param([...ids])}::bigint[]) for update`,
  )
  const active = jobs.find(({ state }) => state === 'active')
  if (active !== undefined) throw new Refusal('conflict', 'job-running', { kind: active.kind })
  return jobs
}

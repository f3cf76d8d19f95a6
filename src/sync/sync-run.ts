import type { Database } from '../database/database.ts'
import { type SQL, sql } from '../database/drizzle.ts'
import { type Env, elevated } from '../platform/access/env.ts'
import { boolean, char, datetime, integer, json, selection, text } from '../platform/model/fields.ts'
import { defineModel, type RowOf } from '../platform/model/model.ts'
import { notifyAdmins } from '../platform/notices/notice.ts'
import { notifyChangedSql } from '../platform/records/notify-changed.ts'
import { records } from '../platform/records/records.ts'
import { cancelRun } from './cancel-run.ts'

const SYNC_AREAS = { voiceai: 'ElevenLabs', telco: 'Twilio' } as const
export type SyncArea = keyof typeof SYNC_AREAS

/** What a run does: everything, a part of it, or a look that changes nothing. */
const SYNC_KINDS = ['sync', 'tools', 'token', 'prompts', 'check', 'webhook', 'remove_tools'] as const
export type SyncKind = (typeof SYNC_KINDS)[number]

/** Parts that are one list of the phone provider each. */
const LIST_KINDS = ['applications', 'domains', 'numbers', 'caller_ids', 'senders', 'templates'] as const
export type ListKind = (typeof LIST_KINDS)[number]
export type RunKind = SyncKind | ListKind

const SYNC_STATES = ['queued', 'running', 'done', 'failed'] as const
export type SyncState = (typeof SYNC_STATES)[number]

/** Runs of all other kinds change the same things at the provider, so there is one of them at a time. */
const ASIDE_KINDS = "('prompts', 'check')"

/** A run that nobody has begun for so long is in nobody's way any more: no process works on jobs. */
const UNBEGUN_MINUTES = 5
/** A run without one for so long was cut off: its process is gone. */
const SILENT_SECONDS = 6
/** Times a run is begun, before it is taken to be what ends its processes. */
const ATTEMPTS_MAX = 3
const CUT_OFF = 'It was cut off before it had ended. Run it again.'

/** Something that is outdated at the provider, in one sentence, with the record it is about. */
export interface SyncProblem {
  step: string
  model?: string | undefined
  id?: number | undefined
  name?: string | undefined
  message: string
}

/** One synchronisation with a provider: how far it is, what it did, and what is outdated. Stays as history. */
export const syncRunModel = defineModel({
  name: 'connect.sync_run',
  label: 'Sync',
  isReadonly: true,
  order: 'id desc',
  display: { columns: ['area', 'kind'], show: ({ area, kind, id }) => `${SYNC_AREAS[area as SyncArea]} ${kind} ${id}` },
  fields: {
    area: selection('Provider', SYNC_AREAS, { required: true }),
    kind: selection('What', [...SYNC_KINDS, ...LIST_KINDS], { required: true }),
    state: selection('State', SYNC_STATES, { required: true, default: 'queued' }),
    step: char('Step', { widget: 'word' }),
    steps: json('Steps', {
      help: 'Every step of the sync.',
    }),
    can_cancel: boolean('Can be cancelled', {
      default: true,
      help: 'Until it has ended, or until the agent token changes.',
    }),
    is_cancelled: boolean('Cancelled'),
    counts: json('Counts', { help: 'What each step changed.' }),
    errors: json('Out of sync', { widget: 'finding', help: 'What could not be synced, and why.' }),
    differences: json('Differences', {
      widget: 'finding',
      help: 'What differs at the provider.',
    }),
    summary: text('Summary', { widget: 'finding' }),
    started_at: datetime('Started'),
    ended_at: datetime('Ended'),
    alive_at: datetime('Last active'),
    attempts: integer('Attempts'),
  },
  methods: { cancel: cancelRun },
  indexes: [
    {
      columns: ['area'],
      isUnique: true,
      where: `state in ('queued', 'running') and kind not in ${ASIDE_KINDS}`,
      refusal: 'sync-running',
    },
    {
      columns: ['area', 'kind'],
      isUnique: true,
      where: "state in ('queued', 'running')",
      refusal: 'same-sync-running',
    },
  ],
})

/** By the database's clock, which is everybody's. */
const UTC_NOW = sql`(now() at time zone 'utc')`
const SILENCE = sql`make_interval(secs => ${SILENT_SECONDS}::int)`
/** A sign of life of the future was given before the clock was put right: nothing is known of that process. */
export const IS_SILENT = sql`coalesce(alive_at, create_date) not between ${UTC_NOW} - ${SILENCE} and ${UTC_NOW} + ${SILENCE}`

/** Starts a run in the transaction of the request; refuses it while another one of its area is under way. */
export async function createRun(env: Env, { area, kind }: { area: SyncArea; kind: RunKind }): Promise<number> {
  const isUnbegun = sql`coalesce(alive_at, create_date) < ${UTC_NOW} - make_interval(mins => ${UNBEGUN_MINUTES}::int)`
  await cutOff(
    env.db,
    sql`area = ${area} and ((state = 'running' and ${IS_SILENT}) or (state = 'queued' and ${isUnbegun}))`,
  )
  // Anyone who may press the button may start the run, and nobody may write one by hand.
  const [id] = await records(elevated(env), 'connect.sync_run').create([
    { area, kind, counts: {}, errors: [], differences: [] },
  ])
  if (id === undefined) throw new Error('the run was not created')
  return id
}

/** Ends a run that cannot go on; one that has ended already stays as it is. */
export function failRun(db: Pick<Database, 'query' | 'run'>, id: number): Promise<void> {
  return cutOff(db, sql`id = ${id}::bigint and state in ('queued', 'running')`)
}

async function cutOff(db: Pick<Database, 'query' | 'run'>, runs: SQL): Promise<void> {
  const ended = await db.query<{ id: number }>(
    sql`update connect_sync_run set state = 'failed', can_cancel = false, ended_at = ${UTC_NOW}, summary = ${CUT_OFF}
        where ${runs} returning id, ${notifyChangedSql('connect.sync_run', sql`id`)}`,
  )
  for (const { id } of ended) await notifyAdmins(db, { kind: 'run_failed', ref: { model: 'connect.sync_run', id } })
}

/** Whether a run that changes what the provider of the area holds is under way. */
export async function isSyncUnderWay(db: Pick<Database, 'query'>, area: SyncArea): Promise<boolean> {
  const rows = await db.query(
    sql`select id from connect_sync_run where area = ${area} and state in ('queued', 'running')
          and kind not in ${sql.raw(ASIDE_KINDS)} limit 1`,
  )
  return rows.length > 0
}

/**
 * Runs whose process is gone, made ready for another attempt; what was begun too often fails. Of several processes that
 * look, one gets each run. A process that has the database to itself need not wait for silence: a run whose last sign of
 * life is older than the process was cut off.
 */
export async function reviveDeadRuns(
  db: Pick<Database, 'query' | 'run'>,
  { isAlone }: { isAlone: boolean },
): Promise<RowOf<typeof syncRunModel, 'id' | 'area' | 'kind'>[]> {
  const isOlder = sql`alive_at < ${UTC_NOW} - make_interval(secs => ${process.uptime()}::float8)`
  const isDead = isAlone ? sql`(${IS_SILENT} or ${isOlder})` : IS_SILENT
  await cutOff(db, sql`state = 'running' and ${isDead} and attempts >= ${ATTEMPTS_MAX}::int`)
  return db.query(
    sql`update connect_sync_run set state = 'queued', alive_at = now() at time zone 'utc'
        where state = 'running' and ${isDead}
        returning id, area, kind, ${notifyChangedSql('connect.sync_run', sql`id`)}`,
  )
}

import { sql } from '../../database/drizzle.ts'
import { manyIds } from '../../database/ids.ts'
import { param, statement } from '../../database/statement.ts'
import type { Env } from '../../platform/access/env.ts'
import type { StoredRow } from './inbox-rows.ts'
import type { StoredDelivery } from './stored-delivery.ts'

type FinalState = 'done' | 'ignored'

/** How a delivery ended; `ignored` is what was knowingly left alone. The call it belongs to goes into the log. */
export type Consumed = FinalState | { state: FinalState; call: number | undefined }

/** What works on deliveries of a kind. */
export interface Consumer {
  /** Works on deliveries in one transaction; answers for each, in their order. Repeats change nothing. */
  consume(env: Env, deliveries: readonly StoredDelivery[]): Promise<readonly Consumed[]>
  /** Those that arrive while others are worked on are worked on together. */
  readonly gathers?: true
}

/** A consumer that takes one delivery at a time. */
export function oneByOne(consumeOne: (env: Env, delivery: StoredDelivery) => Promise<Consumed>): Consumer {
  return {
    async consume(env, deliveries) {
      const consumed: Consumed[] = []
      for (const delivery of deliveries) consumed.push(await consumeOne(env, delivery))
      return consumed
    },
  }
}

const STORED = statement<StoredRow, { id: number }>(
  'inbox_stored',
  sql`select id, kind, conversation, payload, media_ref from connect_inbox where id = ${param('id')}`,
)

/** A stored delivery, whatever became of it; undefined when it is gone. */
export async function findStored({ db }: Pick<Env, 'db'>, id: number): Promise<StoredRow | undefined> {
  const [row] = await db.run(STORED, { id })
  return row
}

/** Those of the deliveries that are still stored. */
export async function findStoredIds({ db }: Pick<Env, 'db'>, ids: readonly number[]): Promise<Set<number>> {
  if (ids.length === 0) return new Set()
  const rows = await db.query<{ id: number }>(sql`select id from connect_inbox where id in (${manyIds(ids)})`)
  return new Set(rows.map(({ id }) => id))
}

/** How a delivery ended, and its call. */
interface End {
  readonly state: FinalState
  readonly call: number | undefined
}

/** Has the consumer of their kind work on stored deliveries, in their order; a kind that nobody knows is left alone. */
export function consume(
  consumers: Readonly<Record<string, Consumer>>,
  env: Env,
  rows: readonly StoredRow[],
): Promise<End[]> {
  return consumeDeliveries(consumers, env, rows.map(toDelivery))
}

/** The same for deliveries that are not stored yet. */
export async function consumeDeliveries(
  consumers: Readonly<Record<string, Consumer>>,
  env: Env,
  deliveries: readonly StoredDelivery[],
): Promise<End[]> {
  const ended = new Map<StoredDelivery, Consumed>()
  for (const [kind, ofKind] of Map.groupBy(deliveries, (delivery) => delivery.kind)) {
    const ends = await consumers[kind]?.consume(env, ofKind)
    for (const [at, delivery] of ofKind.entries()) ended.set(delivery, ends?.[at] ?? 'ignored')
  }
  return deliveries.map((delivery) => toEnd(ended.get(delivery) ?? 'ignored'))
}

function toEnd(consumed: Consumed): End {
  return typeof consumed === 'string' ? { state: consumed, call: undefined } : consumed
}

function toDelivery({ kind, conversation, payload, media_ref: mediaRef }: StoredRow): StoredDelivery {
  return {
    kind,
    conversation: conversation ?? undefined,
    payload: payload ?? '',
    mediaRef: mediaRef ?? undefined,
  }
}

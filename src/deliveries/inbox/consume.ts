import { sql } from '../../database/drizzle.ts'
import { param, statement } from '../../database/statement.ts'
import type { Env } from '../../platform/access/env.ts'
import type { StoredRow } from './inbox-rows.ts'
import type { StoredDelivery } from './stored-delivery.ts'

type FinalState = 'done' | 'ignored'

/** How a delivery ended; `ignored` is what was knowingly left alone. The call it belongs to goes into the log. */
export type Consumed = FinalState | { state: FinalState; call: number | undefined }

/** What works on deliveries of a kind. */
export type Consumer = (env: Env, delivery: StoredDelivery) => Promise<Consumed>

const STORED = statement<StoredRow, { id: number }>(
  'inbox_stored',
  sql`select id, kind, conversation, payload, media_ref from connect_inbox where id = ${param('id')}`,
)

/** A stored delivery, whatever became of it; undefined when it is gone. */
export async function findStored({ db }: Pick<Env, 'db'>, id: number): Promise<StoredRow | undefined> {
  const [row] = await db.run(STORED, { id })
  return row
}

/** Has the consumer of its kind work on a stored delivery; a kind that nobody knows is left alone. */
export async function consume(
  consumers: Readonly<Record<string, Consumer>>,
  env: Env,
  { kind, conversation, payload, media_ref: mediaRef }: StoredRow,
): Promise<Consumed> {
  const consumer = consumers[kind]
  if (consumer === undefined) return 'ignored'
  return consumer(env, {
    kind,
    conversation: conversation ?? undefined,
    payload: payload ?? '',
    mediaRef: mediaRef ?? undefined,
  })
}

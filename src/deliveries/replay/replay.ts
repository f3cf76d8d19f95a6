import type { Database } from '../../database/database.ts'
import { asError, Refusal } from '../../errors.ts'
import type { OpenEnv } from '../../platform/access/env.ts'
import type { VerificationSettings } from '../../platform/settings/settings.ts'
import { findStoredIds } from '../inbox/consume.ts'
import type { Inbox } from '../inbox/inbox.ts'
import { queueAgain } from '../inbox/inbox-model.ts'
import { markReplayed } from '../log/mark-replayed.ts'
import type { Replayed, WebhookTable } from '../webhooks/webhook-table.ts'
import { isGenuine } from './genuine.ts'
import { type Logged, readLogged, readLoggedOf, requestOf, rowOf } from './logged-request.ts'

/** Deliveries that one call has worked on again; each takes a few milliseconds. */
const REPLAYED_MAX = 200

export interface ReplayParts {
  db: Database
  inbox: Inbox
  tables: () => readonly WebhookTable[]
}

/** What came of replaying one delivery; `sentence` says why it was not. */
interface Outcome {
  id: number
  is_replayed: boolean
  call: number | null
  sentence: string | null
}

/**
 * Works on logged deliveries again, one after the other: reports of the phone provider, and what a conversation left. Each
 * changes nothing that it has changed already. Nobody is answered: anyone who called, or asked, has gone.
 */
export async function replayDeliveries(parts: ReplayParts, open: OpenEnv, ids: readonly number[]): Promise<Outcome[]> {
  if (ids.length > REPLAYED_MAX) {
    throw new Refusal('refused', 'api-deliveries-replayed', { max: REPLAYED_MAX })
  }
  const outcomes: Outcome[] = []
  for (const id of [...ids].sort((one, other) => one - other)) outcomes.push(await replayOne(parts, open, id))
  return outcomes
}

async function replayOne(parts: ReplayParts, open: OpenEnv, id: number): Promise<Outcome> {
  try {
    const logged = await readLogged(parts.db, id)
    const { call } = await workAgain(parts, open, logged)
    await markReplayed(parts.db, id, call)
    return { id, is_replayed: true, call: call ?? null, sentence: null }
  } catch (thrown) {
    const error = asError(thrown)
    if (!(error instanceof Refusal)) throw error
    return { id, is_replayed: false, call: null, sentence: error.message }
  }
}

/** Those of the deliveries that are worked on again when that is asked. */
export async function findReplayable(parts: ReplayParts, open: OpenEnv, ids: readonly number[]): Promise<number[]> {
  if (ids.length > REPLAYED_MAX) {
    throw new Refusal('refused', 'api-deliveries-replayed', { max: REPLAYED_MAX })
  }
  const logged = new Map((await readLoggedOf(parts.db, ids)).map((each) => [each.id, each]))
  const facts = await findFacts(open, [...logged.values()])
  const found: number[] = []
  for (const id of ids) {
    const each = logged.get(id)
    try {
      if (each === undefined) continue
      await wayOf(parts, open, { logged: each, facts })
      found.push(id)
    } catch (thrown) {
      if (!(thrown instanceof Refusal)) throw thrown
    }
  }
  return found
}

/** What says, beside the log, whether deliveries can be worked on again. */
interface Facts {
  readonly settings: VerificationSettings
  /** Of the inbox. */
  readonly storedIds: ReadonlySet<number>
}

function findFacts(open: OpenEnv, logged: readonly Logged[]): Promise<Facts> {
  const ids = logged.flatMap(({ inbox }) => inbox ?? [])
  return open(async (env) => ({ settings: env.settings, storedIds: await findStoredIds(env, ids) }))
}

async function workAgain(parts: ReplayParts, open: OpenEnv, logged: Logged): Promise<Replayed> {
  return (await wayOf(parts, open, { logged, facts: await findFacts(open, [logged]) }))()
}

/** How a delivery is worked on again: the one place that says of which this is refused. */
async function wayOf(
  { inbox, tables }: ReplayParts,
  open: OpenEnv,
  { logged, facts }: { logged: Logged; facts: Facts },
): Promise<() => Promise<Replayed>> {
  const { id, inbox: stored, verdict } = logged
  const place = rowOf(tables(), logged)
  if (stored !== null) {
    const notStored = new Refusal('refused', 'delivery-not-stored', { id })
    if (!facts.storedIds.has(stored)) throw notStored
    return async () => {
      if ((await open((env) => queueAgain(env, [stored]))) === 0) throw notStored
      return { inbox: stored, call: await inbox.process(stored) }
    }
  }
  const request = requestOf(logged, place)
  if (verdict === 'rejected' && !(await isGenuine(facts.settings, place, request))) {
    throw new Refusal('refused', 'delivery-unproven', { id })
  }
  const { table, row } = place
  const { replay } = table
  if (replay === undefined || table.isReplayed?.(row) === false) {
    throw new Refusal('refused', 'delivery-asked-for-answer', { id })
  }
  return () => replay.call(table, row, request)
}

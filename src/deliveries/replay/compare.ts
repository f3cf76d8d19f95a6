import type { Database, Transaction } from '../../database/database.ts'
import { asError, Refusal } from '../../errors.ts'
import type { Env, Platform } from '../../platform/access/env.ts'
import type { Identities } from '../../platform/identity/identities.ts'
import { type Consumer, consume, findStored } from '../inbox/consume.ts'
import type { Verdict } from '../log/delivery-model.ts'
import { redactText } from '../log/redact.ts'
import type { Handled, IncomingRequest, Reply, TableRow, WebhookTable } from '../webhooks/webhook-table.ts'
import { isGenuine } from './genuine.ts'
import { type Logged, readLogged, requestOf, rowOf } from './logged-request.ts'
import { openInside, rolledBack, workInside } from './rolled-back.ts'

/** Characters of a reply that the log keeps. */
const REPLY_CHARS_MAX = 65_536

export interface ComparisonParts {
  db: Database
  platform: Platform
  identities: Identities
  /** The webhooks, with no provider behind them; what one answered then stands for what it would answer now. */
  tables: (then?: Reply) => readonly WebhookTable[]
  consumers: Readonly<Record<string, Consumer>>
}

interface Answered {
  verdict: Verdict
  status: number
  body: string
}

interface Compared {
  then: Answered
  now: Answered
  is_same: boolean
}

/**
 * Works on a logged delivery once more, as if it came at the time it came, with the settings and records of now, in a
 * transaction that is rolled back: nothing is written, nobody is notified, no provider is asked.
 */
export async function compareDelivery(parts: ComparisonParts, id: number): Promise<Compared> {
  const { db, platform, identities } = parts
  const logged = await readLogged(db, id)
  const then: Answered = { verdict: logged.verdict, status: logged.status ?? 0, body: logged.reply ?? '' }
  const place = rowOf(parts.tables({ status: then.status, contentType: '', body: then.body }), logged)
  const request = requestOf(logged, place)
  const [settings, webhook] = await Promise.all([platform.settings.get(), identities.webhook()])
  if (logged.verdict === 'rejected' && !(await isGenuine(settings, place, request))) {
    return { then, now: then, is_same: true }
  }
  const identity = place.row.isElevated === true ? { ...webhook, isElevated: true } : webhook
  const clock = (): Date => request.receivedAt
  const begin = (work: (tx: Transaction) => Promise<void>): Promise<void> => db.transaction(work, { isForApi: true })
  const now = await rolledBack(begin, async (tx) => {
    const env = { platform: { ...platform, clock }, settings, identity, db: tx, now: clock(), context: {} }
    return answer(place, request, () =>
      place.row.isStoredFirst === true ? consumeAgain(parts, env, logged) : workInside(place.row, request, env),
    )
  })
  const body = redactText(now.body, settings.secrets).slice(0, REPLY_CHARS_MAX)
  return { then, now: { ...now, body }, is_same: now.status === then.status && body === then.body }
}

async function answer(
  { table, row }: TableRow,
  request: IncomingRequest,
  work: () => Promise<Reply | Handled>,
): Promise<Answered> {
  try {
    const done = await work()
    return answered('handled', 'reply' in done ? done.reply : done)
  } catch (thrown) {
    const error = asError(thrown)
    return answered(error instanceof Refusal ? 'refused' : 'failed', table.fallback(row, error, request))
  }
}

function answered(verdict: Verdict, { status, body }: Reply): Answered {
  return { verdict, status, body }
}

/** Its sender is told that it is stored, and nothing of what comes of it. */
async function consumeAgain(
  { consumers }: ComparisonParts,
  env: Env,
  { id, inbox, ...logged }: Logged,
): Promise<Reply> {
  const stored = inbox === null ? undefined : await findStored(env, inbox)
  if (stored === undefined) throw new Refusal('refused', 'delivery-not-stored', { id })
  await openInside(env)((inside) => consume(consumers, inside, [stored]))
  return { status: logged.status ?? 0, contentType: '', body: logged.reply ?? '' }
}

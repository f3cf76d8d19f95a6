import type { Database } from '../database/database.ts'
import { asError, Refusal } from '../errors.ts'
import type { Env, Platform } from '../platform/env.ts'
import type { Identities } from '../platform/identity/identities.ts'
import type { Identity } from '../platform/identity.ts'
import type { SettingsSnapshot } from '../platform/settings.ts'
import type { DeliveryLog } from './delivery-log.ts'
import type { Verdict } from './delivery-model.ts'
import { redactHeaders } from './redact.ts'
import type { Arrival, OpenEnv, Reply, WebhookRow, WebhookTable } from './webhook-table.ts'

/** The work took longer than the provider waits. */
export class DeadlineError extends Error {
  constructor(deadlineMs: number) {
    super(`no answer within ${deadlineMs} ms`)
    this.name = 'DeadlineError'
  }
}

/** Rejected deliveries that one process logs in a minute: whoever is not the provider does not get to fill our disk. */
const REJECTED_PER_MINUTE_MAX = 300
const MINUTE_MS = 60_000

/** How long the settings may take to be read before a delivery is answered without them. */
const SETTINGS_DEADLINE_MS = 2_000

export interface WebhookRunnerParts {
  platform: Platform
  db: Database
  identities: Identities
  deliveries: DeliveryLog
  /** Told of every delivery, for the metrics. */
  observe(route: string, verdict: Verdict, ms: number): void
}

/** Takes every delivery of every table through the same steps: authenticate, work, answer, log. */
export class WebhookRunner {
  readonly #parts: WebhookRunnerParts
  #rejected = { minute: 0, count: 0 }

  constructor(parts: WebhookRunnerParts) {
    this.#parts = parts
  }

  /** Answers one delivery; never throws. */
  async answer({ table, row }: TableRow, arrival: Arrival, settings: SettingsSnapshot | undefined): Promise<Reply> {
    const started = performance.now()
    const outcome = await this.#outcome({ table, row }, arrival, settings)
    const ms = Math.round(performance.now() - started)
    this.#note({ table, row }, arrival, { ...outcome, ms })
    return outcome.reply
  }

  /** Undefined when the database does not answer: then nobody can be authenticated by what it holds. */
  async settings(): Promise<SettingsSnapshot | undefined> {
    try {
      return await withinDeadline(this.#parts.platform.settings.get(), SETTINGS_DEADLINE_MS)
    } catch (error) {
      this.#parts.platform.log.error({ err: asError(error) }, 'the settings cannot be read')
      return undefined
    }
  }

  async #outcome({ table, row }: TableRow, arrival: Arrival, settings: SettingsSnapshot | undefined): Promise<Outcome> {
    const authentication = table.authenticate(row, arrival, settings)
    if (!authentication.ok) {
      const { reason } = authentication
      this.#parts.platform.log.warn({ route: table.prefix + row.path, reason }, reason)
      return { reply: table.reject(row), verdict: 'rejected', reason }
    }
    const unusable = table.accepts?.(row, arrival)
    if (unusable !== undefined) return { reply: unusable, verdict: 'refused', reason: unusable.body }
    try {
      const reply = await withinDeadline(this.#work(row, arrival, settings), row.deadlineMs)
      return { reply, verdict: 'handled', reason: undefined }
    } catch (thrown) {
      return this.#failed({ table, row }, arrival, asError(thrown))
    }
  }

  async #failed({ table, row }: TableRow, arrival: Arrival, error: Error): Promise<Outcome> {
    const reply = table.fallback(row, error, arrival)
    if (error instanceof Refusal) return { reply, verdict: 'refused', reason: error.message }
    const { log } = this.#parts.platform
    log.error({ err: error, route: table.prefix + row.path }, 'a delivery failed')
    await table.keepFailed?.(row, arrival).catch((lost: unknown) => {
      log.fatal({ err: asError(lost), route: table.prefix + row.path }, 'a failed delivery could not be kept')
    })
    return { reply, verdict: 'failed', reason: `${error.name}: ${error.message}` }
  }

  async #work(row: WebhookRow, arrival: Arrival, known: SettingsSnapshot | undefined): Promise<Reply> {
    const { db, identities, platform } = this.#parts
    const settings = known ?? (await platform.settings.get())
    const webhook = await identities.webhook()
    const identity: Identity = row.isElevated === true ? { ...webhook, isElevated: true } : webhook
    if (row.access === 'read') return row.run({ ...this.#envParts(identity, settings), db }, arrival)
    const open: OpenEnv = (work) =>
      db.transaction((tx) => work({ ...this.#envParts(identity, settings), db: tx } satisfies Env))
    if (row.access === 'write') return open((env) => row.run(env, arrival))
    return row.run(open, arrival)
  }

  #envParts(identity: Identity, settings: SettingsSnapshot): Omit<Env, 'db'> {
    const { platform } = this.#parts
    return { platform, settings, identity, now: platform.clock(), context: {} }
  }

  #mayLogRejected(at: Date): boolean {
    const minute = Math.floor(at.getTime() / MINUTE_MS)
    this.#rejected = { minute, count: this.#rejected.minute === minute ? this.#rejected.count + 1 : 1 }
    return this.#rejected.count <= REJECTED_PER_MINUTE_MAX
  }

  #note({ table, row }: TableRow, arrival: Arrival, outcome: Outcome & { ms: number }): void {
    const { reply, verdict, reason, ms } = outcome
    const route = table.prefix + row.path
    this.#parts.observe(route, verdict, ms)
    if (verdict === 'rejected' && !this.#mayLogRejected(arrival.receivedAt)) return
    this.#parts.deliveries.note({
      area: table.area,
      route,
      verdict,
      reason,
      status: reply.status,
      ms,
      receivedAt: arrival.receivedAt,
      call: arrival.about.call,
      conversation: arrival.about.conversation,
      callSid: arrival.about.callSid,
      host: arrival.host,
      target: arrival.target,
      headers: redactHeaders(arrival.headers),
      body: verdict === 'rejected' && table.keepsRejectedBody !== true ? '' : arrival.body.toString('utf8'),
      bodyBytes: arrival.spooled?.bytes ?? arrival.body.length,
      reply: reply.body,
    })
  }
}

interface TableRow {
  table: WebhookTable
  row: WebhookRow
}

interface Outcome {
  reply: Reply
  verdict: Verdict
  reason: string | undefined
}

/** The result, or a DeadlineError; the work itself goes on and its late failure is nobody's surprise. */
export async function withinDeadline<Result>(work: Promise<Result>, deadlineMs: number): Promise<Result> {
  let timer: NodeJS.Timeout | undefined
  const deadline = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new DeadlineError(deadlineMs)), deadlineMs)
  })
  work.catch(() => undefined)
  try {
    return await Promise.race([work, deadline])
  } finally {
    clearTimeout(timer)
  }
}

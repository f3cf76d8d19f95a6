import type { Database } from '../database/database.ts'
import { asError, Refusal } from '../errors.ts'
import type { Env, Platform } from '../platform/env.ts'
import type { Identities } from '../platform/identity/identities.ts'
import type { Identity } from '../platform/identity.ts'
import type { SettingsSnapshot } from '../platform/settings.ts'
import type { DeliveryLog } from './delivery-log.ts'
import type { Verdict } from './delivery-model.ts'
import { redactHeaders, redactText, secretsOf } from './redact.ts'
import type { Arrival, Authentication, OpenEnv, Received, Reply, WebhookRow, WebhookTable } from './webhook-table.ts'

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
/** The same when there are older ones to go by: whoever waits for a voice must not wait twice. */
const FRESH_SETTINGS_DEADLINE_MS = 500
/** Bytes of a body that are looked at for the log; it keeps fewer characters than that. */
const LOGGED_BYTES_MAX = 256 * 1024

const TOO_LARGE: Reply = {
  status: 413,
  contentType: 'application/json; charset=utf-8',
  body: '{"error":"The body is too large."}',
}
const BROKEN_BODY: Reply = {
  status: 503,
  contentType: 'application/json; charset=utf-8',
  body: '{"error":"The body could not be received."}',
}

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
  #lastSettings: SettingsSnapshot | undefined

  constructor(parts: WebhookRunnerParts) {
    this.#parts = parts
  }

  now(): Date {
    return this.#parts.platform.clock()
  }

  /** Answers one delivery, whose body is still to be received; never throws. */
  async answer({ table, row }: TableRow, arrival: Arrival, { settings, receive }: Receiving): Promise<Reply> {
    const received = await receive().catch(asError)
    const started = performance.now()
    const whole = received === 'too-large' || received instanceof Error ? arrival : { ...arrival, ...received }
    const outcome = await this.#outcome({ table, row }, whole, { received, settings })
    const ms = Math.round(performance.now() - started)
    this.#note({ table, row }, whole, { ...outcome, ms, settings })
    return outcome.reply
  }

  /**
   * The settings in force; the last ones known while the database does not answer, so that nothing sent meanwhile is
   * turned away. Undefined when there never were any: then nobody can be authenticated.
   */
  async settings(): Promise<SettingsSnapshot | undefined> {
    const { known } = this.#parts.platform.settings
    if (known !== undefined) {
      this.#lastSettings = known
      return known
    }
    const deadlineMs = this.#lastSettings === undefined ? SETTINGS_DEADLINE_MS : FRESH_SETTINGS_DEADLINE_MS
    try {
      this.#lastSettings = await withinDeadline(this.#parts.platform.settings.get(), deadlineMs)
    } catch (error) {
      this.#parts.platform.log.error({ err: asError(error) }, 'the settings cannot be read')
    }
    return this.#lastSettings
  }

  #outcome(
    { table, row }: TableRow,
    arrival: Arrival,
    { received, settings }: { received: Received | Error; settings: SettingsSnapshot | undefined },
  ): Outcome | Promise<Outcome> {
    if (received instanceof Error) return this.#broken({ table, row }, received)
    const isWhole = received !== 'too-large'
    const authentication = this.#authenticate({ table, row }, arrival, { isWhole, settings })
    if (!authentication.ok) {
      const { reason } = authentication
      return { reply: table.reject(row, reason), verdict: 'rejected', reason }
    }
    if (!isWhole) return { reply: TOO_LARGE, verdict: 'refused', reason: 'the body is too large' }
    const unusable = table.accepts?.(row, arrival)
    if (unusable !== undefined) return { reply: unusable, verdict: 'refused', reason: unusable.body }
    return this.#run({ table, row }, arrival, settings)
  }

  /** A check that fails itself lets nobody in. */
  #authenticate(
    { table, row }: TableRow,
    arrival: Arrival,
    { isWhole, settings }: { isWhole: boolean; settings: SettingsSnapshot | undefined },
  ): Authentication {
    try {
      if (isWhole) return table.authenticate(row, arrival, settings)
      return table.authenticateHeaders?.(arrival, settings) ?? { ok: true }
    } catch (error) {
      return { ok: false, reason: `the check failed: ${asError(error).message}` }
    }
  }

  /** The sender went away in the middle, or there was no place for what they sent. Nobody knows who it was. */
  #broken({ table, row }: TableRow, error: Error): Outcome {
    this.#parts.platform.log.error({ err: error, route: table.prefix + row.path }, 'a body could not be received')
    return { reply: BROKEN_BODY, verdict: 'rejected', reason: `the body could not be received: ${error.message}` }
  }

  async #run({ table, row }: TableRow, arrival: Arrival, settings: SettingsSnapshot | undefined): Promise<Outcome> {
    try {
      const reply = await withinDeadline(this.#work(row, arrival, settings), row.deadlineMs)
      return { reply, verdict: 'handled', reason: undefined }
    } catch (thrown) {
      return this.#failed({ table, row }, arrival, asError(thrown))
    }
  }

  async #failed({ table, row }: TableRow, arrival: Arrival, error: Error): Promise<Outcome> {
    const reply = table.fallback(row, error, arrival)
    const { log } = this.#parts.platform
    if (error instanceof Refusal) {
      if (error.cause !== undefined) log.warn({ err: error, route: table.prefix + row.path }, error.message)
      return { reply, verdict: 'refused', reason: error.message }
    }
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

  #note(
    { table, row }: TableRow,
    arrival: Arrival,
    { reply, verdict, reason, ms, settings }: Outcome & { ms: number; settings: SettingsSnapshot | undefined },
  ): void {
    const route = table.prefix + row.path
    this.#parts.observe(route, verdict, ms)
    if (verdict === 'rejected') {
      if (!this.#mayLogRejected(arrival.receivedAt)) return
      this.#parts.platform.log.warn({ route, reason }, reason)
    }
    const secrets = secretsOf(settings)
    const keepsBody = verdict !== 'rejected' || table.keepsRejectedBody === true
    this.#parts.deliveries.note({
      area: table.area,
      route,
      verdict,
      reason: reason === undefined ? undefined : redactText(reason, secrets),
      status: reply.status,
      ms,
      receivedAt: arrival.receivedAt,
      call: arrival.about.call,
      conversation: arrival.about.conversation,
      callSid: arrival.about.callSid,
      host: arrival.host,
      target: redactText(arrival.target, secrets),
      headers: redactHeaders(arrival.headers, secrets),
      body: keepsBody ? redactText(arrival.body.toString('utf8', 0, LOGGED_BYTES_MAX), secrets) : '',
      bodyBytes: arrival.spooled?.bytes ?? arrival.body.length,
      reply: redactText(reply.body, secrets),
    })
  }
}

interface TableRow {
  table: WebhookTable
  row: WebhookRow
}

interface Receiving {
  settings: SettingsSnapshot | undefined
  /** Takes the body off the wire. */
  receive(): Promise<Received>
}

interface Outcome {
  reply: Reply
  verdict: Verdict
  reason: string | undefined
}

/** The result, or a DeadlineError; the work itself goes on and its late failure is nobody's surprise. */
export function withinDeadline<Result>(work: Promise<Result>, deadlineMs: number): Promise<Result> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new DeadlineError(deadlineMs)), deadlineMs)
    work.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}

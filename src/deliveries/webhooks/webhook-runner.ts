import type { Database } from '../../database/database.ts'
import { NotOpenError } from '../../database/gate.ts'
import { asError, Refusal } from '../../errors.ts'
import type { Env, OpenEnv, Platform } from '../../platform/access/env.ts'
import type { Identity } from '../../platform/access/identity.ts'
import type { Identities } from '../../platform/identity/identities.ts'
import type { SettingsSnapshot, VerificationSettings } from '../../platform/settings/settings.ts'
import type { LastSettings } from '../inbox/last-settings.ts'
import type { DeliveryLog } from '../log/delivery-log.ts'
import type { Verdict } from '../log/delivery-model.ts'
import { type Ended, logDelivery, REJECTED_BODY_BYTES_MAX } from '../log/logged-delivery.ts'
import type { RejectionBudget } from '../log/rejection-budget.ts'
import type { ToolTrials } from '../tools/tool-trials.ts'
import { withinDeadline } from './deadline.ts'
import type { Discarded } from './read-body.ts'
import { BROKEN_BODY, checkFailed, NO_ROOM, TOO_LARGE } from './runner-replies.ts'
import type {
  Authentication,
  Handled,
  HeaderVerdict,
  IncomingRequest,
  Received,
  Reply,
  TableRow,
  WebhookRow,
  WebhookTable,
} from './webhook-table.ts'

interface WebhookRunnerParts {
  platform: Platform
  lastSettings: LastSettings
  db: Database
  identities: Identities
  deliveries: DeliveryLog
  rejections: RejectionBudget
  /** Works on requests of tools that are made in a trial, of which nothing is kept. */
  trials?: ToolTrials
  /** Told of every delivery, for the metrics. */
  observe(route: string, verdict: Verdict, ms: number): void
}

/** Takes every delivery of every table through the same steps: authenticate, work, answer, log. */
export class WebhookRunner {
  readonly #parts: WebhookRunnerParts

  constructor(parts: WebhookRunnerParts) {
    this.#parts = parts
  }

  now(): Date {
    return this.#parts.platform.clock()
  }

  /**
   * Answers one delivery, whose body is still to be received; never throws. The headers are looked at first: of somebody
   * whom they do not let in, nothing is received.
   */
  async answer({ table, row }: TableRow, arrival: IncomingRequest, receiving: Receiving): Promise<Reply> {
    const { settings } = receiving
    const verdict = this.#byHeaders(table, arrival, settings)
    if (verdict !== 'undecided' && !verdict.ok) return this.#turnAway({ table, row }, arrival, receiving, verdict)
    if (verdict !== 'undecided') receiving.verified()
    const received = await receiving.receive().catch(asError)
    const started = performance.now()
    const isWhole = typeof received === 'object' && !(received instanceof Error)
    const whole = isWhole ? { ...arrival, ...received } : arrival
    const outcome = isWhole
      ? await this.#outcome({ table, row }, whole, { ...receiving, verdict })
      : this.#notReceived({ table, row }, arrival, { received, verdict })
    receiving.release()
    const ms = Math.round(performance.now() - started)
    this.#log({ table, row }, whole, { ...outcome, ms, settings })
    return outcome.reply
  }

  /** The settings in force, or the last ones known. */
  settings(): Promise<VerificationSettings | undefined> {
    return this.#parts.lastSettings.get()
  }

  /** Answers somebody who is not let in at once, and reads past what they send, so that they read the answer. */
  #turnAway(
    { table, row }: TableRow,
    arrival: IncomingRequest,
    { settings, discard }: Receiving,
    { reason, isSigned }: Failure,
  ): Reply {
    const started = performance.now()
    const reply = settings === undefined ? cannotKnow({ table, row }, arrival) : table.reject(row, reason)
    const ms = Math.round(performance.now() - started)
    const logged = discard(table.keepsRejectedBody === true ? REJECTED_BODY_BYTES_MAX : 0).then(({ head, bytes }) => {
      const ended = { reply, verdict: 'rejected', reason, isSigned, ms, settings, bodyBytes: bytes } as const
      this.#log({ table, row }, { ...arrival, body: head }, ended)
    })
    this.#parts.deliveries.waitFor(logged)
    return reply
  }

  async #outcome(
    { table, row }: TableRow,
    arrival: IncomingRequest,
    { settings, release, verified, verdict }: Receiving & { verdict: HeaderVerdict },
  ): Promise<Outcome> {
    const authentication = verdict === 'undecided' ? await this.#byBody(table, arrival, settings) : verdict
    if (!authentication.ok) {
      const { reason, isSigned } = authentication
      return { reply: table.reject(row, reason), verdict: 'rejected', reason, isSigned }
    }
    verified()
    release()
    return this.#run({ table, row }, arrival)
  }

  /** A check that fails itself lets nobody in. */
  #byHeaders(table: WebhookTable, arrival: IncomingRequest, settings: VerificationSettings | undefined): HeaderVerdict {
    try {
      return table.authenticateHeaders(arrival, settings)
    } catch (error) {
      return checkFailed(error)
    }
  }

  async #byBody(
    table: WebhookTable,
    arrival: IncomingRequest,
    settings: VerificationSettings | undefined,
  ): Promise<Authentication> {
    try {
      return (await table.authenticateBody?.(arrival, settings)) ?? checkFailed(new Error('there is none'))
    } catch (error) {
      return checkFailed(error)
    }
  }

  /** Nobody knows who sent what was not received whole, unless the headers told. */
  #notReceived(
    { table, row }: TableRow,
    arrival: IncomingRequest,
    { received, verdict }: { received: Missing; verdict: HeaderVerdict },
  ): Outcome {
    const isKnown = verdict !== 'undecided'
    const replyOr = (reply: Reply): Reply => (isKnown ? (table.withoutBody?.(row, arrival) ?? reply) : reply)
    const rejected = { verdict: isKnown ? 'refused' : 'rejected', isSigned: true } as const
    if (received === 'too-large') return { ...rejected, reply: replyOr(TOO_LARGE), reason: 'The body is too large.' }
    if (received === 'no-room') {
      return {
        ...rejected,
        reply: replyOr(NO_ROOM),
        reason: 'Too many large bodies from unknown senders are arriving at once.',
      }
    }
    // The sender went away in the middle, or there was no place for what they sent.
    const reason = `The body could not be received: ${received.message}`
    if (isKnown) this.#parts.platform.log.error({ err: received, route: table.prefix + row.path }, reason)
    return { reply: replyOr(BROKEN_BODY), verdict: 'rejected', reason, isSigned: true }
  }

  async #run({ table, row }: TableRow, arrival: IncomingRequest): Promise<Outcome> {
    try {
      const deadlineMs = typeof row.deadlineMs === 'function' ? row.deadlineMs() : row.deadlineMs
      const tried = row.tool === undefined ? undefined : this.#parts.trials?.run({ table, row }, arrival)
      const done = await withinDeadline(tried ?? this.#work(row, arrival), deadlineMs)
      const handled = 'reply' in done ? done : { reply: done, subject: arrival.subject }
      return { ...handled, verdict: 'handled', reason: handled.subject.remark }
    } catch (thrown) {
      const subject = table.subject?.(arrival) ?? arrival.subject
      const { inbox = subject.inbox, ...failed } = await this.#failed({ table, row }, arrival, asError(thrown))
      return { ...failed, subject: { ...subject, inbox } }
    }
  }

  async #failed(
    { table, row }: TableRow,
    arrival: IncomingRequest,
    error: Error,
  ): Promise<Outcome & { inbox?: number | undefined }> {
    const { log } = this.#parts.platform
    if (error instanceof Refusal) {
      if (error.cause !== undefined) log.warn({ err: error, route: table.prefix + row.path }, error.message)
      return { reply: table.fallback(row, error, arrival), verdict: 'refused', reason: error.message }
    }
    const reply = this.#answerAfterFailure({ table, row }, arrival) ?? table.fallback(row, error, arrival)
    log.error({ err: error, route: table.prefix + row.path }, 'a delivery failed')
    const reason = `${error.name}: ${error.message}`
    try {
      return { reply, verdict: 'failed', reason, inbox: await table.saveFailed?.(row, arrival) }
    } catch (lost) {
      log.fatal({ err: asError(lost), route: table.prefix + row.path }, 'a failed delivery could not be kept')
      return { reply: table.notSaved?.(row) ?? reply, verdict: 'failed', reason }
    }
  }

  /** A fault in it must not cost the caller the sentence that is there for every fault. */
  #answerAfterFailure({ table, row }: TableRow, arrival: IncomingRequest): Reply | undefined {
    try {
      return table.answerAfterFailure?.(row, arrival)
    } catch (error) {
      this.#parts.platform.log.error({ err: asError(error), route: table.prefix + row.path }, 'nothing was decided')
      return undefined
    }
  }

  async #work(row: WebhookRow, arrival: IncomingRequest): Promise<Reply | Handled> {
    const { db, identities, platform } = this.#parts
    // As they were when the delivery was verified; what is known of them without the database is not enough to work by.
    const { known } = platform.settings
    const read = async (): Promise<SettingsSnapshot> => known ?? platform.settings.get()
    const identify = async (): Promise<Identity> => {
      const webhook = await identities.webhook()
      return row.isElevated === true ? { ...webhook, isElevated: true } : webhook
    }
    // Read when a transaction is opened: what is kept on disk while the database is unavailable needs neither of them.
    const open: OpenEnv = async (work) => {
      const [identity, settings] = await Promise.all([identify(), read()])
      return db.transaction((tx) => work({ ...this.#envParts(identity, settings), db: tx } satisfies Env))
    }
    if (row.access === 'write') return open((env) => row.run(env, arrival))
    if (row.access === 'own') return row.run(open, arrival)
    const env = { ...this.#envParts(await identify(), await read()), db }
    return row.access === 'read' ? row.run(env, arrival) : row.run({ ...env, open }, arrival)
  }

  #log({ table, row }: TableRow, arrival: IncomingRequest, ended: Ended): void {
    this.#parts.observe(table.prefix + row.path, ended.verdict, ended.ms)
    logDelivery(this.#parts, { table, row }, arrival, ended)
  }

  /** Logs a request to an address that is nearly one of a webhook; it is answered like any that nobody is at. */
  async logMisaddressed(tableRow: TableRow, arrival: IncomingRequest, reply: Reply, reason: string): Promise<void> {
    const settings = await this.settings()
    logDelivery(this.#parts, tableRow, arrival, { reply, verdict: 'rejected', reason, ms: 0, settings })
  }

  #envParts(identity: Identity, settings: SettingsSnapshot): Omit<Env, 'db'> {
    const { platform } = this.#parts
    return { platform, settings, identity, now: platform.clock(), context: {} }
  }
}

/** Without any settings nobody can be told from a stranger: a sender who is right tries again, and a caller hears a sentence. */
function cannotKnow({ table, row }: TableRow, arrival: IncomingRequest): Reply {
  return table.notSaved?.(row) ?? table.fallback(row, new NotOpenError(), arrival)
}

interface Receiving {
  settings: VerificationSettings | undefined
  /** Takes the body off the wire. */
  receive(): Promise<Received>
  /** Reads past the body and gives so many bytes of its beginning. */
  discard(headBytesMax: number): Promise<Discarded>
  /** Notes that the sender is known. */
  verified(): void
  /** Gives back the room that the body took: its sender is known, or it is gone. */
  release(): void
}

type Failure = Extract<Authentication, { ok: false }>
type Missing = Extract<Received, string> | Error

type Outcome = Omit<Ended, 'ms' | 'settings'>

import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { type JobWithMetadata, PgBoss } from 'pg-boss'
import { type Database, isNotItsFault, type Transaction } from '../database/database.ts'
import { sql } from '../database/drizzle.ts'
import { NotOpenError } from '../database/gate.ts'
import { asError } from '../errors.ts'
import type { Logger } from '../log.ts'
import type { QueuedWork } from '../platform/access/env.ts'
import { pullInJobs } from './wrong-clock.ts'

/** How one kind of job is worked on. */
export interface JobKind<Payload extends object = object> {
  name: string
  /** May run twice for one job, so it must notice what it has already done. */
  work(payload: Payload, attempt: Attempt): Promise<void>
  /** Attempts before the job is dead, and the seconds before the first repeat, doubled each time. */
  attemptsMax: number
  retryDelaySeconds: number
  /** When it runs by itself: a cron expression, in UTC. */
  cron?: string
  /** Jobs of this kind that one process works on at once; one unless said otherwise. */
  concurrency?: number
  /** Seconds one attempt may take before it counts as stuck. */
  expireSeconds?: number
  /** Seconds without a sign of life from its process after which a job is given to another one; for long work. */
  heartbeatSeconds?: number
  /** Seconds between looks for repeats and for what no notification announced. */
  pollSeconds?: number
  /**
   * An attempt that fails because a place is at fault (the database, a disk, the media store, a provider that is away) does not
   * count, and the job goes on soon after the place is back. Not for what the schedule repeats, nor for what comes too late.
   */
  waitsForPlaces?: true
}

interface Attempt {
  /** Nothing comes after it: what fails now stays undone. */
  isLast: boolean
}

const STOP_TIMEOUT_MS = 10_000
const EXPIRE_SECONDS = 300
/** How soon a job is tried again that waits for a place. */
const WAIT_SECONDS = 5
const MS_PER_SECOND = 1_000
/** How often a job is put back while the database does not take it. */
const PUT_BACK_EVERY_MS = 2_000
/** How often the queue looks for jobs whose process is gone; with a heartbeat of 10 s they go on within 30 s. */
const LOOKS = { superviseIntervalSeconds: 5, monitorIntervalSeconds: 5 }

/** The durable job queue on the service's own database, and the schedule. */
export class JobQueue {
  readonly #db: Database
  readonly #boss: PgBoss
  readonly #log: Logger
  readonly #kinds: readonly JobKind[]
  readonly #workers = new Map<string, string[]>()
  #isOpen = false
  #isRunning = false

  constructor(db: Database, log: Logger, kinds: readonly JobKind[]) {
    this.#db = db
    this.#log = log
    this.#kinds = kinds
    this.#boss = new PgBoss({ ...db.queueOptions(), ...LOOKS, schema: 'jobs' })
    this.#boss.on('error', (error) => log.error({ err: asError(error) }, 'the job queue reports an error'))
  }

  get isRunning(): boolean {
    return this.#isRunning
  }

  /** Opens the queue; with `works` this process also works on the jobs. When it throws it may be started again. */
  async start(options: { works: boolean }): Promise<void> {
    try {
      await this.#start(options)
    } catch (error) {
      await this.#boss.stop({ graceful: false }).catch(() => undefined)
      throw error
    }
  }

  async #start({ works }: { works: boolean }): Promise<void> {
    await this.#boss.start()
    this.#isOpen = true
    await pullInJobs(this.#db)
    const queues = new Map((await this.#boss.getQueues()).map((queue) => [queue.name, queue]))
    const schedules = new Map((await this.#boss.getSchedules()).map((schedule) => [schedule.name, schedule]))
    for (const kind of this.#kinds) {
      await this.#prepareQueue(kind, queues.get(kind.name))
      const { cron } = kind
      if (cron !== undefined && schedules.get(kind.name)?.cron !== cron) {
        await this.#boss.schedule(kind.name, cron, {}, { tz: 'UTC' })
      }
      if (works) await this.#startWorkers(kind)
    }
    await this.#forgetUnknown([...schedules.keys()])
    this.#isRunning = true
  }

  /** What an earlier version scheduled, or the embedded database before it was moved, waits for nobody. */
  async #forgetUnknown(scheduled: readonly string[]): Promise<void> {
    for (const name of scheduled.filter((each) => !this.#kinds.some((kind) => kind.name === each))) {
      await this.#boss.unschedule(name)
      await this.#boss.deleteQueuedJobs(name)
    }
  }

  /** Most starts find every queue as it should be; an update of the service may have changed how one is worked on. */
  async #prepareQueue(kind: JobKind, present: object | undefined): Promise<void> {
    const options = queueOptions(kind)
    if (present === undefined) await this.#boss.createQueue(kind.name, options)
    else if (isOtherwise(present, options)) await this.#boss.updateQueue(kind.name, options)
    else return
    // The queue's properties are read into memory now: inside a transaction on the embedded database, which has one
    // connection, reading them would wait for that transaction for ever.
    await this.#boss.findJobs(kind.name, { id: randomUUID() })
  }

  /** Enqueues a job in a transaction of ours: it exists exactly when the transaction commits. */
  async enqueueIn(tx: Transaction, { name, payload, delaySeconds }: QueuedWork): Promise<void> {
    // The queue of a process that only begins knows nothing yet; anyone who needs it tries again.
    if (!this.#isOpen) throw new NotOpenError()
    // An unknown queue would be looked for outside the transaction, which on the embedded database waits for ever.
    if (!this.#kinds.some((kind) => kind.name === name)) throw new Error(`there is no kind of job called ${name}`)
    await this.#boss.send(name, payload, {
      db: { executeSql: (text, values) => tx.execute(text, values ?? []) },
      ...(delaySeconds === undefined ? {} : { startAfter: delaySeconds }),
    })
  }

  /** Jobs under way finish or are handed back; nothing new is taken. */
  async stop(): Promise<void> {
    if (!this.#isRunning) return
    this.#isRunning = false
    await this.#boss.stop({ graceful: true, timeout: STOP_TIMEOUT_MS, close: true })
  }

  async #startWorkers(kind: JobKind): Promise<void> {
    const options = {
      includeMetadata: true,
      ...(kind.pollSeconds === undefined ? {} : { notifyPollingIntervalSeconds: kind.pollSeconds }),
    } as const
    for (let started = 0; started < (kind.concurrency ?? 1); started += 1) {
      let id: string | undefined
      id = await this.#boss.work(kind.name, options, async (jobs: JobWithMetadata<object>[]) => {
        try {
          await this.#work(kind, jobs)
        } finally {
          // Otherwise it would take the next waiting job only when the next poll is due.
          if (id !== undefined) this.#boss.notifyWorker(id)
        }
      })
      this.#workers.set(kind.name, [...(this.#workers.get(kind.name) ?? []), id])
    }
  }

  /** Has this process look now for jobs of a kind that are due. */
  wake(kind: string): void {
    for (const id of this.#workers.get(kind) ?? []) this.#boss.notifyWorker(id)
  }

  /** Tries until the database takes it: it may be the place that is away. */
  async #putBack(kind: string, attempt: NoAttempt): Promise<void> {
    while (this.#isRunning) {
      try {
        await putBack(this.#db, attempt)
        setTimeout(() => this.wake(kind), (WAIT_SECONDS + 1) * MS_PER_SECOND).unref()
        return
      } catch (failure) {
        if (!isNotItsFault(failure)) throw failure
        await delay(PUT_BACK_EVERY_MS)
      }
    }
    // The queue takes up what a process left behind.
    throw attempt.error
  }

  async #work(kind: JobKind, jobs: readonly JobWithMetadata<object>[]): Promise<void> {
    for (const { id, data, retryCount, retryLimit } of jobs) {
      try {
        await kind.work(data, { isLast: retryCount >= retryLimit })
      } catch (error) {
        if (kind.waitsForPlaces === true && isNotItsFault(error)) {
          this.#log.warn({ err: asError(error), job: id, kind: kind.name }, 'a job waits for a place that is at fault')
          await this.#putBack(kind.name, { id, retryCount, error: asError(error) })
          continue
        }
        this.#log.warn({ err: asError(error), job: id, kind: kind.name }, 'a job failed and will be tried again')
        throw error
      }
    }
  }
}

/** An attempt of a job that failed and does not count. */
interface NoAttempt {
  readonly id: string
  readonly retryCount: number
  readonly error: Error
}

/**
 * Has a job wait as if it had not been begun: the next claim of one without `started_on` is not counted (pg-boss, `fetchNextJob`).
 * Also when the queue has given it up meanwhile, unless another attempt has begun.
 */
async function putBack(db: Database, { id, retryCount, error }: NoAttempt): Promise<void> {
  const output = JSON.stringify({ name: error.name, message: error.message })
  await db.query(
    sql`update jobs.job set state = 'retry', started_on = null, heartbeat_on = null, completed_on = null,
          start_after = now() + make_interval(secs => ${WAIT_SECONDS}::int), output = ${output}::jsonb
        where id = ${id}::uuid and retry_count = ${retryCount}::int and state in ('active', 'retry', 'failed')`,
  )
}

function queueOptions(kind: JobKind) {
  return {
    retryLimit: kind.attemptsMax - 1,
    retryDelay: kind.retryDelaySeconds,
    retryBackoff: true,
    expireInSeconds: kind.expireSeconds ?? EXPIRE_SECONDS,
    notify: true,
    ...(kind.heartbeatSeconds === undefined ? {} : { heartbeatSeconds: kind.heartbeatSeconds }),
  }
}

function isOtherwise(present: object, wanted: object): boolean {
  const has = new Map<string, unknown>(Object.entries(present))
  return Object.entries(wanted).some(([name, value]) => has.get(name) !== value)
}

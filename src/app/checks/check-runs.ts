import { type Static, Type } from 'typebox'
import type { Config } from '../../config.ts'
import type { Database } from '../../database/database.ts'
import { sql } from '../../database/drizzle.ts'
import { asError } from '../../errors.ts'
import { type Env, elevated, type Platform } from '../../platform/access/env.ts'
import { GROUP } from '../../platform/access/identity.ts'
import { callMethod, envOf } from '../../platform/api/rpc.ts'
import type { Identities } from '../../platform/identity/identities.ts'
import { LOCAL_ADMIN } from '../../platform/identity/service-users.ts'
import { type Operations, outsideMethod } from '../../platform/model/model.ts'
import { records } from '../../platform/records/records.ts'
import { publishedTime } from '../../time.ts'
import type { Connection } from '../own-api/connection.ts'
import { checkRunModel } from './check-run.ts'
import { examine } from './examine.ts'
import type { Finding } from './finding.ts'

/** The comparison with two large accounts takes the longest; anyone who takes more is gone. */
const RUN_MINUTES_MAX = 10
const MS_PER_MINUTE = 60_000
/** More cannot have been cut off: one runs at a time. */
const RUNNING_MAX = 10

interface CheckRunsParts {
  config: Config
  db: Database
  platform: Platform
  identities: Identities
}

const Answer = Type.Object({
  run_id: Type.Integer({
    description: 'The record in `connect.check_run`: of the run that is under way, where there is one.',
  }),
})
type Answer = Static<typeof Answer>

/** Looks at the installation as `connect doctor` does, from within the service that runs, one look at a time. */
export class CheckRuns {
  readonly #parts: CheckRunsParts
  #work: Promise<void> | undefined
  #isStopping = false
  /** Where this process listens; unknown until it does, and to a process that only works on jobs. */
  address: (() => string | undefined) | undefined

  constructor(parts: CheckRunsParts) {
    this.#parts = parts
  }

  /** Begins the run of that record, and does not wait for it. */
  begin(id: number): void {
    this.#work = this.#run(id).finally(() => {
      this.#work = undefined
    })
  }

  /** Gives up the run that is under way, and resolves when that is written down. */
  async stop(): Promise<void> {
    this.#isStopping = true
    await this.#work
  }

  async #run(id: number): Promise<void> {
    const { config, platform } = this.#parts
    try {
      const findings = await examine({ config, connection: await this.#connection(), looksAtFacts: false })
      await this.#save(id, { state: 'done', findings: findings.map(published) })
    } catch (error) {
      platform.log.error({ err: asError(error), run: id }, 'the checks did not come to their end')
      await this.#save(id, { state: 'failed' }).catch(() => undefined)
    }
  }

  async #connection(): Promise<Connection> {
    const { db, platform, identities } = this.#parts
    const identity = await identities.serviceUser(LOCAL_ADMIN)
    if (identity === undefined) throw new Error('the built-in administrator is missing; the database is not seeded')
    return {
      address: this.address?.(),
      call: async <Result>(model: string, method: string, args: object = {}) => {
        if (this.#isStopping) throw new Error('the service is stopping')
        return (await callMethod(platform, db, identity, { model, method, body: args })) as Result
      },
      close: async () => undefined,
    }
  }

  async #save(id: number, values: { state: string; findings?: object[] }): Promise<void> {
    const { db, platform, identities } = this.#parts
    const [settings, identity] = [await platform.settings.get(), await identities.webhook()]
    await db.transaction(async (tx) => {
      const env = elevated(envOf({ platform, settings, identity }, tx))
      await records(env, checkRunModel.name).write([id], { ...values, ended_at: publishedTime(env.now) })
    })
  }
}

/** As the page reads it; the command line prints the same in its own way. */
function published({ check, result, finding, fix, setting }: Finding): object {
  return { check, result: result.toLowerCase(), sentence: finding, fix, ...(setting === undefined ? {} : { setting }) }
}

/** The button of the page that looks at everything. */
export function checkOperations(runs: CheckRuns): Operations {
  return {
    'connect.settings': {
      run_checks: outsideMethod({
        label: 'Run checks',
        operation: 'write',
        groups: [GROUP.connectAdmin],
        args: Type.Object({}),
        reply: Answer,
        async runOutside(open): Promise<Answer> {
          const { id, isNew } = await open((env) => findOrInsertRun(elevated(env)))
          if (isNew) runs.begin(id)
          return { run_id: id }
        },
      }),
    },
  }
}

/** The run that is under way, else a new one. Ends what was cut off. Elevated: nobody writes runs but the service. */
async function findOrInsertRun(env: Env): Promise<{ id: number; isNew: boolean }> {
  // Two presses at the same time make one run: the second waits here, and then sees the run of the first.
  await env.db.query(sql`select pg_advisory_xact_lock(hashtext(${checkRunModel.name}))`)
  const runs = records(env, checkRunModel.name)
  const running = await runs.searchRead([['state', '=', 'running']], ['started_at'], { limit: RUNNING_MAX })
  const since = publishedTime(new Date(env.now.getTime() - RUN_MINUTES_MAX * MS_PER_MINUTE))
  const underWay = running.find((run) => String(run.started_at) >= since)
  if (underWay !== undefined) return { id: Number(underWay.id), isNew: false }
  const gone = running.map(({ id }) => Number(id))
  if (gone.length > 0) await runs.write(gone, { state: 'failed', ended_at: publishedTime(env.now) })
  const [id = 0] = await runs.create([{ state: 'running', started_at: publishedTime(env.now) }])
  return { id, isNew: true }
}

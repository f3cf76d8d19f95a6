import { Cached, type Memory } from '../../database/cached.ts'
import type { Database } from '../../database/database.ts'
import { sql } from '../../database/drizzle.ts'
import { MISSED } from '../../database/listener.ts'
import { asError } from '../../errors.ts'
import type { Logger } from '../../log.ts'

/** The platform waits 20 s for a tool by default (docs/reference/contract.md#limits); nobody listens to silence longer. */
const DEADLINE_MS_MAX = 15_000
/** The sentence has to arrive before the platform gives up. */
const EARLIER_MS = 1_000
const MS_PER_SECOND = 1_000
const MODEL = 'connect.voiceai_agent_tool'

/** How long each tool's work may take, so that the agent has a sentence to say before the platform stops waiting. */
export class ToolDeadlines implements Memory {
  readonly channels = ['connect_records'] as const
  readonly #log: Logger
  /** Milliseconds that the platform waits. */
  readonly #byPath: Cached<ReadonlyMap<string, number>>

  constructor(db: Pick<Database, 'query'>, log: Logger) {
    this.#log = log
    this.#byPath = new Cached(() => readDeadlines(db))
  }

  /** One second less than the shortest time-out of the tools that were pushed with this path. */
  ofPath(path: string): number {
    return Math.min(DEADLINE_MS_MAX, (this.budgetOfPath(path) ?? Number.POSITIVE_INFINITY) - EARLIER_MS)
  }

  /** The shortest time-out of the tools that were pushed with this path, in milliseconds; undefined while there is none. */
  budgetOfPath(path: string): number | undefined {
    return this.#byPath.last?.get(path)
  }

  /** Reads what was pushed whenever a tool changes in any process, and when such a notification may have been missed. */
  async changed(payload: string): Promise<void> {
    if (payload !== MISSED && !payload.includes(MODEL)) return
    this.#byPath.forget()
    try {
      await this.#byPath.get()
    } catch (error) {
      this.#log.warn({ err: asError(error) }, 'the time-outs of the tools cannot be read; those before stay in force')
    }
  }
}

async function readDeadlines(db: Pick<Database, 'query'>): Promise<ReadonlyMap<string, number>> {
  const tools = await db.query<{ path: string; seconds: number }>(
    sql`select path, min(response_timeout_secs)::bigint as seconds from connect_voiceai_agent_tool
        where tool_id is not null and path is not null group by path`,
  )
  return new Map(tools.map(({ path, seconds }) => [`/${path.replace(/^\/+/, '')}`, seconds * MS_PER_SECOND]))
}

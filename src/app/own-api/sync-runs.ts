import { setTimeout as pause } from 'node:timers/promises'
import { type Connection, readOne, readSettings, ServiceRefusal } from './connection.ts'

/** A run of a synchronisation, as far as it has come. */
export interface Run {
  id: number
  state: 'queued' | 'running' | 'done' | 'failed'
  step: string | null
  counts: Record<string, Record<string, number>>
  errors: readonly { step: string; name?: string; message: string }[]
  differences: readonly { what: string; name?: string; message: string }[]
  summary: string | null
}

const LOOK_EVERY_MS = 300
/** A restart takes less, also one that waits for its database. */
const AWAY_MS_MAX = 120_000
const UNAVAILABLE = 503
const FIELDS = ['state', 'step', 'counts', 'errors', 'differences', 'summary']

/** Presses a button of the settings that starts a run; its id. */
export async function startRun(connection: Connection, button: string): Promise<number> {
  const { id } = await readSettings<{ id: number }>(connection, ['id'])
  const { run_id: run } = await connection.call<{ run_id: number }>('connect.settings', button, { ids: [id] })
  return run
}

/**
 * Waits until the run has ended, or for so long; the run as it is then. Tells of each step. A service that is away for a
 * moment, such as one that is restarted, is waited for: its run goes on where it is again.
 */
export async function waitForRun(
  connection: Connection,
  id: number,
  {
    tell = () => undefined,
    timeoutMs = Number.POSITIVE_INFINITY,
  }: { tell?: (step: string) => void; timeoutMs?: number },
): Promise<Run> {
  const end = performance.now() + timeoutMs
  let seen = performance.now()
  for (let told = ''; ; await pause(LOOK_EVERY_MS)) {
    const run = await readOne<Run>(connection, { model: 'connect.sync_run', name: 'sync', id, fields: FIELDS }).catch(
      (error: unknown) => {
        const now = performance.now()
        if (!isAway(error) || now > end || now > seen + AWAY_MS_MAX) throw error
        return undefined
      },
    )
    if (run === undefined) continue
    seen = performance.now()
    const now = `${run.state}${run.step === null ? '' : `: ${run.step}`}`
    if (now !== told) tell(now)
    told = now
    if (run.state === 'done' || run.state === 'failed' || seen > end) return run
  }
}

/** It answers that it cannot at the moment, or nobody listens; `fetch` throws a TypeError for that. */
function isAway(error: unknown): boolean {
  return error instanceof ServiceRefusal ? error.status === UNAVAILABLE : error instanceof TypeError
}

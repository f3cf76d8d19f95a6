import { setFlagsFromString } from 'node:v8'
import type { Config } from '../../config.ts'

/**
 * By how much the heap may outgrow what lives in it before it is collected, in percent; V8 itself waits for up to four times as much.
 * Beside the embedded engine collecting as soon as on a server costs answers (docs/decisions/0033-memory-under-load.md).
 */
const GROWTH_PERCENT = { onServer: 25, embedded: 125 }

/**
 * Lets this process collect its heap sooner, for less memory under full load, and what is young on one thread, for more answers
 * (docs/decisions/0033-memory-under-load.md).
 */
export function tuneHeap({ databaseUrl }: Pick<Config, 'databaseUrl'>): void {
  // V8 reads it whenever it has collected, so it may be set while the process runs.
  setFlagsFromString(
    `--heap-growing-percent=${databaseUrl === undefined ? GROWTH_PERCENT.embedded : GROWTH_PERCENT.onServer}`,
  )
  // Of a full young generation one or two MB are alive, which one thread has copied before helpers have shared them out; and on a small
  // machine those take the processors from the database.
  setFlagsFromString('--no-parallel-scavenge')
}

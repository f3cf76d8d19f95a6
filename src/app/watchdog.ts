import { Worker } from 'node:worker_threads'
import { AT, beat, standstill } from '../standstill.ts'

const TICK_MS = 1_000
/** Seconds that the event loop may stand still before the process is ended. */
const STANDSTILL_SECONDS_MAX = 20
/** The same during work that is known to hold it, such as a migration or a vacuum of the embedded engine. */
const LONG_WORK_SECONDS_MAX = 30 * 60
const MEGABYTES = { maxOldGenerationSizeMb: 8, maxYoungGenerationSizeMb: 1 }

/** What the watching thread is given. */
interface WatchdogOrder {
  words: Int32Array
  at: typeof AT
  tickMs: number
  ticksMax: number
  longTicksMax: number
}

/**
 * Ends this process when its event loop has stood still for 20 s: it would answer nobody any more, not even a signal,
 * and whoever runs it starts another one. Not while a debugger is attached. A tick is a second;
 * gives a function that ends the watch.
 */
export function startWatchdog(tickMs = TICK_MS): () => Promise<void> {
  const order: WatchdogOrder = {
    words: standstill,
    at: AT,
    tickMs,
    ticksMax: (STANDSTILL_SECONDS_MAX * 1_000) / TICK_MS,
    longTicksMax: (LONG_WORK_SECONDS_MAX * 1_000) / TICK_MS,
  }
  const thread = new Worker(new URL('./watchdog-thread.mjs', import.meta.url), {
    workerData: order,
    resourceLimits: MEGABYTES,
    execArgv: [],
    env: {},
  })
  thread.unref()
  beat()
  const timer = setInterval(beat, tickMs / 2).unref()
  return async () => {
    clearInterval(timer)
    await thread.terminate()
  }
}

import type { Readable, Writable } from 'node:stream'

/** What a command reads and writes. Those that serve until a signal comes have the process itself besides. */
export interface Terminal {
  /** Variables from which the configuration is read; those of the process when left out. */
  readonly env?: Record<string, string | undefined>
  /** `isTTY` when a person types there. */
  readonly input: Readable & { isTTY?: boolean }
  readonly out: Writable
  readonly err: Writable
}

/** The terminal of this process. Its input is opened by the first command that reads it. */
export const PROCESS_TERMINAL: Terminal = {
  get input() {
    return process.stdin
  },
  get out() {
    return process.stdout
  },
  get err() {
    return process.stderr
  },
}

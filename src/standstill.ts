// What this process says of itself to the thread that watches whether its event loop stands still.
import { url as debuggerUrl } from 'node:inspector'

/** Where in the shared words what stands: a counter that a timer moves on, work known to hold the loop, a debugger. */
export const AT = { beats: 0, longWork: 1, debugger: 2 } as const

/** Shared with the watching thread. */
export const standstill = new Int32Array(new SharedArrayBuffer(3 * Int32Array.BYTES_PER_ELEMENT))

/** Says that the event loop still turns. */
export function beat(): void {
  Atomics.add(standstill, AT.beats, 1)
  Atomics.store(standstill, AT.debugger, debuggerUrl() === undefined ? 0 : 1)
}

/** Does work that may hold the event loop for minutes, as the embedded engine does while it migrates or vacuums. */
export async function atLength<Result>(work: () => Promise<Result>): Promise<Result> {
  Atomics.add(standstill, AT.longWork, 1)
  try {
    return await work()
  } finally {
    // The watching thread may look before the next beat: what this work held was no standstill.
    beat()
    Atomics.sub(standstill, AT.longWork, 1)
  }
}

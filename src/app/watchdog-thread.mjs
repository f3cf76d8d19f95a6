// The thread that ends the process when its event loop stands still: see watchdog.ts. JavaScript, because the compiler
// that TypeScript takes would cost the thread 20 MB.
import { writeSync } from 'node:fs'
import { workerData } from 'node:worker_threads'

const STANDARD_ERROR = 2
const FATAL = 60

const { words, at, tickMs, ticksMax, longTicksMax } = workerData
const nobodyWakes = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))

let last = Atomics.load(words, at.beats)
// Ticks of this thread and not the time of day: while a laptop sleeps, or the whole process is stopped, none go by.
for (let ticks = 1; ; ticks += 1) {
  Atomics.wait(nobodyWakes, 0, 0, tickMs)
  // Before the beats: when the long work has just ended, its last beat is seen too.
  const isLongWork = Atomics.load(words, at.longWork) > 0
  const beats = Atomics.load(words, at.beats)
  if (beats !== last || Atomics.load(words, at.debugger) > 0) ticks = 0
  last = beats
  if (ticks >= (isLongWork ? longTicksMax : ticksMax)) end(ticks)
}

function end(ticks) {
  const seconds = Math.round((ticks * tickMs) / 1_000)
  const msg = `The service has answered nothing for ${seconds} s, because its event loop stands still. It is ended, to be started again.`
  try {
    writeSync(STANDARD_ERROR, `${JSON.stringify({ level: FATAL, time: Date.now(), pid: process.pid, msg })}\n`)
  } finally {
    process.kill(process.pid, 'SIGKILL')
  }
}

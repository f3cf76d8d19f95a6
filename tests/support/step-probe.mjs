// Loaded into a service by a test: the longest time for which one turn of its event loop used the processor. Time in which
// the processor was somebody else's does not count, so a busy machine makes no step longer.
import { writeFileSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'

const MICROSECONDS = 1_000

if (isMainThread) {
  let last = process.threadCpuUsage()
  let longest = 0
  const measure = () => {
    const { user, system } = process.threadCpuUsage(last)
    longest = Math.max(longest, (user + system) / MICROSECONDS)
    last = process.threadCpuUsage()
  }
  setInterval(measure, 1).unref()
  // Gives what was measured since it was asked last.
  process.on('SIGUSR2', () => {
    measure()
    writeFileSync(process.env.STEP_PROBE_FILE, `${longest}\n`, { flag: 'a' })
    longest = 0
  })
}

// A process whose event loop stands still answers nobody, not even a signal.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { AT, atLength, standstill } from '../../src/standstill.ts'

const SOURCE = path.join(import.meta.dirname, '../../src')
/** In place of a second, so that 20 of them are over soon. */
const TICK_MS = 50
/** Several times as long as the watchdog allows. */
const LONG_WORK_MS = 4_000

/** Runs a process under the watchdog that does this, and gives how it ended and what it said. */
async function run(work: string): Promise<{ signal: NodeJS.Signals | null; out: string; err: string }> {
  const script = `
    import { startWatchdog } from '${SOURCE}/app/watchdog.ts'
    import { atLength } from '${SOURCE}/standstill.ts'
    const standStill = (untilMs = Infinity) => { while (performance.now() < untilMs); }
    startWatchdog(${TICK_MS})
    setTimeout(async () => { ${work}; console.log('went on') }, 500)`
  const child = spawn(process.execPath, ['--input-type=module-typescript', '-e', script], { stdio: 'pipe' })
  let [out, err] = ['', '']
  child.stdout.on('data', (text) => {
    out += String(text)
  })
  child.stderr.on('data', (text) => {
    err += String(text)
  })
  const [, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null]
  return { signal, out, err }
}

describe('the watchdog', () => {
  it('ends a process whose event loop stands still, and says so', async () => {
    const { signal, out, err } = await run('standStill()')
    expect([signal, out]).toEqual(['SIGKILL', ''])
    expect(err).toContain('its event loop stands still')
  })

  it('lets work go on that is known to take long', async () => {
    expect(await run(`await atLength(async () => standStill(performance.now() + ${LONG_WORK_MS}))`)).toMatchObject({
      signal: null,
      out: 'went on\n',
    })
  })

  it('sees that the loop turns again when such work ends, and not only with the next tick', async () => {
    const before = Atomics.load(standstill, AT.beats)
    await atLength(async () => undefined)
    expect(Atomics.load(standstill, AT.beats)).toBe(before + 1)
  })

  it('holds up nobody who has ended', async () => {
    expect(await run('')).toMatchObject({ signal: null, out: 'went on\n' })
  })
})

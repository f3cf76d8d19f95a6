import { type ChildProcess, execFileSync, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { KeepOrder } from './keep-loop.ts'
import { median } from './meter.ts'

const ROOT = path.dirname(import.meta.dirname)
/** How often the start is measured. */
const STARTS = 5
const STOP_TIMEOUT_MS = 30_000
const KIB_PER_MB = 1_024
const USER_TICKS_AT = 11
const SYSTEM_TICKS_AT = 12
const MS_PER_TICK = 10

/** What is measured: a process, or several on one database. */
export interface Measured {
  addresses: readonly string[]
  /** Resident memory now. */
  memoryMb(): number
  /** Processor time used so far, in user and system mode; NaN where the system does not tell. */
  processorMs(): number
  stop(): Promise<void>
}

/** A process that is measured. */
export interface Side extends Measured {
  address: string
}

/** Several processes that share the load, as one. */
export function together(sides: readonly Side[]): Measured {
  const total = (of: (side: Side) => number): number => sides.reduce((sum, side) => sum + of(side), 0)
  return {
    addresses: sides.map(({ address }) => address),
    memoryMb: () => total((side) => side.memoryMb()),
    processorMs: () => total((side) => side.processorMs()),
    stop: async () => void (await Promise.all(sides.map((side) => side.stop()))),
  }
}

/** The real service, started as `npm start` starts it. */
export async function startService(environment: Record<string, string>, profileFolder?: string): Promise<Side> {
  const profiling = profileFolder === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${path.resolve(profileFolder)}`]
  const child = spawn(process.execPath, [...profiling, 'src/main.ts'], {
    cwd: ROOT,
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      // What builds the page would take processors that the measured ones want.
      PAGE: 'off',
      PORT: '0',
      LOG_LEVEL: 'warn',
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const address = new Promise<string>((resolve) => {
    let text = ''
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk
      const found = /listens on (\S+)/.exec(text)?.[1]
      if (found !== undefined) resolve(found)
    })
  })
  return side(child, await Promise.race([address, failed(child, 'the service')]))
}

/** How long it takes until the service listens, in milliseconds: the median of some starts on a database that is there. */
export async function measureStart(environment: Record<string, string>): Promise<number> {
  const startsMs: number[] = []
  for (let start = 0; start < STARTS; start += 1) {
    const startedAt = performance.now()
    const service = await startService(environment)
    startsMs.push(performance.now() - startedAt)
    await service.stop()
  }
  return median(startsMs)
}

/** The loop that only verifies and keeps deliveries. */
export async function startKeepLoop(order: KeepOrder): Promise<Side> {
  const child = fork(path.join(import.meta.dirname, 'keep-loop.ts'))
  child.send(order)
  const [address] = await Promise.race([once(child, 'message'), failed(child, 'the loop that keeps deliveries')])
  return side(child, String(address))
}

function side(child: ChildProcess, address: string): Side {
  return {
    address,
    addresses: [address],
    memoryMb: () => {
      const kib = execFileSync('ps', ['-o', 'rss=', '-p', String(child.pid)], { encoding: 'utf8' })
      return Math.round(Number(kib) / KIB_PER_MB)
    },
    processorMs: () => readProcessorMs(child.pid),
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return
      const ended = once(child, 'exit', { signal: AbortSignal.timeout(STOP_TIMEOUT_MS) })
      child.kill('SIGTERM')
      await ended.catch(() => child.kill('SIGKILL'))
    },
  }
}

function readProcessorMs(pid: number | undefined): number {
  try {
    // Behind the name in brackets: the 12th and 13th number are ticks in user and in system mode.
    const [, numbers = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')
    const fields = numbers.split(' ').map(Number)
    return ((fields[USER_TICKS_AT] ?? 0) + (fields[SYSTEM_TICKS_AT] ?? 0)) * MS_PER_TICK
  } catch {
    return Number.NaN
  }
}

async function failed(child: ChildProcess, name: string): Promise<never> {
  const [code, signal] = await once(child, 'exit')
  throw new Error(`${name} ended before it listened: ${code ?? signal}`)
}

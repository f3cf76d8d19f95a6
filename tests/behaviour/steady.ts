// Loaded before anything else (`node --import`) in the service, in its commands and in the recorder: a clock that stands
// still until it is set, and random values that can be recognised wherever they end up.
import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import { isMainThread } from 'node:worker_threads'

/** A Monday, far from any real time, so that a time of the database's own clock can be told from one of ours. */
export const START_MS = Date.UTC(2031, 2, 3, 9, 0, 0)
/** Every random value of enough bytes begins with these. */
export const MARK = Buffer.from('b7ed9af1c2e8', 'hex')

const RANDOM_BYTES_MARKED_MIN = 8
const UUID_CHARS = 12
let nowMs = Number(process.env.BEHAVIOUR_NOW_MS ?? START_MS)
/** Each process draws from a range of its own, so that no two of them ever draw the same. */
const DRAWS_OF_A_PROCESS = 2 ** 24
let drawn = Number(process.env.BEHAVIOUR_PROCESS ?? 0) * DRAWS_OF_A_PROCESS

/** From now on every new date is this one. */
export function setClock(ms: number): void {
  nowMs = ms
}

const RealDate = Date
globalThis.Date = new Proxy(RealDate, {
  construct: (target, args, newTarget) => Reflect.construct(target, args.length === 0 ? [nowMs] : args, newTarget),
  apply: () => new RealDate(nowMs).toString(),
  get: (target, name) => (name === 'now' ? () => nowMs : Reflect.get(target, name)),
})

function fill(bytes: Uint8Array): void {
  drawn += 1
  bytes.fill(0)
  const marked = bytes.length >= RANDOM_BYTES_MARKED_MIN ? Math.min(MARK.length, bytes.length - 4) : 0
  bytes.set(MARK.subarray(0, marked))
  for (let at = bytes.length - 1, rest = drawn; at >= marked && rest > 0; at -= 1) {
    bytes[at] = rest % 256
    rest = Math.floor(rest / 256)
  }
}

function randomBytes(size: number, done?: (error: null, bytes: Buffer) => void): Buffer {
  const bytes = Buffer.alloc(size)
  fill(bytes)
  done?.(null, bytes)
  return bytes
}

function randomUUID(): string {
  drawn += 1
  const mark = MARK.toString('hex')
  return `${mark.slice(0, 8)}-${mark.slice(8)}-4000-8000-${drawn.toString(16).padStart(UUID_CHARS, '0')}`
}

/** Codes that a person types in: too short to be told from other numbers, so always the same. */
function randomInt(min: number, max?: number): number {
  return max === undefined ? 0 : min
}

Object.assign(crypto, { randomBytes, randomUUID, randomInt })
syncBuiltinESMExports()
Object.assign(globalThis.crypto, {
  randomUUID,
  getRandomValues<Bytes extends ArrayBufferView>(bytes: Bytes): Bytes {
    fill(new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength))
    return bytes
  },
})
Math.random = () => 0.5

/** Deadlines of the service are of this size; what waits on purpose, as for others to be written together, is shorter. */
const DEADLINE_MS_MIN = 500
const DEADLINE_MS_MAX = 60_000
/** On a busy machine a deadline must not be what decides. */
const LONGER = 30

/** Gives every deadline of the service more time than it needs on any machine. */
function extendDeadlines(): void {
  const { setTimeout } = globalThis
  const timeout = AbortSignal.timeout.bind(AbortSignal)
  const extended = (ms: number): number => (ms >= DEADLINE_MS_MIN && ms <= DEADLINE_MS_MAX ? ms * LONGER : ms)
  globalThis.setTimeout = Object.assign(
    (work: () => void, ms = 0, ...args: []) => setTimeout(work, extended(ms), ...args),
    setTimeout,
  ) as typeof setTimeout
  AbortSignal.timeout = (ms) => timeout(extended(ms))
}

if (isMainThread && process.send !== undefined && process.env.BEHAVIOUR_SERVICE !== undefined) {
  extendDeadlines()
  await stopSchedule()
  await answerRecorder()
}

/** Jobs of the schedule come when the real clock says so: none comes while a recording is made. */
async function stopSchedule(): Promise<void> {
  const module = new URL('../../node_modules/pg-boss/dist/timekeeper.js', import.meta.url)
  const { default: Timekeeper } = (await import(module.href)) as { default: { prototype: { onCron(): Promise<void> } } }
  Timekeeper.prototype.onCron = async () => undefined
}

/**
 * The recorder sets the clock, and reads the rows of the embedded database: its engine serves one connection, which is the
 * service's own, so the recorder takes its turn there.
 */
async function answerRecorder(): Promise<void> {
  const { default: pg } = await import('pg')
  let pool: InstanceType<typeof pg.Pool> | undefined
  const { connect } = pg.Pool.prototype
  pg.Pool.prototype.connect = function (this: typeof pool, ...args: []) {
    pool = this
    return Reflect.apply(connect, this, args)
  } as typeof connect
  process.on('message', async ({ id, clockMs, text }: { id: number; clockMs?: number; text?: string }) => {
    if (clockMs !== undefined) setClock(clockMs)
    try {
      if (text !== undefined && pool === undefined) throw new Error('the service has no connection to its engine')
      const rows = text === undefined ? [] : (await pool?.query(text))?.rows
      process.send?.({ id, rows })
    } catch (error) {
      process.send?.({ id, error: String(error) })
    }
  })
  // A recorder that was killed must leave no service behind.
  process.once('disconnect', () => process.exit())
  process.channel?.unref()
}

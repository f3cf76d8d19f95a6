import { type Figures, longest } from './figures.ts'
import type { ServiceUnderStorm } from './service.ts'

/** Where a storm blows: over the embedded database, or over a PostgreSQL server of its own. */
export type StormDatabase = 'embedded' | 'PostgreSQL'

/** What a storm is given. */
export interface Weather {
  database: StormDatabase
  /** A folder of the storm's own, removed afterwards. */
  folder: string
  /** When to be over, by `performance.now()`; a storm repeats its round while another one fits, and blows once at least. */
  endsAtMs: number
  /** How often at least something is broken, however long it takes; without it the time decides. */
  times?: number | undefined
  /** How many times larger than usual the storm's rounds are, such as its mountain of rows; 1 by day. */
  size: number
  /** Stops what was started, in the opposite order, when the storm is over, however it ends. */
  afterwards(stop: () => unknown): void
}

/** What became of what was sent. */
export interface Tally {
  /** Deliveries that were acknowledged, or starts that were tried. */
  of: number
  lost: number
  doubled: number
  wrong: number
  /** How often each answer was given, such as 503 to what was turned away. */
  statuses?: ReadonlyMap<string, number>
  figures?: Figures
  /** How long it took after each break until the service was ready again, in milliseconds. */
  recoveriesMs?: readonly number[]
  /** What a reader should know besides, of the last round. */
  remark?: string
}

export interface Storm {
  name: string
  /** What is broken, in a few words. */
  breaks: string
  /** What nobody has to fear then, in a few words, and how long it takes at most. */
  promise: string
  within?: Figures
  on: readonly StormDatabase[]
  /** Blows only when it is asked for by name. */
  isLittle?: boolean
  /** Throws a StormSkipped where this machine does not allow it. */
  blow(weather: Weather): Promise<Tally>
}

/** This machine does not allow a storm; the message says why. */
export class StormSkipped extends Error {}

/** Nothing happened yet. */
export function calm(): Tally {
  return { of: 0, lost: 0, doubled: 0, wrong: 0 }
}

/** Nothing happened but breaks, after which it took so long each until the service was ready again. */
export function recovered(recoveriesMs: readonly number[]): Tally {
  return { ...calm(), recoveriesMs, figures: { readyMs: Math.max(...recoveriesMs) } }
}

/** One storm's account and another's, together: the longest of what took time, and the last remark. */
export function addTally(sum: Tally, more: Tally): Tally {
  const { remark = sum.remark } = more
  return {
    of: sum.of + more.of,
    lost: sum.lost + more.lost,
    doubled: sum.doubled + more.doubled,
    wrong: sum.wrong + more.wrong,
    statuses: addStatuses(sum.statuses, more.statuses),
    figures: longest(sum.figures ?? {}, more.figures ?? {}),
    recoveriesMs: [...(sum.recoveriesMs ?? []), ...(more.recoveriesMs ?? [])],
    ...(remark === undefined ? {} : { remark }),
  }
}

/** Both counts together. */
export function addStatuses(...all: readonly (ReadonlyMap<string, number> | undefined)[]): Map<string, number> {
  const sum = new Map<string, number>()
  for (const [status, count] of all.flatMap((each) => [...(each ?? [])])) {
    sum.set(status, (sum.get(status) ?? 0) + count)
  }
  return sum
}

/** Whether anything was lost, doubled or wrong. */
export function isDamaged({ lost, doubled, wrong }: Tally): boolean {
  return lost + doubled + wrong > 0
}

/**
 * Compares what was acknowledged with what is there: conversations without a call or recording are lost, those with
 * several are doubled.
 */
export async function countConversations(service: ServiceUnderStorm, acknowledged: readonly string[]): Promise<Tally> {
  const calls = await service.countBy('connect.call', 'voiceai_conversation_id', acknowledged)
  const recordings = await service.countBy('connect.recording', 'sid', acknowledged)
  const tally = { ...calm(), of: acknowledged.length }
  for (const id of acknowledged) {
    const [call, recording] = [calls.get(id) ?? 0, recordings.get(id) ?? 0]
    if (call === 0 || recording === 0) tally.lost += 1
    else if (call > 1 || recording > 1) tally.doubled += 1
  }
  return tally
}

/**
 * Repeats a round while another one as long as the last fits into the storm's time, or until enough was broken; one that did
 * damage is the last, so that it can be looked at.
 */
export async function rounds({ endsAtMs, times }: Weather, blowOnce: () => Promise<Tally>): Promise<Tally> {
  let tally = calm()
  for (let round = 1; ; round += 1) {
    const began = performance.now()
    tally = addTally(tally, await blowOnce())
    const now = performance.now()
    const isOver = times === undefined ? now + (now - began) > endsAtMs : countBreaks(tally, round) >= times
    if (isDamaged(tally) || isOver) return tally
  }
}

/** A round breaks something once, where nothing else is said. */
function countBreaks({ recoveriesMs = [] }: Tally, rounds: number): number {
  return recoveriesMs.length === 0 ? rounds : recoveriesMs.length
}

/** Waits until the check holds; false when it does not in time. */
export async function eventually(check: () => Promise<boolean>, timeoutMs: number): Promise<boolean> {
  const end = performance.now() + timeoutMs
  for (;;) {
    if (await check().catch(() => false)) return true
    if (performance.now() > end) return false
    await pause(CHECK_EVERY_MS)
  }
}

const CHECK_EVERY_MS = 100

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

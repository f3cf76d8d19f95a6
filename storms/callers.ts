// Callers who ring while a storm blows: each has to hear something, if only a sentence.
import { randomUUID } from 'node:crypto'
import { aVoiceRequest, sendSigned } from '../tests/support/telco.ts'
import { pause } from './storm.ts'

export const VOICE_ROUTE = '/telco/webhook/number'
const PER_SECOND = 4
/** The phone provider gives up then. */
const PATIENCE_MS = 15_000
const MS_PER_SECOND = 1_000

export interface Heard {
  /** Those who heard something, by the id of their call. */
  answered: string[]
  /** Callers who heard the phone provider's own words for a failure, because we had none in time. */
  unanswered: number
  longestMs: number
}

/** Rings until it is told to stop. */
export async function ring({ url, until }: { url(): string; until(): boolean }): Promise<Heard> {
  const heard: Heard = { answered: [], unanswered: 0, longestMs: 0 }
  const underWay = new Set<Promise<void>>()
  while (!until()) {
    const call = ringOnce(url(), heard).finally(() => underWay.delete(call))
    underWay.add(call)
    await pause(MS_PER_SECOND / PER_SECOND)
  }
  await Promise.all(underWay)
  return heard
}

async function ringOnce(url: string, heard: Heard): Promise<void> {
  const sid = aCallSid()
  const asked = performance.now()
  const status = await Promise.race([
    sendSigned(url, VOICE_ROUTE, aVoiceRequest({ CallSid: sid })).catch(() => 0),
    pause(PATIENCE_MS).then(() => 0),
  ])
  heard.longestMs = Math.max(heard.longestMs, performance.now() - asked)
  if (status === 200) heard.answered.push(sid)
  else heard.unanswered += 1
}

/** The id of a call that nobody has had before. */
export function aCallSid(): string {
  return `CA${randomUUID().replaceAll('-', '')}`
}

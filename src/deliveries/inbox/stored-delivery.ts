import { randomBytes } from 'node:crypto'
import { storedTime } from '../../time.ts'

/** Tells this process from every other one; asking the system for random bytes costs more than the rest of a key. */
const PROCESS = randomBytes(8).toString('hex')
const TIME_DIGITS = 9
const BASE = 36

let deliveries = 0

/** A delivery as it is kept until it has been worked on. */
export interface StoredDelivery {
  kind: string
  conversation: string | undefined
  payload: string
  mediaRef: string | undefined
  /** What its payload was read as when it came, for the person who works on it at once; it is not kept. */
  read?: object | undefined
}

/** A delivery with what makes it the same one wherever it is kept: stored twice under one key it is stored once. */
export interface KeyedDelivery extends StoredDelivery {
  key: string
  receivedAt: string
}

/** Gives a delivery its key. Keys ascend with time, so that their index grows at one end. */
export function withKey(delivery: StoredDelivery, now: Date): KeyedDelivery {
  const time = now.getTime().toString(BASE).padStart(TIME_DIGITS, '0')
  deliveries += 1
  return { ...delivery, key: `${time}-${PROCESS}${deliveries.toString(BASE)}`, receivedAt: storedTime(now) }
}

/** The row of a delivery that waits; until `next` nobody else looks at it. */
export function waitingRow(delivery: KeyedDelivery, next: Date): object {
  return { ...columnsOf(delivery), state: 'received', attempts: 0, next_attempt_at: storedTime(next) }
}

/** The row of a delivery that was worked on already. */
export function endedRow(delivery: KeyedDelivery, state: string): object {
  return { ...columnsOf(delivery), state, attempts: 1, next_attempt_at: null }
}

function columnsOf({ key, kind, conversation, payload, mediaRef, receivedAt }: KeyedDelivery): object {
  const [about, audio] = [conversation ?? null, mediaRef ?? null]
  return { key, kind, conversation: about, payload, media_ref: audio, received_at: receivedAt }
}

/** Reads a delivery from its text on disk; undefined when it is none. One of an earlier version goes by its file's name. */
export function parseKeyed(text: string, name: string): KeyedDelivery | undefined {
  try {
    const parsed = JSON.parse(text) as Partial<KeyedDelivery>
    const { kind, conversation, payload, mediaRef, key = name, receivedAt = timeOf(name) } = parsed
    if (typeof kind !== 'string' || typeof payload !== 'string') return undefined
    return { kind, conversation, payload, mediaRef, key, receivedAt }
  } catch {
    return undefined
  }
}

function timeOf(name: string): string {
  const ms = Number.parseInt(name, 10)
  return storedTime(new Date(Number.isNaN(ms) ? Date.now() : ms))
}

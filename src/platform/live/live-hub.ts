import type { Database } from '../../database/database.ts'
import { MISSED } from '../../database/listener.ts'
import { asError, Refusal } from '../../errors.ts'
import { parseJson } from '../../json.ts'
import type { Platform } from '../access/env.ts'
import type { Identities } from '../identity/identities.ts'
import { listOpenSessions } from '../identity/sessions.ts'
import type { ChangeNotice } from '../records/notify-changed.ts'
import { type Gathered, GatheredChanges } from './gathered-changes.ts'
import { LiveStream } from './live-stream.ts'
import { GatheredPresence, presentFor } from './presence.ts'
import { VisibleChanges } from './visible-changes.ts'

/** How long changes are gathered before browsers are told of them together. */
const GATHER_MS = 250
/** After a batch that took long: at least so many times as long until the next, so that most of the database is left to others. */
const REST_FACTOR = 4
/**
 * Connections are cut after 30 s of silence, here and by many proxies. It is an event and no comment, which an
 * `EventSource` does not pass on: a page that misses two knows that its stream is dead.
 */
const HEARTBEAT_EVERY_MS = 15_000
/** Streams at once: of one person, and of all. */
const STREAMS_MAX = { person: 20, all: 500 }

interface HubParts {
  db: Database
  platform: Platform
  identities: Identities
  /** Which build browsers are served. */
  build: () => string
  /** The model of the calls that notices name. */
  callModel: string
  heartbeatEveryMs?: number
}

/**
 * Tells open pages what changed, in whatever process: it listens once, and does nothing while nobody has a stream open.
 * A browser never hears of a record that its person may not read.
 */
export class LiveHub {
  readonly #parts: HubParts
  readonly #streams = new Set<LiveStream>()
  readonly #gathered = new GatheredChanges()
  readonly #present = new GatheredPresence()
  #timer: NodeJS.Timeout | undefined
  #beating: NodeJS.Timeout | undefined
  #isTelling = false
  #isStopped = false

  constructor(parts: HubParts) {
    this.#parts = parts
  }

  async start(): Promise<void> {
    const { db } = this.#parts
    await db.listen('connect_records', (payload) => this.#hear(payload))
    await db.listen('connect_presence', (payload) => this.#hearPresence(payload))
    await db.listen('connect_identity', () => void this.#endClosedSessions())
    // A second factor may be wanted from now on.
    await db.listen('connect_settings', () => void this.#endClosedSessions())
  }

  /** Says goodbye to every browser, which then looks for the next process; nobody is let in any more. */
  stop(): void {
    this.#isStopped = true
    clearTimeout(this.#timer)
    clearInterval(this.#beating)
    for (const stream of this.#streams) stream.end('bye')
  }

  /** Streams that are open. */
  get size(): number {
    return this.#streams.size
  }

  /** A stream for the person of a session. Throws a refusal when there are too many. */
  open(owner: LiveStream['owner']): LiveStream {
    this.#requireRoom(owner.userId)
    const { platform, build } = this.#parts
    const stream = new LiveStream(owner)
    this.#streams.add(stream)
    stream.body.once('close', () => this.#close(stream))
    const everyMs = this.#parts.heartbeatEveryMs ?? HEARTBEAT_EVERY_MS
    stream.send('hello', {
      build: build(),
      at: platform.clock().toISOString(),
      user: owner.userId,
      heartbeat_ms: everyMs,
    })
    this.#beating ??= setInterval(() => this.#beat(), everyMs).unref()
    return stream
  }

  #requireRoom(userId: number): void {
    if (this.#isStopped) throw new Refusal('unavailable', 'service-stopping-try-again')
    const own = [...this.#streams].filter((stream) => stream.owner.userId === userId)
    if (own.length >= STREAMS_MAX.person) {
      throw new Refusal('too-many', 'person-has-at-most-streams-open', { person: STREAMS_MAX.person })
    }
    if (this.#streams.size >= STREAMS_MAX.all) {
      throw new Refusal('too-many', 'at-most-streams-open-at-once', { all: STREAMS_MAX.all })
    }
  }

  #close(stream: LiveStream): void {
    this.#streams.delete(stream)
    if (this.#streams.size > 0) return
    clearInterval(this.#beating)
    clearTimeout(this.#timer)
    this.#beating = undefined
    this.#timer = undefined
    this.#gathered.clear()
    this.#present.clear()
  }

  #hear(payload: string): void {
    if (this.#streams.size === 0 || this.#isStopped) return
    const notice = payload === MISSED ? undefined : (parseJson(payload) as ChangeNotice | undefined)
    if (notice === undefined) this.#gathered.miss()
    else this.#gathered.add(notice)
    this.#tellLater(GATHER_MS)
  }

  /** Anyone who is missed is heard of again. */
  #hearPresence(payload: string): void {
    if (this.#streams.size === 0 || this.#isStopped || payload === MISSED) return
    this.#present.add(payload)
    this.#tellLater(GATHER_MS)
  }

  #tellLater(delayMs: number): void {
    if (this.#isTelling || this.#isStopped || this.#timer !== undefined) return
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      void this.#tell()
    }, delayMs).unref()
  }

  /** One batch after the other, so that a browser hears them in their order. */
  async #tell(): Promise<void> {
    this.#isTelling = true
    const began = performance.now()
    const streams = [...this.#streams]
    const batch = this.#gathered.take()
    try {
      if (batch === 'missed') for (const stream of streams) stream.send('reset')
      else await this.#tellChanges(streams, batch)
      await this.#tellPresent(streams)
    } catch (error) {
      this.#parts.platform.log.warn({ err: asError(error) }, 'open pages cannot be told what changed; they load again')
      for (const stream of streams) stream.send('reset')
    } finally {
      this.#isTelling = false
      const restMs = Math.max(GATHER_MS, REST_FACTOR * (performance.now() - began))
      if (!this.#gathered.isEmpty || !this.#present.isEmpty) this.#tellLater(restMs)
    }
  }

  async #tellChanges(streams: readonly LiveStream[], batch: readonly Gathered[]): Promise<void> {
    const { db, platform, identities, callModel } = this.#parts
    const visible = new VisibleChanges({ db, models: platform.models, callModel }, batch)
    for (const [userId, own] of Map.groupBy(streams, (stream) => stream.owner.userId)) {
      const identity = await identities.byId(userId)
      const changes = identity === undefined ? 'signed-out' : await visible.of(identity)
      for (const stream of own) {
        if (changes === 'signed-out') stream.end(changes)
        else if (changes.length > 0) stream.send('records', { changes })
      }
    }
  }

  /** Never to those who do not see the record. */
  async #tellPresent(streams: readonly LiveStream[]): Promise<void> {
    const notices = this.#present.take()
    if (notices.length === 0) return
    const { db, platform, identities, callModel } = this.#parts
    const records = [...Map.groupBy(notices, ({ model }) => model)].map(([model, ofModel]) => ({
      model,
      isGone: false,
      ids: new Set(ofModel.map(({ id }) => id)),
      calls: new Set<number>(),
    }))
    const visible = new VisibleChanges({ db, models: platform.models, callModel }, records)
    for (const [userId, own] of Map.groupBy(streams, (stream) => stream.owner.userId)) {
      const identity = await identities.byId(userId)
      if (identity === undefined) continue
      const seen = new Map((await visible.of(identity)).map(({ model, ids }) => [model, new Set(ids ?? [])]))
      const people = presentFor(userId, notices, seen)
      if (people.length > 0) for (const stream of own) stream.send('present', { people })
    }
  }

  #beat(): void {
    for (const stream of this.#streams) stream.send('heartbeat')
    void this.#endClosedSessions()
  }

  /** Ends the streams of sessions that are over: signed out, run out, or their person archived. */
  async #endClosedSessions(): Promise<void> {
    if (this.#streams.size === 0) return
    const { db, platform } = this.#parts
    const streams = [...this.#streams]
    const tokens = streams.map((stream) => stream.owner.token)
    try {
      const open = await listOpenSessions(db, tokens, platform.clock())
      for (const stream of streams) if (!open.has(stream.owner.token)) stream.end('signed-out')
    } catch (error) {
      platform.log.warn({ err: asError(error) }, 'the sessions of open pages cannot be looked up; they are next time')
    }
  }
}

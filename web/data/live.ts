import type { QueryClient, QueryKey } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { loadSoundsAgain, sayBack, streamTellsBack } from './back.ts'
import { onSignedOut, saySignedOut } from './client.ts'
import { type Change, isCounted, isOld } from './invalidation.ts'
import { type Hello, type News, openStream } from './live-stream.ts'
import { isPagedList, patchPages } from './patch-pages.ts'
import { notePresent } from './present.ts'
import { askFailedAgain, readAnew } from './read-anew.ts'
import { leavePage } from './session.ts'
import { startFacts } from './start.ts'

/** After this long without the stream the page says so. */
const LOST_MS = 5_000
/** Until the service has said how often it is heard of. */
const HEARTBEAT_MS = 15_000
/** So many heartbeats without one, and the stream is dead, whatever the browser takes it for. */
const MISSED_MAX = 2
/** On their way. */
const LATE_MS = 1_000
const LOOK_MS = 1_000
/** Figures that are counted over many records are read again so often at most. */
const COUNTED_EVERY_MS = 2_000
/** Between two batches of changes: the browser draws, and others are asked. */
const REST_MS = 50

export interface LiveState {
  /** Undefined until the stream has been open once. */
  isOpen: boolean | undefined
  /** When something was last heard, in milliseconds since 1970. */
  heardAt: number | undefined
  /** The service serves another build than this page is of. */
  isOutdated: boolean
}

let state: LiveState = { isOpen: undefined, heardAt: undefined, isOutdated: false }
const listeners = new Set<() => void>()

function change(part: Partial<LiveState>): void {
  state = { ...state, ...part }
  for (const listener of listeners) listener()
}

/** How far what is shown can be trusted to be of now. */
export function useLive(): LiveState {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => state,
  )
}

/** Whether every change is heard of. */
export function isLive(): boolean {
  return state.isOpen === true
}

let resume = () => {}

/** Hears again after somebody has signed in anew. */
export function resumeLive(): void {
  resume()
}

/** From now on what the service says is new is read anew where it is shown, for this person. */
export function startLive(queries: QueryClient, user: number): void {
  const refresher = new Refresher(queries)
  streamTellsBack(true)
  // The stream ends with the session.
  onSignedOut(() => streamTellsBack(false))
  const pulse = { heardAt: Date.now(), everyMs: HEARTBEAT_MS }
  let lost: ReturnType<typeof setTimeout> | undefined
  const stream = openStream((news: News) => {
    if (news.kind === 'lost') {
      lost ??= setTimeout(() => change({ isOpen: false }), LOST_MS)
      return
    }
    clearTimeout(lost)
    lost = undefined
    if (news.kind === 'signed-out') {
      change({ isOpen: false })
      saySignedOut()
      return
    }
    pulse.heardAt = Date.now()
    change({ isOpen: true, heardAt: pulse.heardAt })
    if (news.kind === 'hello' || news.kind === 'open') {
      pulse.everyMs = news.heartbeat_ms ?? HEARTBEAT_MS
      noticeHello(news, user)
    }
    if (news.kind === 'present') notePresent(news.people)
    tellRefresher(refresher, news)
    if (HEARD.includes(news.kind)) noticeBack(news, queries)
  })
  resume = () => stream.resume()
  watch(() => {
    if (Date.now() - pulse.heardAt <= MISSED_MAX * pulse.everyMs + LATE_MS) return
    // The next one has as long to say something.
    pulse.heardAt = Date.now()
    change({ isOpen: false })
    stream.reopen()
  })
}

function tellRefresher(refresher: Refresher, news: News): void {
  if (news.kind === 'records') refresher.add(news.changes)
  if (news.kind === 'hello' || news.kind === 'reset') refresher.addAll()
}

/** News of these kinds come from the service itself, now. */
const HEARD: readonly News['kind'][] = ['hello', 'heartbeat', 'reset']

function noticeBack({ kind }: News, queries: QueryClient): void {
  streamTellsBack(true)
  void askFailedAgain(queries)
  sayBack()
  if (kind === 'hello') loadSoundsAgain()
}

function noticeHello(hello: { kind: 'hello' | 'open' } & Hello, user: number): void {
  // Somebody else has signed in in this browser: nothing of what this page shows is theirs.
  if (hello.user !== undefined && hello.user !== user) leavePage()
  if (tellsNewer(hello, startFacts().build)) change({ isOutdated: true })
}

/** Whether the service serves a newer build than this page's own. What another tab was told once, and passes on, is the older one. */
export function tellsNewer({ kind, build }: { kind: 'hello' | 'open'; build: string }, own: string): boolean {
  return kind === 'hello' && own !== '' && build !== '' && build !== own
}

/** Looks by the clock of this page, and at once when it has slept, or is looked at again. */
function watch(look: () => void): void {
  setInterval(look, LOOK_MS)
  document.addEventListener('visibilitychange', look)
  for (const event of ['focus', 'pageshow', 'online']) window.addEventListener(event, look)
  window.addEventListener('offline', () => change({ isOpen: false }))
}

/** Reads anew what is old, one batch after the other: however much changes, a tab asks for it once at a time. */
class Refresher {
  readonly #queries: QueryClient
  #changes: Change[] = []
  #isAll = false
  #isBusy = false
  #countedAt = 0
  #counted: ReturnType<typeof setTimeout> | undefined
  readonly #oldCounts = new Set<string>()

  constructor(queries: QueryClient) {
    this.#queries = queries
  }

  add(changes: readonly Change[]): void {
    this.#changes.push(...changes)
    void this.#work()
  }

  /** Some of it may have been missed. */
  addAll(): void {
    this.#isAll = true
    void this.#work()
  }

  async #work(): Promise<void> {
    if (this.#isBusy) return
    this.#isBusy = true
    while (this.#isAll || this.#changes.length > 0) {
      const [isAll, changes] = [this.#isAll, this.#changes]
      this.#isAll = false
      this.#changes = []
      // What cannot be read says so where it is shown.
      await (isAll ? this.#refreshAll() : this.#refresh(changes)).catch(() => undefined)
      await new Promise((resolve) => setTimeout(resolve, REST_MS))
    }
    this.#isBusy = false
  }

  /** When the page opens, what it reads meanwhile is new enough. */
  #refreshAll(): Promise<void> {
    return this.#queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[1] !== 'fields' })
  }

  async #refresh(changes: readonly Change[]): Promise<void> {
    const old = this.#queries.getQueryCache().findAll({ predicate: ({ queryKey }) => isOld(queryKey, changes) })
    const work: Promise<unknown>[] = []
    for (const query of old) {
      const { queryKey, state } = query
      if (isCounted(queryKey)) this.#countLater(queryKey)
      else if (isPagedList(queryKey, state.data)) work.push(patchPages(this.#queries, queryKey, changes))
      else work.push(readAnew(this.#queries, query))
    }
    await Promise.all(work)
  }

  #countLater(key: QueryKey): void {
    this.#oldCounts.add(JSON.stringify(key))
    this.#counted ??= setTimeout(
      () => {
        this.#counted = undefined
        this.#countedAt = Date.now()
        const keys = new Set(this.#oldCounts)
        this.#oldCounts.clear()
        const old = this.#queries.getQueryCache().findAll({
          predicate: ({ queryKey }) => keys.has(JSON.stringify(queryKey)),
        })
        for (const query of old) void readAnew(this.#queries, query)
      },
      Math.max(0, this.#countedAt + COUNTED_EVERY_MS - Date.now()),
    )
  }
}

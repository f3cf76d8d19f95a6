import { onSignedOut, send } from './client.ts'
import type { Change } from './invalidation.ts'
import type { Present } from './present.ts'

/** What the service says when a stream is opened. */
export interface Hello {
  build: string
  /** Who is signed in in this browser; a process of an older build does not say it, nor its heartbeat. */
  user?: number
  heartbeat_ms?: number
}

/** What a tab hears, whichever tab of the browser has the stream open. */
export type News =
  | ({ kind: 'hello' } & Hello)
  | { kind: 'heartbeat' }
  | { kind: 'records'; changes: Change[] }
  | { kind: 'present'; people: Present[] }
  | { kind: 'reset' }
  | { kind: 'signed-out' }
  | { kind: 'lost' }
  /** Asked by a tab that was just opened, answered by the one with the stream. */
  | { kind: 'who' }
  | ({ kind: 'open' } & Hello)
  /** Somebody has signed in again. */
  | { kind: 'resume' }

const ADDRESS = '/api/live'
const NAME = 'connect-live'
/** After the service refused the stream; what it cut is opened again by the browser. */
const TRY_AGAIN_MS = 5_000

/**
 * One stream for a browser: the tab that holds the lock has it open and passes on what it hears; when it is closed, the
 * next one gets the lock. Without locks, which only secure addresses have, each tab has its own.
 */
export function openStream(onNews: (news: News) => void): { resume(): void; reopen(): void } {
  const channel = 'locks' in navigator ? new BroadcastChannel(NAME) : undefined
  const stream = new Stream((news) => {
    channel?.postMessage(news)
    onNews(news)
  })
  channel?.addEventListener('message', ({ data }: MessageEvent<News>) => {
    if (data.kind === 'who') {
      // Somebody is signed in who was not.
      stream.resume()
      stream.answerWho(channel)
    } else if (data.kind === 'resume') stream.resume()
    else onNews(data)
  })
  channel?.postMessage({ kind: 'who' } satisfies News)
  if (channel === undefined) stream.open()
  else void navigator.locks.request(NAME, () => stream.openForEver())
  return {
    resume() {
      channel?.postMessage({ kind: 'resume' } satisfies News)
      stream.resume()
    },
    reopen: () => stream.reopen(),
  }
}

class Stream {
  readonly #pass: (news: News) => void
  #source: EventSource | undefined
  #isMine = false
  #hello: Hello | undefined

  constructor(pass: (news: News) => void) {
    this.#pass = pass
    onSignedOut(() => this.#stop())
  }

  openForEver(): Promise<never> {
    this.open()
    return new Promise(() => {})
  }

  open(): void {
    this.#isMine = true
    this.#source?.close()
    const source = new EventSource(ADDRESS)
    this.#source = source
    source.addEventListener('hello', ({ data }: MessageEvent<string>) => {
      this.#hello = JSON.parse(data) as Hello
      this.#pass({ kind: 'hello', ...this.#hello })
    })
    source.addEventListener('heartbeat', () => this.#pass({ kind: 'heartbeat' }))
    source.addEventListener('records', ({ data }: MessageEvent<string>) => {
      this.#pass({ kind: 'records', ...(JSON.parse(data) as { changes: Change[] }) })
    })
    source.addEventListener('present', ({ data }: MessageEvent<string>) => {
      this.#pass({ kind: 'present', ...(JSON.parse(data) as { people: Present[] }) })
    })
    source.addEventListener('reset', () => this.#pass({ kind: 'reset' }))
    source.addEventListener('signed-out', () => {
      this.#stop()
      this.#pass({ kind: 'signed-out' })
    })
    source.addEventListener('error', () => this.#onLost(source))
  }

  /** Opens it again, in the tab whose it is. */
  resume(): void {
    if (this.#isMine && this.#source === undefined) this.open()
  }

  /** Opens another one in place of one that says nothing any more, though nobody has ended it. */
  reopen(): void {
    if (this.#isMine && this.#source !== undefined) this.open()
  }

  answerWho(channel: BroadcastChannel): void {
    if (this.#isMine && this.#hello !== undefined) {
      channel.postMessage({ kind: 'open', ...this.#hello } satisfies News)
    }
  }

  #stop(): void {
    this.#source?.close()
    this.#source = undefined
    this.#hello = undefined
  }

  #onLost(source: EventSource): void {
    if (source !== this.#source) return
    this.#hello = undefined
    this.#pass({ kind: 'lost' })
    if (source.readyState !== EventSource.CLOSED) return
    setTimeout(() => {
      if (source !== this.#source) return
      // A refused stream does not say why; this question does, and the person who is signed out is asked to sign in.
      void send('/api/me')
        .catch(() => undefined)
        .then(() => {
          if (source === this.#source) this.open()
        })
    }, TRY_AGAIN_MS)
  }
}

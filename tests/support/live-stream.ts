// A browser's event stream, read as the HTML standard's "server-sent events" are.
import { request } from 'node:http'
import { startSession } from '../../src/platform/identity/sessions.ts'
import { eventually, type TestApp } from './test-app.ts'

interface HeardEvent {
  event: string
  data: { changes?: HeardChange[] } & Record<string, unknown>
}

export interface HeardChange {
  model: string
  ids: number[] | null
  gone?: true
  calls?: number[] | null
}

/** An open stream with everything heard on it so far. */
export class HeardStream {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly events: HeardEvent[] = []
  text = ''
  hasEnded = false
  readonly #close: () => void

  private constructor(status: number, headers: Readonly<Record<string, unknown>>, close: () => void) {
    this.status = status
    this.headers = headers
    this.#close = close
  }

  /** Resolves when the stream is open, or refused. */
  static open(app: TestApp, headers: Record<string, string>): Promise<HeardStream> {
    return new Promise((resolve, reject) => {
      const sent = request(`${app.url}/api/live`, { headers, agent: false }, (message) => {
        const stream = new HeardStream(message.statusCode ?? 0, message.headers, () => sent.destroy())
        message.setEncoding('utf8')
        message.on('data', (text: string) => stream.#read(text))
        message.on('close', () => {
          stream.hasEnded = true
        })
        message.on('error', () => undefined)
        resolve(stream)
      })
      sent.on('error', reject)
      sent.end()
    })
  }

  /** Every change that was heard of. */
  get changes(): HeardChange[] {
    return this.events.flatMap(({ data }) => data.changes ?? [])
  }

  /** Waits until an event of that name was heard. */
  hear(event: string): Promise<HeardEvent> {
    return eventually(async () => this.events.find((each) => each.event === event))
  }

  /** Waits until a change was heard of that fits. */
  hearChange(fits: (change: HeardChange) => boolean): Promise<HeardChange> {
    return eventually(async () => this.changes.find(fits))
  }

  async end(): Promise<void> {
    await eventually(async () => this.hasEnded)
  }

  close(): void {
    this.#close()
  }

  #read(text: string): void {
    this.text += text
    const blocks = this.text.split('\n\n')
    this.text = blocks.pop() ?? ''
    for (const block of blocks) {
      const [, event, data] = /^event: (.+)\ndata: (.+)$/.exec(block) ?? []
      if (event !== undefined && data !== undefined) this.events.push({ event, data: JSON.parse(data) })
    }
  }
}

/** Whether it is a change of that record, by its id. */
export function names({ model, ids }: HeardChange, wanted: string, id: number): boolean {
  return model === wanted && ids?.includes(id) === true
}

/** The cookie of a person who has signed in. */
export async function cookieOf(app: TestApp, userId: number): Promise<string> {
  return `connect_session=${await startSession(app.db, { userId, now: app.app.platform.clock() })}`
}

/** The open stream of a person, which has said hello. */
export async function streamOf(app: TestApp, userId: number): Promise<HeardStream> {
  const stream = await HeardStream.open(app, { cookie: await cookieOf(app, userId) })
  if (stream.status === 200) await stream.hear('hello')
  return stream
}

// The phone provider's side of transfers: it moves callers, and does not always, and does not always say so.
import { FakeTelco } from '../tests/support/fake-telco.ts'
import type { Weather } from './storm.ts'

/** What can befall a redirect. `unheard` is one that was done, but its answer got lost. */
export type Mishap = 'killed before' | 'killed after' | 'refused' | 'not reached' | 'unheard'

const REDIRECT = /^\/Calls\/(CA\w+)\.json$/
// A call that is not going on cannot be redirected (https://www.twilio.com/docs/api/errors/21220).
const REFUSAL = { code: 21220, message: 'Call is not in-progress. Cannot redirect.', status: 400 }

export class MovingProvider {
  /** How many redirects it was asked for. */
  asked = 0
  /** What happens to the next ones, each once. */
  mishaps: Mishap[] = []
  readonly #telco: FakeTelco
  readonly #moves = new Map<string, string[]>()
  readonly #kill: () => void

  private constructor(telco: FakeTelco, kill: () => void) {
    this.#telco = telco
    this.#kill = kill
    telco.on('POST', REDIRECT, (request) => this.#redirect(request), Number.POSITIVE_INFINITY)
  }

  /** `kill` ends the service that asks. */
  static async start({ afterwards }: Weather, kill: () => void): Promise<MovingProvider> {
    const telco = await FakeTelco.start()
    afterwards(() => telco.stop())
    return new MovingProvider(telco, kill)
  }

  get url(): string {
    return this.#telco.url
  }

  /** What a caller was connected with, the oldest first. */
  movesOf(sid: string): readonly string[] {
    return this.#moves.get(sid) ?? []
  }

  #redirect({ path, form }: { path: string; form: URLSearchParams }) {
    this.asked += 1
    const mishap = this.mishaps.pop()
    if (mishap === 'refused') return { status: REFUSAL.status, body: REFUSAL }
    const [, sid = ''] = REDIRECT.exec(path) ?? []
    if (mishap !== 'killed before' && mishap !== 'not reached') {
      this.#moves.set(sid, [...this.movesOf(sid), form.get('Twiml') ?? ''])
    }
    if (mishap === 'killed before' || mishap === 'killed after') this.#kill()
    return mishap === undefined ? { body: { sid, status: 'in-progress' } } : { isCut: true }
  }
}

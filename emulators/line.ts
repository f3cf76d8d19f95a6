import { Mailbox } from './mailbox.ts'
import type { VirtualClock } from './virtual-clock.ts'

/** Why somebody's waiting on a line is over. */
export class CallEnded extends Error {
  override readonly name = 'CallEnded'

  constructor() {
    super('the call has ended')
  }
}

/** A call as one of its parties holds it in the hand. */
export interface Line {
  readonly clock: VirtualClock
  /** Aborted, with `CallEnded`, when the call is over. */
  readonly ended: AbortSignal
  /** Speaks; the other side has heard it when this returns. */
  say(words: string, seconds?: number): Promise<void>
  press(keys: string): Promise<void>
  /** What is heard next, from the other party or a prompt. Rejects with `CallEnded`. */
  listen(): Promise<string>
  hangUp(): void
}

/** A call that rings somewhere. */
export interface Invitation {
  readonly callSid: string
  readonly from: string
  readonly to: string
  /** Headers of a SIP call, parameters of a web phone call. */
  readonly extras: Readonly<Record<string, string>>
}

/** How a ringing call is taken: answered, or the reason why not. */
export type RingAnswer =
  | {
      readonly kind: 'answered'
      /** How long it rings before. */
      readonly afterSeconds: number
      talk(line: Line): Promise<void>
    }
  | { readonly kind: 'busy' | 'no-answer' | 'failed'; readonly sipCode: number }

/** Everything that can be called: a person, a machine, a voice agent. */
export interface Party {
  /** Decides what to do about the ringing; `signal` is aborted when it stops before that. */
  ring(invitation: Invitation, signal: AbortSignal): Promise<RingAnswer>
}

/** What a machine at the other end notices of a party: keys, and when speaking starts and ends. */
export type HeardSound =
  | { readonly kind: 'key'; readonly key: string }
  | { readonly kind: 'speaking' }
  | { readonly kind: 'speech'; readonly words: string }
  | { readonly kind: 'prompts-over' }

const KEY_SECONDS = 0.2
const WORDS_PER_SECOND = 2.5

/** How long it takes to say this. */
export function speechSeconds(words: string): number {
  return Math.max(1, Math.ceil(words.trim().split(/\s+/).length / WORDS_PER_SECOND))
}

/** One party's ear and mouth. While two are joined they hear each other; else a machine listens to `sounds`. */
export class Handset implements Line {
  readonly clock: VirtualClock
  readonly sounds = new Mailbox<HeardSound>()
  /** Everything that was heard, for the person who asks afterwards. */
  readonly log: string[] = []
  readonly #heard = new Mailbox<string>()
  readonly #ended = new AbortController()
  readonly #onHangUp: () => void
  readonly #onSpeech: (words: string) => void
  #other: Handset | undefined

  constructor(clock: VirtualClock, on: { hangUp(): void; speech?(words: string): void }) {
    this.clock = clock
    this.#onHangUp = () => on.hangUp()
    this.#onSpeech = (words) => on.speech?.(words)
  }

  get ended(): AbortSignal {
    return this.#ended.signal
  }

  async say(words: string, seconds = speechSeconds(words)): Promise<void> {
    if (this.#other === undefined) this.sounds.put({ kind: 'speaking' })
    await this.clock.sleep(seconds, this.ended)
    this.#onSpeech(words)
    if (this.#other === undefined) this.sounds.put({ kind: 'speech', words })
    else this.#other.hear(words)
  }

  async press(keys: string): Promise<void> {
    for (const key of keys) {
      await this.clock.sleep(KEY_SECONDS, this.ended)
      if (this.#other === undefined) this.sounds.put({ kind: 'key', key })
    }
  }

  listen(): Promise<string> {
    return this.#heard.take(this.ended)
  }

  hangUp(): void {
    this.#onHangUp()
  }

  /** Lets this party hear something. */
  hear(words: string): void {
    this.log.push(words)
    this.#heard.put(words)
  }

  join(other: Handset): void {
    this.#other = other
    other.#other = this
  }

  part(): void {
    if (this.#other !== undefined) this.#other.#other = undefined
    this.#other = undefined
  }

  /** The call is over for this party. */
  end(): void {
    this.part()
    this.#ended.abort(new CallEnded())
  }
}

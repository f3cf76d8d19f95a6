import { CallEnded, Handset } from '../../line.ts'
import type { VirtualClock } from '../../virtual-clock.ts'
import { newSid } from '../sids.ts'
import { type FinalStatus, isFinal, type LegStatus, type Subscription } from './call-status.ts'
import type { DocumentSource } from './document.ts'

export type LegDirection = 'inbound' | 'outbound-api' | 'outbound-dial'

export interface LegOptions {
  readonly clock: VirtualClock
  readonly direction: LegDirection
  readonly from: string
  readonly to: string
  readonly parent?: Leg | undefined
  readonly subscription?: Subscription | undefined
  /** Fields that every request about this leg carries besides the usual ones: of SIP, of an application. */
  readonly extras?: Readonly<Record<string, string>>
  onStatus(leg: Leg, status: LegStatus): void
}

/** The running document was taken away: the leg gets another one. */
export class Redirected extends Error {
  override readonly name = 'Redirected'
  readonly source: DocumentSource

  constructor(source: DocumentSource) {
    super('the call was given another document')
    this.source = source
  }
}

const MS_PER_SECOND = 1_000

/** One party's connection within a call. */
export class Leg {
  readonly sid = newSid('CA')
  readonly direction: LegDirection
  readonly from: string
  readonly to: string
  readonly parent: Leg | undefined
  readonly subscription: Subscription | undefined
  readonly extras: Readonly<Record<string, string>>
  readonly handset: Handset
  /** Words that were spoken on this leg, by whomever: recordings are made of them. */
  readonly spoken: string[] = []
  readonly createdAt: Date
  answeredAt: Date | undefined
  endedAt: Date | undefined
  sipCode: number | undefined
  /** Counts the events of this leg in callbacks. */
  sequence = 0
  readonly #clock: VirtualClock
  readonly #onStatus: (leg: Leg, status: LegStatus) => void
  #status: LegStatus
  #program: AbortController | undefined

  constructor(options: LegOptions) {
    this.#clock = options.clock
    this.direction = options.direction
    this.from = options.from
    this.to = options.to
    this.parent = options.parent
    this.subscription = options.subscription
    this.extras = options.extras ?? {}
    this.createdAt = options.clock.now()
    this.#status = options.direction === 'inbound' ? 'ringing' : 'queued'
    this.#onStatus = options.onStatus
    this.handset = new Handset(options.clock, {
      hangUp: () => this.hangUpByParty(),
      speech: (words) => this.#addWords(words),
    })
  }

  /** What the dialled party says is heard on the leg that dialled it, too. */
  #addWords(words: string): void {
    this.spoken.push(words)
    this.parent?.spoken.push(words)
  }

  get status(): LegStatus {
    return this.#status
  }

  get isOver(): boolean {
    return isFinal(this.#status)
  }

  get isAnswered(): boolean {
    return this.answeredAt !== undefined
  }

  /** The first leg of the call that this one belongs to. */
  get root(): Leg {
    return this.parent?.root ?? this
  }

  /** Seconds of conversation; 0 when it was never answered. */
  get durationSeconds(): number {
    if (this.answeredAt === undefined) return 0
    const endMs = (this.endedAt ?? this.#clock.now()).getTime()
    return Math.round((endMs - this.answeredAt.getTime()) / MS_PER_SECOND)
  }

  advance(status: 'initiated' | 'ringing'): void {
    if (!this.isOver) this.#set(status)
  }

  answer(): void {
    if (this.isOver || this.isAnswered) return
    this.answeredAt = this.#clock.now()
    this.#set('in-progress')
  }

  /** Ends the leg; a leg that is over stays as it is. */
  end(status: FinalStatus, sipCode?: number): void {
    if (this.isOver) return
    this.endedAt = this.#clock.now()
    this.sipCode = sipCode
    this.#set(status)
    this.#program?.abort(new CallEnded())
    this.handset.end()
  }

  /** The party at this end puts the phone down. Before anybody answered, that is an unanswered call. */
  hangUpByParty(): void {
    this.end(this.isAnswered ? 'completed' : 'no-answer')
  }

  /** Begins a document; the signal is aborted when the leg ends or is given another one. */
  beginProgram(): AbortSignal {
    this.#program = new AbortController()
    if (this.isOver) this.#program.abort(new CallEnded())
    return this.#program.signal
  }

  /** Takes the running document away and gives the leg another one. */
  redirect(source: DocumentSource): void {
    this.#program?.abort(new Redirected(source))
  }

  #set(status: LegStatus): void {
    this.#status = status
    this.#onStatus(this, status)
  }
}

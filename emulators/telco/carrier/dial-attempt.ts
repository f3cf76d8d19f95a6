import type { MarkupElement } from '../markup/element.ts'
import { subscription } from './call-status.ts'
import type { Leg } from './leg.ts'
import { RingingOver, ring } from './ring.ts'
import { absoluteAddress, methodOf, numberOf, type Stage } from './stage.ts'
import type { Target } from './targets.ts'

/** A leg that one dial has opened, and what it is for. */
export interface DialledLeg {
  readonly leg: Leg
  readonly target: Target
}

const TIMEOUT_SECONDS = 30

/** Opens the legs of a dial and rings them, all at once or one after the other, until one is answered. */
export class DialAttempt {
  readonly dialled: DialledLeg[] = []
  readonly #stage: Stage
  readonly #dial: MarkupElement
  #answered: DialledLeg | undefined

  constructor(stage: Stage, dial: MarkupElement) {
    this.#stage = stage
    this.#dial = dial
  }

  /** The leg that was answered; undefined when none was. Rejects when the dialling leg ends or is given another document. */
  async ring(targets: readonly Target[]): Promise<DialledLeg | undefined> {
    if (this.#dial.attributes.sequential === 'true') {
      for (const target of targets) if ((await this.#ringTogether([target])) !== undefined) break
    } else {
      await this.#ringTogether(targets)
    }
    return this.#answered
  }

  /** Ends every leg that is still there. */
  giveUp(): void {
    for (const { leg } of this.dialled) leg.end(leg.isAnswered ? 'completed' : 'canceled', leg.isAnswered ? 200 : 487)
  }

  async #ringTogether(targets: readonly Target[]): Promise<DialledLeg | undefined> {
    const { carrier, signal } = this.#stage
    const over = new AbortController()
    const until = AbortSignal.any([signal, over.signal])
    const seconds = numberOf(this.#dial.attributes.timeout, TIMEOUT_SECONDS)
    const timeout = carrier.clock.sleep(seconds, until).then(
      () => over.abort(new RingingOver('timeout')),
      () => undefined,
    )
    const legs = targets.map((target) => this.#open(target))
    const rings = legs.map((each) => this.#ringOne(each, until, over))
    const results = await Promise.allSettled(rings)
    over.abort(new RingingOver('answered elsewhere'))
    await timeout
    const failed = results.find((result) => result.status === 'rejected')
    if (failed !== undefined) throw failed.reason
    return this.#answered
  }

  async #ringOne(dialled: DialledLeg, signal: AbortSignal, over: AbortController): Promise<void> {
    const { leg, target } = dialled
    const mayAnswer = (): boolean => this.#answered === undefined
    const isAnswered = await ring(this.#stage.carrier, { leg, extras: target.extras, signal, mayAnswer })
    if (!isAnswered) return
    this.#answered = dialled
    over.abort(new RingingOver('answered elsewhere'))
  }

  #open(target: Target): DialledLeg {
    const { carrier, leg: parent } = this.#stage
    const report = target.subscription
    const leg = carrier.openLeg({
      direction: 'outbound-dial',
      from: this.#dial.attributes.callerId ?? parent.from,
      to: target.to,
      parent,
      subscription:
        report === undefined
          ? undefined
          : subscription(absoluteAddress(this.#stage, report.url), {
              events: [...report.events].join(' '),
              method: methodOf(report.method),
            }),
    })
    const dialled = { leg, target }
    this.dialled.push(dialled)
    return dialled
  }
}

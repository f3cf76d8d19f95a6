import { randomUUID } from 'node:crypto'
import webhooks from 'twilio/lib/webhooks/webhooks.js'
import type { Faults } from '../../faults.ts'
import type { Problems } from '../../problems.ts'
import type { Outcome, ServiceLink } from '../../service-link.ts'
import type { VirtualClock } from '../../virtual-clock.ts'
import type { Account } from '../account.ts'
import type { Fields } from './fields.ts'
import { readWebhookAddress, type WebhookAddress } from './webhook-address.ts'

const { getExpectedTwilioSignature } = webhooks

export interface WebhookParts {
  readonly account: Account
  readonly link: ServiceLink
  readonly clock: VirtualClock
  readonly problems: Problems
  readonly faults: Faults
  readonly signatureHeader: string
}

export interface Delivery {
  /** Reports of one family arrive in the order in which they were made; its voice requests wait for them. */
  readonly family: string
  readonly method: 'GET' | 'POST'
  /** As configured, fragment and all. */
  readonly address: string
  readonly fields: Fields
}

/** A webhook that was delivered, for the person who asks afterwards. */
export interface DeliveredWebhook {
  readonly url: string
  readonly fields: Fields
  readonly outcome: Outcome
}

/** What the service says to a request that is not the provider's (docs/reference/contract.md#telephony-signature). */
const REFUSALS = [/^False$/, /Invalid Telco request!/]
/** Long demonstrations must not fill the memory. */
const DELIVERED_MAX = 20_000
const WRONG_TOKEN = '00000000000000000000000000000000'

/** Signs and sends the provider's webhooks, and does to reports what the wished-for faults do. */
export class Webhooks {
  readonly delivered: DeliveredWebhook[] = []
  readonly #parts: WebhookParts
  readonly #queues = new Map<string, Promise<void>>()

  constructor(parts: WebhookParts) {
    this.#parts = parts
  }

  /** Asks for something and waits for the answer, which steers a call or answers a message. */
  async ask(delivery: Delivery): Promise<Outcome> {
    const { clock, faults } = this.#parts
    return clock.during(async () => {
      await this.#queues.get(delivery.family)
      const token = randomUUID()
      if (faults.repeatsVoice()) await this.#deliver(delivery, token)
      return this.#deliver(delivery, token)
    })
  }

  /** Reports something; the answer matters to nobody. Returns at once. */
  report(delivery: Delivery): void {
    const { clock, faults } = this.#parts
    const { delaysSeconds, isForged } = faults.plan()
    const token = randomUUID()
    if (isForged) void clock.during(() => this.#forge(delivery))
    for (const seconds of delaysSeconds) {
      if (faults.isDisorderly) void this.#later(delivery, token, seconds)
      else this.#queue(delivery, token)
    }
  }

  /** Waits until every report of this family that is under way has arrived. */
  async settled(family: string): Promise<void> {
    await this.#queues.get(family)
  }

  async #later(delivery: Delivery, token: string, seconds: number): Promise<void> {
    const { clock } = this.#parts
    await clock.sleep(seconds)
    await clock.during(() => this.#sendReport(delivery, token))
  }

  #queue(delivery: Delivery, token: string): void {
    const before = this.#queues.get(delivery.family) ?? Promise.resolve()
    const sending = this.#parts.clock.during(async () => {
      await before
      await this.#sendReport(delivery, token)
    })
    this.#queues.set(delivery.family, sending)
  }

  async #sendReport(delivery: Delivery, token: string): Promise<void> {
    const outcome = await this.#deliver(delivery, token)
    const { problems } = this.#parts
    if (outcome.kind === 'failed') {
      problems.add({ where: 'telco', code: 11200, message: `${delivery.address}: ${outcome.message}` })
    } else if (outcome.status < 200 || outcome.status >= 300) {
      problems.add({ where: 'telco', code: 11200, message: `${delivery.address} answered HTTP ${outcome.status}` })
    }
  }

  async #deliver(delivery: Delivery, idempotencyToken: string): Promise<Outcome> {
    const address = readWebhookAddress(delivery.address)
    for (const message of address.problems) this.#parts.problems.add({ where: 'telco', message })
    for (let tries = 0; ; tries += 1) {
      const outcome = await this.#send(delivery, address, {
        idempotencyToken,
        authToken: this.#parts.account.authToken,
      })
      if (tries >= address.retriesMax || !isRetried(outcome, address)) {
        this.delivered.push({ url: address.url, fields: delivery.fields, outcome })
        if (this.delivered.length > DELIVERED_MAX) this.delivered.shift()
        return outcome
      }
    }
  }

  #send(
    { method, fields }: Delivery,
    { url, totalTimeoutMs: timeoutMs }: WebhookAddress,
    { idempotencyToken, authToken }: { idempotencyToken: string; authToken: string },
  ): Promise<Outcome> {
    const encoded = new URLSearchParams(fields).toString()
    const target = method === 'GET' ? `${url}${url.includes('?') ? '&' : '?'}${encoded}` : url
    const signature = getExpectedTwilioSignature(authToken, target, method === 'GET' ? {} : fields)
    return this.#parts.link.send({
      method,
      url: target,
      timeoutMs,
      headers: {
        'user-agent': 'TwilioProxy/1.1',
        'i-twilio-idempotency-token': idempotencyToken,
        [this.#parts.signatureHeader]: signature,
        ...(method === 'POST' ? { 'content-type': 'application/x-www-form-urlencoded; charset=UTF-8' } : {}),
      },
      body: method === 'POST' ? encoded : '',
    })
  }

  /** Somebody who does not know the token reports the opposite; the service must refuse. */
  async #forge(delivery: Delivery): Promise<void> {
    const address = readWebhookAddress(delivery.address)
    const fields = { ...delivery.fields, CallStatus: 'failed', MessageStatus: 'failed', RecordingStatus: 'failed' }
    const secrets = { idempotencyToken: randomUUID(), authToken: WRONG_TOKEN }
    const outcome = await this.#send({ ...delivery, fields }, address, secrets)
    if (outcome.kind === 'failed') return
    const said = outcome.body.toString('utf8')
    if (outcome.status >= 400 || REFUSALS.some((refusal) => refusal.test(said))) return
    const message = `a forged report was accepted at ${address.url} with "${said}"`
    this.#parts.problems.add({ where: 'telco', message })
  }
}

function isRetried(outcome: Outcome, { retriesOn }: WebhookAddress): boolean {
  const isAny = retriesOn.includes('all')
  if (outcome.kind === 'failed') return isAny || retriesOn.includes(outcome.reason === 'connect' ? 'ct' : 'rt')
  if (outcome.status >= 500) return isAny || retriesOn.includes('5xx')
  return outcome.status >= 400 && (isAny || retriesOn.includes('4xx'))
}

import type { Party } from '../../line.ts'
import type { Problems } from '../../problems.ts'
import type { Outcome, ServiceLink } from '../../service-link.ts'
import type { VirtualClock } from '../../virtual-clock.ts'
import type { Account } from '../account.ts'
import { eventOf, isFinal, type LegStatus } from './call-status.ts'
import { type Fields, progressFields, voiceFields } from './fields.ts'
import { Leg, type LegOptions } from './leg.ts'
import type { Recorder } from './recorder.ts'
import { partyKey, sipHostOf } from './targets.ts'
import type { Webhooks } from './webhooks.ts'

/** A call over a media stream, as `Connect` opens it. */
export interface StreamStart {
  readonly url: string
  readonly parameters: Readonly<Record<string, string>>
  readonly callSid: string
  readonly from: string
  readonly to: string
}

/** Who answers at the other end of a media stream; undefined when nobody does. */
export type StreamPeer = (start: StreamStart) => Party | undefined

export interface CarrierParts {
  readonly account: Account
  readonly clock: VirtualClock
  readonly problems: Problems
  readonly link: ServiceLink
  readonly webhooks: Webhooks
  readonly recorder: Recorder
}

/** Seconds after which a call has its price. */
const PRICED_AFTER_SECONDS = 30
const PRICE_PER_MINUTE = 0.0085

/** The network: who can be reached, which calls there are, and what the service is told about them. */
export class Carrier {
  readonly account: Account
  readonly clock: VirtualClock
  readonly problems: Problems
  readonly link: ServiceLink
  readonly webhooks: Webhooks
  readonly recorder: Recorder
  /** Prices by call id, negative as the provider writes them. */
  readonly prices = new Map<string, string>()
  readonly #parties = new Map<string, Party>()
  readonly #sipPeers = new Map<string, Party>()
  readonly #streamPeers = new Map<string, StreamPeer>()
  readonly #legs = new Map<string, Leg>()

  constructor(parts: CarrierParts) {
    this.account = parts.account
    this.clock = parts.clock
    this.problems = parts.problems
    this.link = parts.link
    this.webhooks = parts.webhooks
    this.recorder = parts.recorder
  }

  /** From now on this party is at this address; an address has one party. */
  connect(address: string, party: Party): void {
    this.#parties.set(partyKey(address), party)
  }

  /** Calls to SIP addresses of this host go to somebody outside. */
  connectSipHost(host: string, party: Party): void {
    this.#sipPeers.set(host.toLowerCase(), party)
  }

  /** Media streams to this host are answered by somebody outside. */
  connectStreamHost(host: string, peer: StreamPeer): void {
    this.#streamPeers.set(host.toLowerCase(), peer)
  }

  disconnectAll(): void {
    this.#parties.clear()
  }

  findParty(address: string): Party | undefined {
    return this.#parties.get(partyKey(address)) ?? this.#sipPeers.get(sipHostOf(address))
  }

  findStreamPeer(url: string): StreamPeer | undefined {
    return this.#streamPeers.get(new URL(url).host.toLowerCase()) ?? this.#streamPeers.get(new URL(url).hostname)
  }

  openLeg(options: Omit<LegOptions, 'clock' | 'onStatus'>): Leg {
    const leg = new Leg({ ...options, clock: this.clock, onStatus: (each, status) => this.#reportStatus(each, status) })
    this.#legs.set(leg.sid, leg)
    return leg
  }

  findLeg(sid: string): Leg | undefined {
    return this.#legs.get(sid)
  }

  /** Newest first. */
  listLegs(): Leg[] {
    return [...this.#legs.values()].reverse()
  }

  childrenOf(leg: Leg): Leg[] {
    return [...this.#legs.values()].filter((each) => each.parent === leg)
  }

  /** Asks the service what to do with a leg. */
  askAbout(
    leg: Leg,
    { address, method, fields = {} }: { address: string; method: 'GET' | 'POST'; fields?: Fields },
  ): Promise<Outcome> {
    const all = { ...voiceFields(this.account.sid, leg), ...fields }
    return this.webhooks.ask({ family: leg.root.sid, method, address, fields: all })
  }

  #reportStatus(leg: Leg, status: LegStatus): void {
    if (isFinal(status)) this.#price(leg)
    const event = eventOf(status)
    // An incoming leg has one event, its end.
    if (event === undefined || (leg.direction === 'inbound' && !isFinal(status))) return
    const progress = progressFields(leg, { status, at: this.clock.now() })
    const { subscription } = leg
    if (subscription?.events.has(event) !== true) return
    const fields = { ...voiceFields(this.account.sid, leg), ...progress }
    const { url: address, method } = subscription
    this.webhooks.report({ family: leg.root.sid, method, address, fields })
  }

  #price(leg: Leg): void {
    const minutes = Math.ceil(leg.durationSeconds / 60)
    void this.clock.sleep(PRICED_AFTER_SECONDS).then(() => {
      this.prices.set(leg.sid, (-PRICE_PER_MINUTE * minutes).toFixed(5))
    })
  }
}

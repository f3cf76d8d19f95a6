import { type FaultOptions, Faults } from '../faults.ts'
import { EmulatorServer, type HttpRequest, type ReceivedRequest } from '../http-server.ts'
import type { Party } from '../line.ts'
import type { Act } from '../people.ts'
import { type Problem, Problems } from '../problems.ts'
import { type ServiceAddress, ServiceLink } from '../service-link.ts'
import { VirtualClock } from '../virtual-clock.ts'
import { Account, type AccountSnapshot } from './account.ts'
import { answerAskedCall } from './asked-calls.ts'
import { Carrier, type StreamPeer } from './carrier/carrier.ts'
import type { Fields } from './carrier/fields.ts'
import { type CallResult, callFromSipPhone, callFromWebPhone, callNumber, resultOf } from './carrier/incoming.ts'
import { type IncomingText, textAddressOf } from './carrier/incoming-text.ts'
import { Recorder } from './carrier/recorder.ts'
import { Texting, type TextReaction } from './carrier/texting.ts'
import { type DeliveredWebhook, Webhooks } from './carrier/webhooks.ts'
import { rfc2822 } from './dates.ts'
import { TelcoApi } from './rest/api.ts'
import { addNumber, type BoughtNumber } from './rest/incoming-numbers.ts'
import { addAddress, addBundle, type KnownAddress, type KnownBundle } from './rest/number-papers.ts'
import { addSender } from './rest/senders.ts'

export interface TelcoEmulatorOptions {
  /** 0, the default, takes a free one. */
  readonly port?: number
  /** Where the service is; may be told later with `connectService`. */
  readonly service?: ServiceAddress
  readonly accountSid?: string
  readonly authToken?: string
  /** API keys by their id, `SK…`, with their secrets. */
  readonly apiKeys?: Readonly<Record<string, string>>
  /** What an earlier emulator held; its credentials count in the place of those above. */
  readonly restore?: AccountSnapshot
  readonly numbers?: readonly BoughtNumber[]
  /** Addresses and approved papers, which some countries want of who buys a number. */
  readonly addresses?: readonly KnownAddress[]
  readonly bundles?: readonly KnownBundle[]
  /** Numbers of WhatsApp senders, E.164. */
  readonly whatsAppNumbers?: readonly string[]
  readonly faults?: FaultOptions
  /** Shared with the other emulator, so that both live in the same time. */
  readonly clock?: VirtualClock
  readonly problems?: Problems
  /** Hears of each problem when it comes up. */
  readonly onProblem?: (problem: Problem) => void
  /** Header that carries the signature; the provider's own unless told otherwise. */
  readonly signatureHeader?: string
  /** Scheme and host in the addresses of recordings; the real provider's unless told otherwise. */
  readonly mediaOrigin?: string
}

/** A leg as the provider lived it. */
export interface LegSummary {
  readonly sid: string
  readonly parentSid: string | undefined
  readonly to: string
  readonly status: string
  readonly durationSeconds: number
  /** Whether the service was told of its end. */
  readonly isEndReported: boolean
}

/** A recording as the provider made it. */
export interface RecordingSummary {
  readonly sid: string
  readonly source: string
  readonly seconds: number
  readonly words: string
  /** Whether the service was told that it is there. */
  readonly isReported: boolean
}

const SIGNATURE_HEADER = 'X-Twilio-Signature'
const MEDIA_ORIGIN = 'https://api.twilio.com'

/** The telephony provider on this machine: its REST API, its webhooks, and the people who can be called. */
export class TelcoEmulator {
  readonly account: Account
  readonly clock: VirtualClock
  readonly problems: Problems
  readonly #server: EmulatorServer
  readonly #link: ServiceLink
  readonly #carrier: Carrier
  readonly #texting: Texting

  constructor(parts: { server: EmulatorServer; link: ServiceLink; carrier: Carrier; texting: Texting }) {
    this.#server = parts.server
    this.#link = parts.link
    this.#carrier = parts.carrier
    this.#texting = parts.texting
    this.account = parts.carrier.account
    this.clock = parts.carrier.clock
    this.problems = parts.carrier.problems
  }

  /** For TELCO_BASE_URL. */
  get url(): string {
    return this.#server.url
  }

  /** What was asked through the API, newest last. */
  get requests(): readonly ReceivedRequest[] {
    return this.#server.received
  }

  /** What was delivered to the service, newest last. */
  get webhooks(): readonly DeliveredWebhook[] {
    return this.#carrier.webhooks.delivered
  }

  /** Every leg there was, newest first. */
  get legs(): LegSummary[] {
    // Calls by which the provider validates a number are no calls of the company.
    const reported = this.#reported(({ CallDuration: duration, VerificationStatus: verification, CallSid: sid }) =>
      duration === undefined || verification !== undefined ? undefined : sid,
    )
    return this.#carrier.listLegs().map((leg) => ({
      sid: leg.sid,
      parentSid: leg.parent?.sid,
      to: leg.to,
      status: leg.status,
      durationSeconds: leg.durationSeconds,
      isEndReported: reported.has(leg.sid),
    }))
  }

  /** Every recording that is not deleted, newest first. */
  get recordings(): RecordingSummary[] {
    const reported = this.#reported(({ RecordingStatus: status, RecordingSid: sid }) =>
      status === 'completed' ? sid : undefined,
    )
    return this.account.recordings.list().map(({ sid, source, duration }) => ({
      sid,
      source: String(source),
      seconds: Number(duration),
      words: this.#carrier.recorder.wordsOf(sid),
      isReported: reported.has(sid),
    }))
  }

  /** Ids that were told to the service, read from the fields of what was delivered. */
  #reported(idIn: (fields: Fields) => string | undefined): Set<string> {
    return new Set(this.webhooks.flatMap(({ fields }) => idIn(fields) ?? []))
  }

  connectService(address: ServiceAddress): void {
    this.#link.connect(address)
  }

  addNumber(number: BoughtNumber): void {
    addNumber(this.account, number, rfc2822(this.clock.now()))
  }

  /** Gives its id. */
  addAddress(address: KnownAddress): string {
    return addAddress(this.account, address, this.clock).sid
  }

  /** Gives its id. */
  addBundle(bundle: KnownBundle): string {
    return addBundle(this.account, bundle, this.clock).sid
  }

  addWhatsAppSender(number: string): void {
    addSender(this.account, { senderId: `whatsapp:${number}`, origin: this.url })
  }

  /** Adds an agent on RCS such as `acme_agent`, whose messages go where texts to that number of the account go. */
  addRcsSender(agent: string, number: string): void {
    const webhook = { callback_url: textAddressOf(this.account, number), callback_method: 'POST' }
    addSender(this.account, { senderId: `rcs:${agent}`, origin: this.url, webhook })
  }

  /** Puts somebody at an address: `+1…`, `client:ann@…`, `sip:ann@…`, `whatsapp:+1…`. */
  connect(address: string, party: Party): void {
    this.#carrier.connect(address, party)
  }

  /** Calls to SIP addresses of this host, such as a voice-agent platform's, go to this party. */
  connectSipHost(host: string, party: Party): void {
    this.#carrier.connectSipHost(host, party)
  }

  connectStreamHost(host: string, peer: StreamPeer): void {
    this.#carrier.connectStreamHost(host, peer)
  }

  /** Somebody calls a number of the account; settles when the call and all that belongs to it is over. */
  call(call: { from: string; to: string; acts: readonly Act[] }): Promise<CallResult> {
    return callNumber(this.#carrier, call)
  }

  callFromSipPhone(call: { user: string; domain: string; dialled: string; acts: readonly Act[] }): Promise<CallResult> {
    return callFromSipPhone(this.#carrier, call)
  }

  callFromWebPhone(call: {
    identity: string
    applicationSid: string
    parameters: Readonly<Record<string, string>>
    acts: readonly Act[]
  }): Promise<CallResult> {
    return callFromWebPhone(this.#carrier, call)
  }

  /** How a call went, also one that the service made. */
  callResult(sid: string): CallResult | undefined {
    const leg = this.#carrier.findLeg(sid)
    return leg === undefined ? undefined : resultOf(this.#carrier, leg)
  }

  /** Somebody writes to a number or sender of the account; gives the id of the message. */
  text(text: IncomingText): Promise<string> {
    return this.#texting.receive(text)
  }

  /** How texts to this address fare. */
  reactToTexts(address: string, reaction: TextReaction): void {
    this.#texting.react(address, reaction)
  }

  /** Words that were recorded. */
  recordedWords(recordingSid: string): string {
    return this.#carrier.recorder.wordsOf(recordingSid)
  }

  async stop(): Promise<void> {
    await this.#server.close()
    this.#link.close()
  }
}

/** Starts the emulator of the telephony provider. */
export async function startTelcoEmulator(options: TelcoEmulatorOptions = {}): Promise<TelcoEmulator> {
  const {
    clock = new VirtualClock(),
    problems = new Problems(options.onProblem),
    signatureHeader = SIGNATURE_HEADER,
    mediaOrigin = MEDIA_ORIGIN,
  } = options
  const account = new Account(options.restore ?? options)
  if (options.restore !== undefined) account.restore(options.restore)
  const link = new ServiceLink()
  if (options.service !== undefined) link.connect(options.service)
  const faults = new Faults(options.faults)
  const webhooks = new Webhooks({ account, link, clock, problems, faults, signatureHeader })
  const recorder = new Recorder({ account, clock, webhooks, mediaOrigin })
  const carrier = new Carrier({ account, clock, problems, link, webhooks, recorder })
  const texting = new Texting(carrier)
  const api = new TelcoApi(carrier, texting)
  const answer = async (request: HttpRequest) => answerAskedCall(carrier, request) ?? api.answer(request)
  const server = await EmulatorServer.start({ port: options.port ?? 0, answer })
  const emulator = new TelcoEmulator({ server, link, carrier, texting })
  for (const number of options.numbers ?? []) emulator.addNumber(number)
  for (const address of options.addresses ?? []) emulator.addAddress(address)
  for (const bundle of options.bundles ?? []) emulator.addBundle(bundle)
  for (const number of options.whatsAppNumbers ?? []) emulator.addWhatsAppSender(number)
  return emulator
}

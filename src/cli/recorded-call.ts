import { setTimeout as pause } from 'node:timers/promises'
import type { Installed } from '../app/checks/finding.ts'
import { type Connection, readSettings, ServiceRefusal } from '../app/own-api/connection.ts'
import { speechIdOf } from '../ports/speech-address.ts'
import type { MarkupElement } from '../telco/markup/parse.ts'
import {
  type FarEnd,
  type Input,
  legFields,
  ownTarget,
  playCall,
  type Step,
  WEBHOOKS,
} from '../telco/routing/rehearsal/caller-line.ts'

const MS_PER_SECOND = 1_000
/** How long the requests of a call may take until they stand in the log of deliveries, which is written after the replies. */
const LOGGED_WITHIN_MS = 5_000
const ASK_AGAIN_MS = 50
const MARK = 'Simulated by connect simulate call --record: no telephone was involved.'
/** Names that nobody has (RFC 2606), as an installation without an account has for its address. */
const RESERVED_NAME = /(?:^|\.)(?:example|example\.(?:com|net|org)|test|invalid|localhost)$/i

interface Wanted {
  from: string
  to: string
  inputs: readonly Input[]
  /** Also where callers may really call. */
  isSure: boolean
}

type Settings = Pick<Installed, 'api_url' | 'account_sid' | 'auth_token' | 'telco_verify_requests'>

/** A recorded call: what the caller hears, and its id in the ledger. */
interface RecordedCall {
  call: number
  steps: Step[]
}

/**
 * Calls one of our own numbers as the phone provider does: asks the running service with signed requests, and reports the
 * call and every phone that rings in vain. The ledger has the call then, marked as simulated. Throws a ServiceRefusal, with
 * nothing sent, when no service runs, when it would take no request of ours, or when its address is a real one.
 */
export async function recordCall(connection: Connection, wanted: Wanted): Promise<RecordedCall> {
  const { address } = connection
  if (address === undefined) {
    throw new ServiceRefusal(409, 'Only a running service records a call: npm start, then run this again.')
  }
  const settings = await readSettings<Settings>(connection)
  requireAllowed(settings, wanted.isSure)
  const provider = new Provider(connection, address, settings, wanted)
  const steps = await playCall(provider, `${WEBHOOKS}/number`, wanted.inputs)
  return { call: await provider.end(), steps }
}

function requireAllowed(
  { api_url: apiUrl, auth_token: token, telco_verify_requests: verifies }: Settings,
  isSure: boolean,
): void {
  if (verifies && token === null) {
    throw new ServiceRefusal(
      409,
      'The service takes signed requests only, and no auth_token is set. Without an account any text will do: connect settings set auth_token',
    )
  }
  const host = apiUrl !== null && URL.canParse(apiUrl) ? new URL(apiUrl).hostname : 'localhost'
  if (isSure || RESERVED_NAME.test(host)) return
  throw new ServiceRefusal(
    409,
    `${apiUrl} is a real address: the call would stand among those of your customers, and people would be told that they missed it. --yes records it all the same.`,
  )
}

/** The phone provider's part in one call. */
class Provider implements FarEnd {
  readonly #connection: Connection
  readonly #address: string
  readonly #settings: Settings
  /** Of the caller's leg. */
  readonly #fields: Readonly<Record<string, string>>
  readonly #startedMs = Date.now()
  /** Requests about the caller's leg. */
  #sent = 0

  constructor(connection: Connection, address: string, settings: Settings, { from, to }: Pick<Wanted, 'from' | 'to'>) {
    this.#connection = connection
    this.#address = address
    this.#settings = settings
    this.#fields = { ...legFields({ from, to, accountSid: settings.account_sid }), Direction: 'inbound' }
  }

  async answer(address: string, fields: Readonly<Record<string, string>>): Promise<string | undefined> {
    const target = ownTarget(this.#settings.api_url, address)
    if (target === undefined) return undefined
    // Once something was asked, somebody has picked up.
    const status = Object.keys(fields).length === 0 ? 'ringing' : 'in-progress'
    return this.#send(target, { ...this.#fields, CallStatus: status, ...fields })
  }

  async textOfAudio(address: string): Promise<string | undefined> {
    const id = speechIdOf(address)
    if (id === undefined) return undefined
    return this.#find('connect.voiceai_file', ['id', '=', Number(id)], 'text')
  }

  nameOfAgent(agentUid: string): Promise<string | undefined> {
    return this.#find('connect.voiceai_agent', ['agent_uid', '=', agentUid], 'name')
  }

  /** What each phone reports, where its markup asks for it. */
  async ring(phones: Parameters<NonNullable<FarEnd['ring']>>[0]): Promise<void> {
    for (const phone of phones) {
      const { attributes } = phone
      const target = ownTarget(this.#settings.api_url, attributes.statusCallback ?? '')
      if (target === undefined) continue
      const parties = { from: this.#fields.From ?? '', to: calledAs(phone), accountSid: this.#settings.account_sid }
      const leg = { ...legFields(parties), Direction: 'outbound-dial' }
      const parent = { ParentCallSid: this.#fields.CallSid ?? '' }
      for (const status of ['initiated', 'ringing', 'no-answer']) {
        await this.#report(target, { ...leg, ...parent, CallStatus: status })
      }
    }
  }

  /** Reports the end of the call and marks it; its id, once its whole story can be read. */
  async end(): Promise<number> {
    const seconds = Math.max(1, Math.round((Date.now() - this.#startedMs) / MS_PER_SECOND))
    const ended = { ...this.#fields, CallStatus: 'completed', CallDuration: String(seconds) }
    await this.#report('/callstatus', ended)
    const id = await this.#find<number>('connect.call', ['call_sid', '=', this.#fields.CallSid], 'id')
    if (id === undefined) throw new ServiceRefusal(502, 'The service answered, and its ledger has no such call.')
    await this.#connection.call('connect.call', 'write', { ids: [id], vals: { summary: MARK } })
    await this.#connection.call('connect.call', 'message_post', { ids: [id], body: MARK })
    await this.#logged()
    return id
  }

  /** A service that cannot write its log keeps nobody waiting for it: the call itself stands in the ledger. */
  async #logged(): Promise<void> {
    const domain = [['call_sid', '=', this.#fields.CallSid]]
    const lastMs = Date.now() + LOGGED_WITHIN_MS
    const count = (): Promise<number> => this.#connection.call<number>('connect.delivery', 'search_count', { domain })
    while ((await count()) < this.#sent && Date.now() < lastMs) await pause(ASK_AGAIN_MS)
  }

  #report(target: string, fields: Readonly<Record<string, string>>): Promise<string> {
    return this.#send(target, {
      ...fields,
      CallbackSource: 'call-progress-events',
      Timestamp: new Date().toUTCString(),
    })
  }

  async #send(target: string, fields: Readonly<Record<string, string>>): Promise<string> {
    if (fields.CallSid === this.#fields.CallSid) this.#sent += 1
    const { default: webhooks } = await import('twilio/lib/webhooks/webhooks.js')
    const { api_url: apiUrl, auth_token: token } = this.#settings
    const signed = (apiUrl ?? this.#address.replace(/^http:/, 'https:')).replace(/\/+$/, '') + WEBHOOKS + target
    const headers = { 'x-twilio-signature': webhooks.getExpectedTwilioSignature(token ?? '', signed, fields) }
    const reply = await fetch(this.#address + WEBHOOKS + target, {
      method: 'POST',
      headers,
      body: new URLSearchParams(fields),
    })
    return reply.text()
  }

  async #find<Value = string>(model: string, condition: unknown[], field: string): Promise<Value | undefined> {
    const args = { domain: [condition], fields: [field], limit: 1 }
    const [row] = await this.#connection.call<Record<string, Value | null>[]>(model, 'search_read', args)
    return row?.[field] ?? undefined
  }
}

/** A phone as reports name it: a web phone is `client:` and its identity, which may be a child of its own. */
function calledAs({ name, text, children }: MarkupElement): string {
  const address = (children.find((child) => child.name === 'Identity')?.text ?? text).trim()
  return name === 'Client' ? `client:${address}` : address
}

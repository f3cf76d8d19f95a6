import { rfc2822 } from '../dates.ts'
import { API_VERSION } from '../rest/classic-resource.ts'
import type { WireRecord } from '../store.ts'
import type { Carrier } from './carrier.ts'
import type { Fields } from './fields.ts'
import { type IncomingText, receiveText } from './incoming-text.ts'
import { type Channel, channelOf, isWhatsApp } from './message-record.ts'

/** What a phone does with a text that is sent to it. */
export type TextReaction = 'delivered' | 'read' | 'undelivered' | 'failed'

interface Failure {
  readonly status: 'failed' | 'undelivered'
  readonly code: number
}

const SENT_AFTER_SECONDS = 1
const DELIVERED_AFTER_SECONDS = 2
const READ_AFTER_SECONDS = 30
const HOUR_MS = 3_600_000
/** Free text may be sent to a WhatsApp user for this long after they wrote. */
const WINDOW_HOURS = 24
const WINDOW_CLOSED = 63_016
const UNREACHABLE = 30_003
const UNKNOWN_NUMBER = 30_005

// https://help.twilio.com/articles/223134027
const STOP_WORDS = /^(?:STOP|STOPALL|UNSUBSCRIBE|CANCEL|END|QUIT|OPTOUT|REVOKE)$/
const START_WORDS = /^(?:START|YES|UNSTOP)$/

/** Texts in both directions. */
export class Texting {
  readonly #carrier: Carrier
  readonly #reactions = new Map<string, TextReaction>()
  readonly #optedOut = new Set<string>()
  readonly #lastWrittenMs = new Map<string, number>()

  constructor(carrier: Carrier) {
    this.#carrier = carrier
  }

  /** From now on texts to this address fare like that; without saying so they are delivered. */
  react(address: string, reaction: TextReaction): void {
    this.#reactions.set(address, reaction)
  }

  /** Somebody writes to the account; gives the id of the message. */
  receive(text: IncomingText): Promise<string> {
    const word = text.body.trim().toUpperCase()
    const pair = `${text.from} ${text.to}`
    if (STOP_WORDS.test(word) && !text.from.startsWith('whatsapp:')) this.#optedOut.add(pair)
    if (START_WORDS.test(word)) this.#optedOut.delete(pair)
    this.#lastWrittenMs.set(`${text.from} ${text.to}`, this.#carrier.clock.now().getTime())
    return receiveText(this.#carrier, text)
  }

  /** Whether somebody has texted STOP to that number of the account, and not START since. WhatsApp knows no such words. */
  hasOptedOut({ to, from }: { to: string; from: string }): boolean {
    return this.#optedOut.has(`${to} ${from}`)
  }

  /** Delivers a text of the account; reports follow on their own. */
  async send(record: WireRecord, callback: string | undefined): Promise<void> {
    const { clock } = this.#carrier
    const failure = this.#failureOf(record)
    await clock.sleep(SENT_AFTER_SECONDS)
    if (failure?.status === 'failed') return this.#advance(record, callback, failure)
    this.#advance(record, callback, { status: 'sent' })
    await clock.sleep(DELIVERED_AFTER_SECONDS)
    if (failure !== undefined) return this.#advance(record, callback, failure)
    this.#advance(record, callback, { status: 'delivered' })
    if (this.#reactions.get(String(record.to)) !== 'read' || channelOf(record) === undefined) return
    await clock.sleep(READ_AFTER_SECONDS)
    this.#advance(record, callback, { status: 'read' })
  }

  #failureOf(record: WireRecord): Failure | undefined {
    const reaction = this.#reactions.get(String(record.to))
    if (reaction === 'failed') return { status: 'failed', code: UNKNOWN_NUMBER }
    if (reaction === 'undelivered') return { status: 'undelivered', code: UNREACHABLE }
    // A template may be sent at any time.
    if (!isWhatsApp(record) || record.content_sid !== undefined) return undefined
    const writtenMs = this.#lastWrittenMs.get(`${String(record.to)} ${String(record.from)}`)
    const nowMs = this.#carrier.clock.now().getTime()
    const isOpen = writtenMs !== undefined && nowMs - writtenMs <= WINDOW_HOURS * HOUR_MS
    return isOpen ? undefined : { status: 'failed', code: WINDOW_CLOSED }
  }

  #advance(
    record: WireRecord,
    callback: string | undefined,
    { status, code }: { status: string; code?: number },
  ): void {
    const { account, clock, webhooks } = this.#carrier
    const channel = channelOf(record)
    const date = rfc2822(clock.now())
    const stored = account.messages.find(record.sid) ?? record
    account.messages.change(stored, {
      status,
      date_updated: date,
      date_sent: stored.date_sent ?? date,
      error_code: code ?? null,
      error_message: code === undefined ? null : `Error ${code}`,
    })
    if (callback === undefined || callback === '') return
    const fields: Fields = {
      AccountSid: account.sid,
      ApiVersion: API_VERSION,
      From: String(record.from),
      To: String(record.to),
      MessageSid: record.sid,
      MessageStatus: status,
      SmsSid: record.sid,
      SmsStatus: status,
      ...(code === undefined ? {} : { ErrorCode: String(code), ErrorMessage: `Error ${code}` }),
      ...(channel === undefined ? {} : channelFields(record, channel, status)),
    }
    webhooks.report({ family: record.sid, method: 'POST', address: callback, fields })
  }
}

function channelFields({ to }: WireRecord, channel: Channel, status: string): Fields {
  const fields: Fields = { ChannelPrefix: channel, ChannelToAddress: String(to) }
  return status === 'delivered' || status === 'read' ? { ...fields, EventType: status.toUpperCase() } : fields
}

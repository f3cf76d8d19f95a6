import type { VirtualClock } from '../../virtual-clock.ts'
import type { Account } from '../account.ts'
import { rfc2822 } from '../dates.ts'
import { API_VERSION, uriOf } from '../rest/classic-resource.ts'
import { newSid } from '../sids.ts'
import type { WireRecord } from '../store.ts'
import type { Fields } from './fields.ts'
import type { Leg } from './leg.ts'
import type { Webhooks } from './webhooks.ts'

export type RecordingSource =
  | 'DialVerb'
  | 'OutboundAPI'
  | 'RecordVerb'
  | 'StartCallRecordingAPI'
  | 'StartCallRecordingTwiML'

export interface RecordingOrder {
  readonly leg: Leg
  readonly source: RecordingSource
  readonly channels: 1 | 2
  readonly track?: string
  /** Where its progress is reported. */
  readonly callback: string | undefined
  readonly method?: 'GET' | 'POST'
  /** Blank-separated; only the end is reported unless more is named. */
  readonly events?: string | undefined
}

/** A recording that is being made. */
export interface RunningRecording {
  readonly sid: string
  /** The address that callbacks and actions name, without an ending. */
  readonly url: string
  /** Ends it and says how long it is; the file is ready and reported a little later. Ending it again changes nothing. */
  stop(options?: { seconds?: number; words?: string }): number
}

/** The file lags the call. */
const READY_AFTER_SECONDS = 4
const PRICE_PER_MINUTE = 0.0025
const SECONDS_PER_MINUTE = 60
const MS_PER_SECOND = 1_000

/** Makes recordings, keeps their words, and reports when the file is there. */
export class Recorder {
  readonly #account: Account
  readonly #clock: VirtualClock
  readonly #webhooks: Webhooks
  readonly #mediaOrigin: string
  readonly #words = new Map<string, string>()
  readonly #begun = new Map<string, RunningRecording>()

  constructor(parts: { account: Account; clock: VirtualClock; webhooks: Webhooks; mediaOrigin: string }) {
    this.#account = parts.account
    this.#clock = parts.clock
    this.#webhooks = parts.webhooks
    this.#mediaOrigin = parts.mediaOrigin
  }

  /** Scheme and host of the addresses under which media are named. */
  get origin(): string {
    return this.#mediaOrigin
  }

  wordsOf(recordingSid: string): string {
    return this.#words.get(recordingSid) ?? ''
  }

  /** What was begun under this id of a recording, or last on the leg with this id, whatever began it. */
  begun(sid: string): RunningRecording | undefined {
    return this.#begun.get(sid)
  }

  urlOf(recordingSid: string): string {
    return `${this.#mediaOrigin}/${API_VERSION}/Accounts/${this.#account.sid}/Recordings/${recordingSid}`
  }

  start(order: RecordingOrder): RunningRecording {
    const sid = newSid('RE')
    const startedAt = this.#clock.now()
    const spokenBefore = order.leg.spoken.length
    this.#account.recordings.add(this.#newRecord(sid, order, startedAt))
    this.#report(order, sid, 'in-progress')
    let stoppedAfter: number | undefined
    const recording: RunningRecording = {
      sid,
      url: this.urlOf(sid),
      stop: ({ seconds, words } = {}) => {
        const passed = Math.round((this.#clock.now().getTime() - startedAt.getTime()) / MS_PER_SECOND)
        if (stoppedAfter !== undefined) return stoppedAfter
        const length = seconds ?? passed
        stoppedAfter = length
        this.#words.set(sid, words ?? order.leg.spoken.slice(spokenBefore).join(' '))
        void this.#finish(order, sid, length)
        return length
      },
    }
    for (const key of [sid, order.leg.sid]) this.#begun.set(key, recording)
    return recording
  }

  async #finish(order: RecordingOrder, sid: string, seconds: number): Promise<void> {
    this.#change(sid, { status: 'processing', duration: String(seconds) })
    await this.#clock.sleep(READY_AFTER_SECONDS)
    // Deleted meanwhile.
    if (this.#account.recordings.find(sid) === undefined) return
    const status = seconds > 0 ? 'completed' : 'absent'
    const price = (-PRICE_PER_MINUTE * Math.ceil(seconds / SECONDS_PER_MINUTE)).toFixed(5)
    this.#change(sid, { status, price: status === 'completed' ? price : null })
    this.#report(order, sid, status)
  }

  #change(sid: string, changes: Record<string, unknown>): void {
    const record = this.#account.recordings.find(sid)
    if (record === undefined) return
    this.#account.recordings.change(record, { ...changes, date_updated: rfc2822(this.#clock.now()) })
  }

  #newRecord(sid: string, { leg, source, channels, track }: RecordingOrder, startedAt: Date): WireRecord {
    const date = rfc2822(startedAt)
    return {
      sid,
      account_sid: this.#account.sid,
      api_version: API_VERSION,
      call_sid: leg.sid,
      channels,
      conference_sid: null,
      date_created: date,
      date_updated: date,
      duration: null,
      encryption_details: null,
      error_code: null,
      media_url: this.urlOf(sid),
      price: null,
      price_unit: 'USD',
      source,
      start_time: date,
      status: 'in-progress',
      subresource_uris: {},
      track: track ?? 'both',
      uri: uriOf(this.#account, `/Recordings/${sid}`),
    }
  }

  #report(order: RecordingOrder, sid: string, status: 'in-progress' | 'completed' | 'absent'): void {
    const { callback: address, events = 'completed', leg, method = 'POST' } = order
    if (address === undefined || address === '' || !events.split(/\s+/).includes(status)) return
    const record = this.#account.recordings.find(sid)
    const fields: Fields = {
      AccountSid: this.#account.sid,
      CallSid: leg.sid,
      RecordingSid: sid,
      RecordingUrl: this.urlOf(sid),
      RecordingStatus: status,
      RecordingChannels: String(order.channels),
      RecordingSource: order.source,
      RecordingStartTime: String(record?.start_time ?? ''),
      RecordingTrack: order.track ?? 'both',
      ErrorCode: '0',
      ...(status === 'completed' ? { RecordingDuration: String(record?.duration ?? '0') } : {}),
    }
    this.#webhooks.report({ family: leg.root.sid, method, address, fields })
  }
}

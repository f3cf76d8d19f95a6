// A small company on the telephone, reached over HTTP only: signed requests of the provider in, the JSON-2 API out.
import { expect } from 'vitest'
import { checkMarkup } from '../../src/telco/markup/check.ts'
import { aPbxUser, aVoiceRequest, PUBLIC_URL, sendTelco, setUpTelco } from './telco.ts'
import { TestApp, type TestAppOptions } from './test-app.ts'

export const CUSTOMER = '+14155550100'
export const OUR_NUMBER = '+14155550199'
export const SIP_HOST = 'acme.sip.twilio.com'
export const HOOKS = `${PUBLIC_URL}/telco/webhook`
/** The ends of the addresses that the provider is given, as they stand in markup. */
export const EDGE = '#e=ashburn'
export const REPORTED = '#e=ashburn&amp;rc=2&amp;rp=ct,rt,5xx'
export const HANGUP = '<Response><Hangup/></Response>'

export type Form = Record<string, string>
export type Row = Record<string, unknown> & { id: number }
type Values = Record<string, unknown>

const START_MS = Date.UTC(2026, 7, 25, 9, 0, 0)
let count = 0

/** A CallSid that no other test has. */
export function newSid(prefix = 'CA'): string {
  count += 1
  return `${prefix}${count.toString(16).padStart(32, '0')}`
}

/** One leg as every request about it describes it (docs/reference/providers.md#voice-request-fields). */
export interface Leg {
  sid: string
  parent?: string
  direction?: 'inbound' | 'outbound-api' | 'outbound-dial'
  from?: string
  to?: string
}

export function requestOf({ sid, parent, direction = 'inbound', from = CUSTOMER, to = OUR_NUMBER }: Leg): Form {
  const fields = aVoiceRequest({ CallSid: sid, Direction: direction, From: from, To: to })
  return parent === undefined ? fields : { ...fields, ParentCallSid: parent }
}

/**
 * A status callback of a leg (docs/reference/providers.md#call-progress); `seconds` counts from the beginning of the
 * call.
 */
export function callback(
  leg: Leg,
  status: string,
  { sequence = 0, seconds = 0, ...fields }: { sequence?: number; seconds?: number } & Record<string, unknown> = {},
): Form {
  return {
    ...requestOf(leg),
    CallStatus: status,
    SequenceNumber: String(sequence),
    Timestamp: providerTime(seconds),
    CallbackSource: 'call-progress-events',
    ...(fields as Form),
  }
}

/** The provider's notation of a moment of the call. */
export function providerTime(seconds: number): string {
  return new Date(START_MS + seconds * 1000).toUTCString().replace('GMT', '+0000')
}

/** The same moment as the API writes it. */
export function storedTime(seconds: number): string {
  return new Date(START_MS + seconds * 1000).toISOString().slice(0, 19).replace('T', ' ')
}

export class Office {
  readonly app: TestApp

  private constructor(app: TestApp) {
    this.app = app
  }

  static async start(options: TestAppOptions = {}): Promise<Office> {
    const app = await TestApp.start(options)
    await setUpTelco(app)
    return new Office(app)
  }

  stop(): Promise<void> {
    return this.app.stop()
  }

  /** The markup that a request is answered with; fails unless the provider would carry out all of it. */
  async voice(route: string, form: Form): Promise<string> {
    const answer = await sendTelco(this.app, `/telco/webhook/${route}`, form)
    expect(answer.status, answer.text).toBe(200)
    expect(answer.headers.get('content-type')).toMatch(/^text\/xml; ?charset=utf-8$/i)
    expect(checkMarkup(answer.text, { absoluteUrls: true }), answer.text).toEqual([])
    return answer.text
  }

  /** The text that a report is answered with. */
  async report(route: string, form: Form): Promise<string> {
    const answer = await sendTelco(this.app, `/telco/webhook/${route}`, form)
    expect(answer.status, answer.text).toBe(200)
    expect(answer.headers.get('content-type')).toMatch(/^text\/plain/)
    return answer.text
  }

  /** Reports status after status of one leg, and answers the last text. */
  async reports(...forms: readonly Form[]): Promise<string> {
    let text = ''
    for (const form of forms) text = await this.report('callstatus', form)
    return text
  }

  create(model: string, values: Values): Promise<number> {
    return this.app.admin.ask<number>(model, 'create', { vals_list: values })
  }

  async write(model: string, id: number, vals: Values): Promise<void> {
    await this.app.admin.ask(model, 'write', { ids: [id], vals })
  }

  settings(vals: Values): Promise<void> {
    return this.write('connect.settings', 1, vals)
  }

  list(model: string, domain: readonly unknown[], fields: readonly string[]): Promise<Row[]> {
    return this.app.admin.ask<Row[]>(model, 'search_read', { domain, fields, order: 'id' })
  }

  /** The row that must be the only one. */
  async only(model: string, domain: readonly unknown[], fields: readonly string[]): Promise<Row> {
    const rows = await this.list(model, domain, fields)
    expect(rows, `${model} ${JSON.stringify(domain)}`).toHaveLength(1)
    return rows[0] ?? { id: 0 }
  }

  leg(sid: string, fields: readonly string[]): Promise<Row> {
    return this.only('connect.channel', [['sid', '=', sid]], fields)
  }

  /** The call of a leg. */
  async call(sid: string, fields: readonly string[]): Promise<Row> {
    const { call } = await this.leg(sid, ['call'])
    return this.only('connect.call', [['id', '=', (call as [number, string])[0]]], fields)
  }

  async user(username: string, extension: string, values: Values = {}): Promise<{ id: number; loginId: number }> {
    return aPbxUser(this.app, { username, extension, values: { record_calls: false, ...values } })
  }

  async agent(values: Values = {}): Promise<number> {
    const name = newSid('Agent ')
    const voice = await this.create('connect.voiceai_voice', { name, voice_id: name })
    return this.create('connect.voiceai_agent', { name, prompt: 'Help.', voice, ...values })
  }

  flow(values: Values = {}): Promise<number> {
    return this.create('connect.telco.callflow', { name: newSid('flow'), prompt_message: '', ...values })
  }

  /** A number of ours that is answered by this. */
  number(phoneNumber: string, values: Values): Promise<number> {
    return this.create('connect.telco.number', { phone_number: phoneNumber, ...values })
  }

  extension(number: string, model: string, id: number, values: Values = {}): Promise<number> {
    return this.create('connect.telco.exten', { number, dst: `${model},${id}`, ...values })
  }

  contact(name: string, values: Values = {}): Promise<number> {
    return this.create('res.partner', { name, ...values })
  }

  /** What was posted on a record, oldest first, as plain text. */
  async posts(model: string, id: number): Promise<string[]> {
    const domain = [
      ['model', '=', model],
      ['res_id', '=', id],
    ]
    const posts = await this.list('mail.message', domain, ['body'])
    return posts.map(({ body }) => String(body))
  }

  /** Ids of the ring steps of a user, by type. */
  async steps(userId: number): Promise<Record<string, number>> {
    const steps = await this.list('connect.telco.user_callflow', [['user', '=', userId]], ['callflow_type'])
    return Object.fromEntries(steps.map((step) => [String(step.callflow_type), step.id]))
  }
}

// A small telephone exchange on a database of its own, and calls to it.
import { expect } from 'vitest'
import { sql } from '../../../src/database/drizzle.ts'
import { parseCallEvent } from '../../../src/ledger/legs/leg-event.ts'
import type { OpenEnv } from '../../../src/platform/access/env.ts'
import { envOf } from '../../../src/platform/api/rpc.ts'
import type { AgentConnector } from '../../../src/ports/agent-connector.ts'
import { checkMarkup } from '../../../src/telco/markup/check.ts'
import { answerCall } from '../../../src/telco/routing/answer-call.ts'
import { agentCallAction, callflowCallAction, userCallAction } from '../../../src/telco/routing/decide/call-actions.ts'
import { routeApplication, routeDomain, routeNumber } from '../../../src/telco/routing/decide/destination.ts'
import { gatherResult } from '../../../src/telco/routing/decide/gather-result.ts'
import { decideCall, type Route, undecidedCall } from '../../../src/telco/routing/decide-calls.ts'
import { loadDialPlan } from '../../../src/telco/routing/load-dial-plan.ts'
import { sentence } from '../../../src/telco/sentences/sentence.ts'
import type { RoutingContext } from '../../../src/telco/webhooks/answering.ts'
import type { TelcoRequest } from '../../../src/telco/webhooks/request.ts'
import { TestApp, type TestAppOptions } from '../../support/test-app.ts'

export const BASE = 'https://pbx.example.com'
export const CUSTOMER = '+14155550100'
export const MAIN_NUMBER = '+14155550199'
export const HOST = 'acme.sip.twilio.com'
export const EDGE = '#e=ashburn'
export const REPORT = '#e=ashburn&amp;rc=2&amp;rp=ct,rt,5xx'
export const STATUS_URL = `${BASE}/telco/webhook/callstatus${REPORT}`
export const RECORDING_URL = `${BASE}/telco/webhook/recordingstatus${REPORT}`
export const VOICEMAIL = `<Record maxLength="120" finishOnKey="#" playBeep="true" recordingStatusCallback="${BASE}/telco/webhook/vm_recordingstatus${REPORT}" action="${BASE}/telco/webhook/callaction${EDGE}"/>`
export const HANGUP = '<Response><Hangup/></Response>'
export const SORRY = `<Response><Say>${sentence('nobodyAnswers')}</Say><Hangup/></Response>`

export const UNANSWERED = `<Response><Say>${sentence('nobodyAnswers')}</Say><Pause length="1"/><Hangup/></Response>`

export type Form = Record<string, string>
type Values = Record<string, unknown>

export interface CallOptions {
  form?: Form
  query?: string
  /** The ledger's call; 0 for one that it does not know. */
  callId?: number
  /** The record that the address names. */
  record?: number
}

type ExchangeRequest = TelcoRequest & { callId: number | undefined }

let count = 0

export class Exchange {
  readonly app: TestApp
  readonly #context: RoutingContext
  domainId = 0

  private constructor(app: TestApp, context: RoutingContext) {
    this.app = app
    this.#context = context
  }

  static async start(options: TestAppOptions & { connector?: AgentConnector } = {}): Promise<Exchange> {
    const app = await TestApp.start(options)
    const exchange = new Exchange(app, { log: app.app.platform.log, connector: options.connector })
    exchange.domainId = await exchange.create('connect.telco.domain', { subdomain: 'acme', friendly_name: 'Acme' })
    return exchange
  }

  stop(): Promise<void> {
    return this.app.stop()
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

  /** A phone user with a web phone, unless `values` say otherwise. */
  async user(username: string, values: Values = {}): Promise<number> {
    const login = await this.create('res.users', { login: `${username}-${count++}`, name: capitalised(username) })
    return this.create('connect.user', { user: login, username, domain: this.domainId, record_calls: false, ...values })
  }

  async extension(number: string, target: string): Promise<number> {
    return this.create('connect.telco.exten', { number, dst: target })
  }

  flow(values: Values): Promise<number> {
    return this.create('connect.telco.callflow', { name: 'Menu', prompt_message: '', ...values })
  }

  number(phoneNumber: string, values: Values): Promise<number> {
    return this.create('connect.telco.number', { phone_number: phoneNumber, ...values })
  }

  async agent(values: Values = {}): Promise<number> {
    const [voice] = await this.app.db.query<{ id: number }>(
      sql`insert into connect_voiceai_voice (voice_id, name) values (${`voice-${count++}`}, 'Voice') returning id`,
    )
    return this.create('connect.voiceai_agent', { name: 'Agent', prompt: 'Help.', voice: voice?.id, ...values })
  }

  /** A call as the ledger keeps it after its first event. */
  async call(values: { partner?: number; callerUser?: number; sid?: string } = {}): Promise<number> {
    const [call] = await this.app.db.query<{ id: number }>(
      sql`insert into connect_call (status, direction, partner, caller_user)
          values ('ringing', 'incoming', ${values.partner ?? null}::bigint, ${values.callerUser ?? null}::bigint) returning id`,
    )
    const id = call?.id ?? 0
    await this.app.db.query(
      sql`insert into connect_channel (sid, call) values (${values.sid ?? `CA-ledger-${id}`}, ${id}::bigint)`,
    )
    return id
  }

  readonly open: OpenEnv = async (work) => {
    const { platform, identities } = this.app.app
    const settings = await platform.settings.get()
    const identity = await identities.webhook()
    return this.app.db.transaction((tx) => work(envOf({ platform, settings, identity }, tx)))
  }

  /** A call to our main number; answers markup that the provider carries out as it stands. */
  async toNumber(options: CallOptions = {}): Promise<string> {
    return valid(await this.route(routeNumber, await this.request(options)))
  }

  async toDomain(to: string, options: CallOptions = {}): Promise<string> {
    const form = { From: `sip:alice@${HOST}`, To: to, Called: to, ...options.form }
    return valid(await this.route(routeDomain, await this.request({ ...options, form })))
  }

  async userAction(id: number, options: CallOptions = {}): Promise<string> {
    return valid(await this.route(userCallAction, await this.request({ ...inProgress(options), record: id })))
  }

  async flowAction(id: number, options: CallOptions = {}): Promise<string> {
    return valid(await this.route(callflowCallAction, await this.request({ ...inProgress(options), record: id })))
  }

  async agentAction(id: number, options: CallOptions = {}): Promise<string> {
    return valid(await this.route(agentCallAction, await this.request({ ...inProgress(options), record: id })))
  }

  async gather(id: number, options: CallOptions = {}): Promise<string> {
    return valid(await this.route(gatherResult, await this.request({ ...inProgress(options), record: id })))
  }

  async application(id: number, options: CallOptions = {}): Promise<string> {
    return valid(await this.route(routeApplication, await this.request({ ...options, record: id })))
  }

  async route(route: Route, { callId, ...request }: ExchangeRequest): Promise<string> {
    const plan = await this.open(async (env) =>
      decideCall(env, await loadDialPlan(env.db), undecidedCall(request, callId, route)),
    )
    const { body } = await answerCall({ context: this.#context, request, recorded: { callId }, plan })
    return body
  }

  async request({ form = {}, query = '', callId, record = 0 }: CallOptions): Promise<ExchangeRequest> {
    const complete: Form = {
      CallSid: `CA${String(count++).padStart(32, '0')}`,
      Direction: 'inbound',
      CallStatus: 'ringing',
      From: CUSTOMER,
      To: MAIN_NUMBER,
      ...form,
    }
    return {
      form: complete,
      query: new URLSearchParams(query),
      event: parseCallEvent(complete),
      params: { record: String(record) },
      callId: callId === 0 ? undefined : (callId ?? (await this.call())),
    }
  }

  /** Types of the steps that the call has tried. */
  async tried(callId: number): Promise<string[]> {
    const rows = await this.app.db.query<{ type: string }>(
      sql`select s.callflow_type as type from connect_telco_user_callflow_call t
          join connect_telco_user_callflow s on s.id = t.callflow where t.call = ${callId}::bigint order by s.prio`,
    )
    return rows.map((row) => row.type)
  }

  async stepId(userId: number, type: string): Promise<number> {
    const [row] = await this.app.db.query<{ id: number }>(
      sql`select id from connect_telco_user_callflow where "user" = ${userId}::bigint and callflow_type = ${type}`,
    )
    return row?.id ?? 0
  }
}

function inProgress(options: CallOptions): CallOptions {
  return { ...options, form: { CallStatus: 'in-progress', ...options.form } }
}

/** Fails unless the provider would do everything in the document, and the caller hears or gets something. */
export function valid(markup: string): string {
  expect(checkMarkup(markup, { absoluteUrls: true }), markup).toEqual([])
  expect(markup).not.toMatch(/^<Response\s*\/>$/)
  expect(markup).not.toContain('callerId=""')
  return markup
}

/** The dial to one web phone, as the provider is told to do it. */
export function clientDial(
  username: string,
  {
    userId,
    callerId = CUSTOMER,
    timeout = 10,
    query = '',
    parameters = '',
    record = '',
  }: { userId: number; callerId?: string; timeout?: number; query?: string; parameters?: string; record?: string },
): string {
  const action = `${BASE}/telco/webhook/connect.user/call_action/${userId}${query}${EDGE}`
  const identity = `<Identity>${username}@${HOST}</Identity><Parameter name="From" value="${callerId}"/>${parameters}`
  return `<Dial timeout="${timeout}" callerId="${callerId}" action="${action}"${record}><Client statusCallbackEvent="initiated answered completed" statusCallback="${STATUS_URL}">${identity}</Client></Dial>`
}

/** The dial to one SIP phone. */
export function sipDial(
  username: string,
  {
    userId,
    query = '',
    timeout = 30,
    record = '',
  }: { userId: number; query?: string; timeout?: number; record?: string },
): string {
  const action = `${BASE}/telco/webhook/connect.user/call_action/${userId}${query}${EDGE}`
  return `<Dial timeout="${timeout}" callerId="${CUSTOMER}" action="${action}"${record}><Sip statusCallback="${STATUS_URL}" statusCallbackEvent="initiated answered completed">sip:${username}@${HOST}</Sip></Dial>`
}

export const response = (...verbs: string[]): string => `<Response>${verbs.join('')}</Response>`
export const say = (text: string, attributes = ''): string => `<Say${attributes}>${text}</Say>`

function capitalised(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1)
}

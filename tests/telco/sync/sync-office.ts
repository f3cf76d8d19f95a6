// The whole service beside the phone provider's emulator, with a line between them on which answers can be planned.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { startTelcoEmulator, type TelcoEmulator } from '../../../emulators/telco/start.ts'
import type { Store, WireRecord } from '../../../emulators/telco/store.ts'
import { sql } from '../../../src/database/drizzle.ts'
import type { SyncProblem, SyncState } from '../../../src/sync/sync-run.ts'
import { ACCOUNT_SID, AUTH_TOKEN, PUBLIC_URL } from '../../support/telco.ts'
import { eventually, TestApp, type TestAppOptions } from '../../support/test-app.ts'

export interface Run {
  id: number
  state: SyncState
  step: string | null
  counts: Record<string, Record<string, number>>
  errors: SyncProblem[]
  differences: { what: string; id?: number; name?: string; message: string }[]
  summary: string | null
}

export interface Asked {
  method: string
  /** Without the account. */
  path: string
  body: string
}

export interface PlannedAnswer {
  status?: number
  body?: object
  /** The provider does what it is asked, and the answer is lost. */
  isLost?: boolean
  /** Answered once this is over. */
  held?: Promise<void>
}

export type Row = Record<string, unknown> & { id: number }

const API = `/2010-04-01/Accounts/${ACCOUNT_SID}`

/** A run of many pages takes long on a busy machine. */
const RUN_TIMEOUT_MS = 110_000

/** Passes the service's requests on to the emulator, except for those whose answer was planned. */
export class ProviderLine {
  readonly asked: Asked[] = []
  readonly #server: Server
  readonly #target: string
  #plans: { method: string; path: RegExp; answer: PlannedAnswer; times: number }[] = []

  private constructor(target: string) {
    this.#target = target
    this.#server = createServer((incoming, outgoing) => void this.#serve(incoming, outgoing))
  }

  static async start(target: string): Promise<ProviderLine> {
    const line = new ProviderLine(target)
    await new Promise<void>((resolve) => line.#server.listen(0, '127.0.0.1', resolve))
    return line
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  plan(method: string, path: RegExp, answer: PlannedAnswer, times = 1): void {
    this.#plans.push({ method, path, answer, times })
  }

  /** What was asked that changes something, or that fits. */
  changes(path = /./): Asked[] {
    return this.asked.filter((each) => each.method !== 'GET' && path.test(each.path))
  }

  reset(): void {
    this.asked.length = 0
    this.#plans = []
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  async #serve(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of incoming) chunks.push(chunk as Buffer)
    const body = Buffer.concat(chunks)
    const { method = 'GET', url = '/' } = incoming
    const path = (url.split('?')[0] ?? '').replace(API, '')
    this.asked.push({ method, path, body: body.toString() })
    const plan = this.#plans.find((each) => each.times > 0 && each.method === method && each.path.test(path))
    if (plan !== undefined) plan.times -= 1
    const planned = plan?.answer
    await planned?.held
    if (planned?.status !== undefined) {
      outgoing.writeHead(planned.status, { 'content-type': 'application/json' })
      return void outgoing.end(JSON.stringify(planned.body ?? {}))
    }
    const reply = await fetch(this.#target + url, { method, ...sentOn(incoming, body) })
    const text = await reply.text()
    if (planned?.isLost === true) return void incoming.socket.destroy()
    outgoing.writeHead(reply.status, { 'content-type': reply.headers.get('content-type') ?? 'application/json' })
    outgoing.end(text)
  }
}

function sentOn({ headers, method }: IncomingMessage, body: Buffer): RequestInit {
  const { authorization = '', 'content-type': type } = headers
  return {
    headers: { authorization, ...(type === undefined ? {} : { 'content-type': type }) },
    body: method === 'GET' || body.length === 0 ? null : new Uint8Array(body),
  }
}

export function refusal(status: number, code: number, message: string): PlannedAnswer {
  return { status, body: { status, code, message, more_info: '' } }
}

export class SyncOffice {
  readonly app: TestApp
  readonly telco: TelcoEmulator
  readonly line: ProviderLine

  private constructor(app: TestApp, telco: TelcoEmulator, line: ProviderLine) {
    this.app = app
    this.telco = telco
    this.line = line
  }

  static async start(options: TestAppOptions = {}): Promise<SyncOffice> {
    const telco = await startTelcoEmulator({ accountSid: ACCOUNT_SID, authToken: AUTH_TOKEN })
    const line = await ProviderLine.start(telco.url)
    const app = await TestApp.start({ ...options, env: { TELCO_BASE_URL: line.url, ...options.env } })
    return new SyncOffice(app, telco, line)
  }

  async stop(): Promise<void> {
    await this.app.stop()
    await this.line.stop()
    await this.telco.stop()
  }

  settings(vals: object): Promise<unknown> {
    return this.app.admin.ask('connect.settings', 'write', { ids: [1], vals })
  }

  /** An account and an address, and nothing pushed before somebody asks for it. */
  async setUp(values: object = {}): Promise<void> {
    const account = { account_sid: ACCOUNT_SID, auth_token: AUTH_TOKEN, api_url: PUBLIC_URL }
    await this.settings({ ...account, telco_auto_sync: false, ...values })
  }

  async settle(): Promise<void> {
    await eventually(async () => {
      const [row] = await this.app.db.query<{ count: number }>(
        sql`select count(*)::int as count from jobs.job where name in ('telco-push', 'telco-sync')
            and (state = 'active' or (state in ('created', 'retry') and start_after <= now()))`,
      )
      return row?.count === 0
    })
  }

  /** Pressed again while what was pressed before goes on. */
  async run(model = 'connect.settings', button = 'telco_sync'): Promise<Run> {
    const { run_id: id } = await this.app.admin.ask<{ run_id: number }>(model, button)
    return this.ended(id)
  }

  ended(id: number): Promise<Run> {
    return eventually(async () => {
      const [run] = await this.app.admin.ask<Run[]>('connect.sync_run', 'read', { ids: [id] })
      return run?.state === 'done' || run?.state === 'failed' ? run : undefined
    }, RUN_TIMEOUT_MS)
  }

  create(model: string, vals: object): Promise<number> {
    return this.app.admin.ask<number>(model, 'create', { vals_list: vals })
  }

  write(model: string, id: number, vals: object): Promise<unknown> {
    return this.app.admin.ask(model, 'write', { ids: [id], vals })
  }

  unlink(model: string, id: number): Promise<unknown> {
    return this.app.admin.ask(model, 'unlink', { ids: [id] })
  }

  list(model: string, domain: unknown[] = [], fields?: string[]): Promise<Row[]> {
    return this.app.admin.ask<Row[]>(model, 'search_read', { domain, order: 'id', ...(fields ? { fields } : {}) })
  }

  async one(model: string, domain: unknown[]): Promise<Row> {
    const [row, ...others] = await this.list(model, domain)
    if (row === undefined || others.length > 0) throw new Error(`not one record of ${model}: ${JSON.stringify(domain)}`)
    return row
  }

  /** Somebody with a SIP phone. */
  async phone(username: string, values: object = {}): Promise<number> {
    const login = await this.app.person([], { login: `${username}-${Math.random()}`, name: username })
    const [domain] = await this.list('connect.telco.domain')
    return this.create('connect.user', {
      user: login.userId,
      username,
      domain: domain?.id,
      sip_enabled: true,
      password: 'Abcdefgh1234',
      ...values,
    })
  }

  domain(values: object = {}): Promise<number> {
    return this.create('connect.telco.domain', { subdomain: 'acme', friendly_name: 'Acme', ...values })
  }
}

/** Loses every record of a store of the emulator. */
export function empty(store: Store): void {
  for (const { sid } of store.list()) store.remove(sid)
}

/** The only record of a store of the emulator. */
export function only(records: readonly WireRecord[]): WireRecord {
  const [record, ...others] = records
  if (record === undefined || others.length > 0) throw new Error(`not one record: ${JSON.stringify(records)}`)
  return record
}

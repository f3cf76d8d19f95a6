import { randomBytes } from 'node:crypto'
import { mkdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import { inject } from 'vitest'
import { type App, createApp } from '../../src/app/create-app.ts'
import { type Config, readConfig } from '../../src/config.ts'
import type { Database } from '../../src/database/database.ts'
import { sql } from '../../src/database/drizzle.ts'
import { createLog } from '../../src/log.ts'
import { createKey } from '../../src/platform/identity/api-keys.ts'
import { LOCAL_ADMIN, WEBHOOK_USER } from '../../src/platform/identity/service-users.ts'
import type { TelcoClient } from '../../src/ports/telco-client.ts'
import { openShared, openTestDatabase, SERVER_URL, TEST_CIPHER, type TestDatabase } from './database.ts'
import { requireDeclared } from './declared-answers.ts'
import { leaseEmbedded } from './embedded-pool.ts'
import { type Received, type Sending, sendRequest } from './http.ts'

/** Nobody listens there: a test that means to ask a provider brings a server of its own. */
const NO_PROVIDER = { TELCO_BASE_URL: 'http://127.0.0.1:9', VOICEAI_BASE_URL: 'http://127.0.0.1:9' }
/** Nobody builds the page but the tests that open it. */
const NO_PAGE = { PAGE: 'off' }

export interface TestAppOptions {
  clock?: () => Date
  telcoClient?: TelcoClient
  env?: Record<string, string>
  /** Another process of the same installation: on PostgreSQL only. */
  sharesDatabaseOf?: TestApp
}

export interface Answer<Body = unknown> extends Received {
  body: Body
}

/** Somebody with a key, calling the API. */
export interface Caller {
  userId: number
  key: string
  /** Calls `POST /json/2/<model>/<method>` and gives the whole answer. */
  call(model: string, method: string, args?: object): Promise<Answer>
  /** The same for what must work: throws with the error's sentence otherwise. */
  ask<Result = unknown>(model: string, method: string, args?: object): Promise<Result>
}

/**
 * The whole service on a database of its own, listening on a real port. Stop it in `afterAll`.
 */
export class TestApp {
  readonly app: App
  readonly db: Database
  readonly config: Config
  readonly url: string
  readonly admin: Caller
  readonly token: string
  readonly #databaseUrl: string | undefined
  readonly #release: () => Promise<void>

  private constructor(parts: {
    app: App
    db: Database
    config: Config
    url: string
    key: string
    adminId: number
    token: string
    databaseUrl: string | undefined
    release: () => Promise<void>
  }) {
    this.app = parts.app
    this.db = parts.db
    this.config = parts.config
    this.url = parts.url
    this.token = parts.token
    this.#databaseUrl = parts.databaseUrl
    this.#release = parts.release
    this.admin = this.caller(parts.adminId, parts.key)
  }

  static async start(options: TestAppOptions = {}): Promise<TestApp> {
    const dataDir = path.join(path.dirname(inject('template')), `data-${randomBytes(6).toString('hex')}`)
    mkdirSync(dataDir, { recursive: true })
    const config = readConfig({
      DATA_DIR: dataDir,
      PORT: '0',
      LOG_LEVEL: 'silent',
      ...NO_PROVIDER,
      ...NO_PAGE,
      ...options.env,
    })
    const { db, url: databaseUrl, release } = await openDatabase(options.sharesDatabaseOf)
    const { clock, telcoClient } = options
    const app = createApp({
      config,
      db,
      cipher: TEST_CIPHER,
      log: createLog(config.logLevel),
      ...(clock === undefined ? {} : { clock }),
      ...(telcoClient === undefined ? {} : { telcoClient }),
    })
    await app.start()
    const url = await app.http.listen({ host: '127.0.0.1', port: 0 })
    const adminId = (await app.identities.serviceUser(LOCAL_ADMIN))?.userId ?? 0
    const { key } = await createKey(db, { userId: adminId, name: 'tests' })
    const { voiceaiAgentToken: token = '' } = await app.platform.settings.get()
    return new TestApp({ app, db, config, url, key, adminId, token, databaseUrl, release })
  }

  /** Address of this test's own database on the server; undefined on the embedded one. */
  get databaseUrl(): string | undefined {
    return this.#databaseUrl
  }

  async stop(): Promise<void> {
    await this.app.stop()
    await this.#release()
    rmSync(this.config.dataDir, { recursive: true, force: true, maxRetries: 10 })
  }

  /** A person in these groups, with a key. */
  async person(
    groups: readonly string[],
    values: { login?: string; name?: string; tz?: string } = {},
  ): Promise<Caller> {
    const login = values.login ?? `user-${randomBytes(4).toString('hex')}`
    const ids = await this.groupIds(groups)
    const id = await this.admin.ask<number>('res.users', 'create', {
      vals_list: { login, name: values.name ?? login, group_ids: ids },
    })
    if (values.tz !== undefined) {
      await this.db.query(
        sql`update res_partner set tz = ${values.tz} where id = (select partner_id from res_users where id = ${id}::bigint)`,
      )
    }
    return this.callerOf(id)
  }

  /** The webhook identity with a key of its own, to see what it may do over the API. */
  async webhookUser(): Promise<Caller> {
    const [user] = await this.db.query<{ id: number }>(
      sql`select id from res_users where external_id = ${WEBHOOK_USER}`,
    )
    return this.callerOf(user?.id ?? 0)
  }

  async groupIds(externalIds: readonly string[]): Promise<number[]> {
    const rows = await this.admin.ask<{ id: number; external_id: string }[]>('res.groups', 'search_read', {
      fields: ['external_id'],
    })
    return rows.filter((row) => externalIds.includes(row.external_id)).map((row) => row.id)
  }

  async callerOf(userId: number): Promise<Caller> {
    const { key } = await createKey(this.db, { userId, name: 'tests' })
    return this.caller(userId, key)
  }

  caller(userId: number, key: string): Caller {
    const call = async (model: string, method: string, args: object = {}): Promise<Answer> => {
      const answer = await this.post(`/json/2/${model}/${method}`, args, { authorization: `bearer ${key}` })
      if (answer.status === 200) requireDeclared(this.app.platform.models, model, method, answer.body)
      return answer
    }
    return {
      userId,
      key,
      call,
      async ask<Result>(model: string, method: string, args: object = {}) {
        const answer = await call(model, method, args)
        if (answer.status !== 200) throw new Error(`${model}/${method}: ${answer.status} ${answer.text}`)
        return answer.body as Result
      },
    }
  }

  /** A tool or initiation call with the right agent token, unless `headers` say otherwise. */
  tool(address: string, body: unknown = {}, headers: Record<string, string> = {}): Promise<Answer<never>> {
    return this.post(address, body, { 'x-voiceai-agent-token': this.token, ...headers }) as Promise<Answer<never>>
  }

  /** POSTs JSON, or a text or bytes as they are. */
  async post(address: string, body: unknown, headers: Record<string, string> = {}): Promise<Answer> {
    const isRaw = typeof body === 'string' || body instanceof Uint8Array
    return this.request(address, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: isRaw ? body : JSON.stringify(body),
    })
  }

  async request(address: string, sending: Sending = {}): Promise<Answer> {
    const received = await sendRequest(this.url + address, sending)
    return { ...received, body: parse(received.text) }
  }

  /** Rows that a test counts before and after. */
  async count(table: string): Promise<number> {
    const [row] = await this.db.query<{ count: number }>(
      sql`select count(*)::int as count from ${sql.identifier(table)}`,
    )
    return row?.count ?? 0
  }
}

/** Far above what anything takes, so that a busy machine fails nothing, and below the time of a test, so that this says why. */
const PATIENCE_MS = 60_000

/** Waits until the check gives something, and gives that; fails after the time. */
export async function eventually<Result>(
  check: () => Promise<Result | undefined | false>,
  timeoutMs = PATIENCE_MS,
): Promise<Result> {
  const end = performance.now() + timeoutMs
  for (;;) {
    const result = await check()
    if (result !== undefined && result !== false) return result
    if (performance.now() > end) throw new Error(`what was waited for did not happen within ${timeoutMs} ms`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

async function openDatabase(shared: TestApp | undefined): Promise<TestDatabase> {
  if (SERVER_URL === undefined) return { ...(await leaseEmbedded()), url: undefined }
  return shared?.databaseUrl === undefined ? openTestDatabase() : openShared(shared.databaseUrl)
}

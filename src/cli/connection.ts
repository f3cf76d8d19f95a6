import { readFileSync } from 'node:fs'
import path from 'node:path'
import { LOCAL_KEY_FILE } from '../app/local-key.ts'
import { LOCAL_ADMIN } from '../app/seed.ts'
import type { Config } from '../config.ts'
import { sql } from '../database/drizzle.ts'
import { createLog } from '../log.ts'
import { callMethod } from '../platform/rpc.ts'
import { openInstallation } from './installation.ts'
import { ADDRESS_FILE } from './run-service.ts'

/** The installation as the command line sees it: its API, as the built-in administrator. */
export interface Connection {
  /** Through the running service, or on the data folder itself while none runs. */
  kind: 'service' | 'folder'
  /** Where the running service listens. */
  address: string | undefined
  call<Result>(model: string, method: string, args?: object): Promise<Result>
  close(): Promise<void>
}

/** A sentence of the service itself; shown without a trace. */
export class ServiceRefusal extends Error {
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.name = 'ServiceRefusal'
    this.status = status
  }
}

const PROBE_TIMEOUT_MS = 2_000

/** Finds the running service by its data folder and uses it; opens the folder itself when none runs. */
export async function connect(config: Config): Promise<Connection> {
  const address = readText(config, ADDRESS_FILE)
  if (address !== undefined && (await isAlive(address))) return serviceConnection(config, address)
  return folderConnection(config)
}

function serviceConnection(config: Config, address: string): Connection {
  const key = readText(config, LOCAL_KEY_FILE)
  if (key === undefined) {
    throw new ServiceRefusal(
      401,
      `${path.join(config.dataDir, LOCAL_KEY_FILE)} cannot be read: use the account that runs the service.`,
    )
  }
  return {
    kind: 'service',
    address,
    async call<Result>(model: string, method: string, args: object = {}) {
      const reply = await fetch(`${address}/json/2/${model}/${method}`, {
        method: 'POST',
        headers: { authorization: `bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify(args),
      })
      const body = (await reply.json()) as unknown
      if (reply.ok) return body as Result
      throw new ServiceRefusal(
        reply.status,
        (body as { message?: string }).message ?? `the service answered ${reply.status}`,
      )
    },
    async close() {},
  }
}

async function folderConnection(config: Config): Promise<Connection> {
  const { app, db } = await openInstallation(config, createLog('error'))
  // The queue is opened so that what a command asks for is done when the service runs again; nothing is worked on here.
  await app.jobs.start({ works: false })
  const [admin] = await db.query<{ id: number }>(sql`select id from res_users where external_id = ${LOCAL_ADMIN}`)
  return {
    kind: 'folder',
    address: undefined,
    async call<Result>(model: string, method: string, args: object = {}) {
      const identity = await app.identities.byId(admin?.id ?? 0)
      if (identity === undefined) throw new Error('the built-in administrator is missing')
      return (await callMethod(app.platform, db, identity, { model, method, body: args })) as Result
    },
    async close() {
      await app.stop()
      await db.close()
    },
  }
}

async function isAlive(address: string): Promise<boolean> {
  try {
    const reply = await fetch(`${address}/healthz`, { signal: AbortSignal.timeout(PROBE_TIMEOUT_MS) })
    return reply.ok
  } catch {
    return false
  }
}

function readText(config: Config, name: string): string | undefined {
  try {
    return readFileSync(path.join(config.dataDir, name), 'utf8').trim() || undefined
  } catch {
    return undefined
  }
}

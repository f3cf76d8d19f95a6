import { readFileSync } from 'node:fs'
import path from 'node:path'
import { ADDRESS_FILE, LOCAL_KEY_FILE } from '../app/data-files.ts'
import type { Config } from '../config.ts'
import { type Connection, ServiceRefusal } from './connection.ts'

const PROBE_TIMEOUT_MS = 2_000

/**
 * Finds the running service by its data folder and uses it; opens the folder itself when none runs. With `works`, what a
 * command asks for is then worked on by this process too, instead of waiting for the service.
 */
export async function connect(config: Config, { works = false }: { works?: boolean } = {}): Promise<Connection> {
  const address = readText(config, ADDRESS_FILE)
  if (address !== undefined && (await isAlive(address))) return serviceConnection(config, address)
  // The whole service is loaded for it, so a command that finds the service running never pays for that.
  const { folderConnection } = await import('./folder-connection.ts')
  return folderConnection(config, { works })
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

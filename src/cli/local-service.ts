import { readFileSync } from 'node:fs'
import path from 'node:path'
import { ADDRESS_FILE, LOCAL_KEY_FILE, PROVIDERS_FILE } from '../app/data-files.ts'
import type { Config } from '../config.ts'
import { type Connection, ServiceRefusal } from './connection.ts'

/** A service that runs on this machine, and the key by which local scripts act as its administrator. */
export interface LocalService {
  address: string
  key: string
}

/** Where a running service reaches the providers, as it was told when it started. */
export interface ProviderAddresses {
  /** Null is the phone provider itself, whose host depends on the settings. */
  telcoBaseUrl: string | null
  voiceaiBaseUrl: string
}

type Place = Pick<Config, 'dataDir'>

const PROBE_TIMEOUT_MS = 2_000
const UNAUTHORIZED = 401

/** The service that runs on this data folder. */
export async function findLocalService({ dataDir }: Place): Promise<LocalService | undefined> {
  const address = readText(path.join(dataDir, ADDRESS_FILE))
  if (address === undefined) return undefined
  const keyFile = path.join(dataDir, LOCAL_KEY_FILE)
  const key = readText(keyFile)
  const status = await askWhoWeAre(address, key)
  if (status === undefined) return undefined
  if (key === undefined) {
    throw new ServiceRefusal(401, `${keyFile} cannot be read: use the account that runs the service.`)
  }
  // After `kill -9` the address stays in the folder, and another service may be there by now.
  return status === UNAUTHORIZED ? undefined : { address, key }
}

/** The providers of the service that runs on this data folder. */
export function readProviders({ dataDir }: Place): ProviderAddresses | undefined {
  const text = readText(path.join(dataDir, PROVIDERS_FILE))
  return text === undefined ? undefined : (JSON.parse(text) as ProviderAddresses)
}

export function serviceConnection({ address, key }: LocalService): Connection {
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

/** The status of the answer; undefined when nobody answers. */
async function askWhoWeAre(address: string, key: string | undefined): Promise<number | undefined> {
  const headers: HeadersInit = key === undefined ? {} : { authorization: `bearer ${key}` }
  try {
    const reply = await fetch(`${address}/api/me`, { headers, signal: AbortSignal.timeout(PROBE_TIMEOUT_MS) })
    await reply.body?.cancel()
    return reply.status
  } catch {
    return undefined
  }
}

function readText(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim() || undefined
  } catch {
    return undefined
  }
}

import { accessSync, constants } from 'node:fs'
import path from 'node:path'
import { ADDRESS_FILE, LOCAL_KEY_FILE, PROVIDERS_FILE, readTextFile } from '../../app/data-files.ts'
import { type Connection, ServiceRefusal } from '../../app/own-api/connection.ts'
import type { Config } from '../../config.ts'
import { isServiceOfFolder } from './service-proof.ts'

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

/**
 * The service that runs on this data folder. The key is given to nobody before they have proved that they hold the folder:
 * after `kill -9` the address stays in it, and anybody may listen there by now.
 */
export async function findLocalService({ dataDir }: Place): Promise<LocalService | undefined> {
  const address = readTextFile(path.join(dataDir, ADDRESS_FILE))
  if (address === undefined) return undefined
  const keyFile = path.join(dataDir, LOCAL_KEY_FILE)
  requireReadable(keyFile)
  if (!(await isServiceOfFolder(dataDir, address))) return undefined
  const key = readTextFile(keyFile)
  return key === undefined ? undefined : { address, key }
}

function requireReadable(file: string): void {
  try {
    accessSync(file, constants.R_OK)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return
    throw new ServiceRefusal(401, `${file} cannot be read: use the account that runs the service.`, { cause: error })
  }
}

/** The providers of the service that runs on this data folder. */
export function readProviders({ dataDir }: Place): ProviderAddresses | undefined {
  const text = readTextFile(path.join(dataDir, PROVIDERS_FILE))
  return text === undefined ? undefined : (JSON.parse(text) as ProviderAddresses)
}

export function serviceConnection({ address, key }: LocalService): Connection {
  return {
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

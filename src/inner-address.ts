import { lookup } from 'node:dns/promises'
import { isOwnNetwork } from './public-address.ts'

/**
 * Whether a host is this machine or of its network, by its name or by what the name resolves to now. Between this and the request
 * it may resolve to something else; whoever is there then has no certificate for the name.
 */
export async function leadsInside(hostname: string, resolve: typeof addressesOf = addressesOf): Promise<boolean> {
  return isOwnNetwork(hostname) || (await resolve(hostname)).some(isOwnNetwork)
}

/** None where the name is not known here: then it is not reached either. */
async function addressesOf(hostname: string): Promise<string[]> {
  const found = await lookup(hostname, { all: true }).catch(() => [])
  return found.map(({ address }) => address)
}

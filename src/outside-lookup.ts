import { lookup } from 'node:dns/promises'
import type { LookupFunction } from 'node:net'
import { isOwnNetwork } from './public-address.ts'

/** Finds the addresses of a name for one connection, and fails when one of them is of this machine or its network. */
export function outsideLookup(resolve: typeof addressesOf = addressesOf): LookupFunction {
  return (hostname, options, done) => {
    resolve(hostname).then(
      (found) => {
        const [first] = found
        if (first === undefined || found.some(({ address }) => isOwnNetwork(address)))
          return done(new InnerAddress(hostname), '')
        return options.all === true ? done(null, found) : done(null, first.address, first.family)
      },
      (error: NodeJS.ErrnoException) => done(error, ''),
    )
  }
}

/** What was to be asked is this machine, or of its network. */
export class InnerAddress extends Error {
  constructor(hostname: string) {
    super(`${hostname} is this machine, or of its network`)
  }
}

function addressesOf(hostname: string): Promise<{ address: string; family: number }[]> {
  return lookup(hostname, { all: true })
}

import { createHmac, randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { FastifyInstance } from 'fastify'
import { PROOF_FILE } from '../../app/data-files.ts'
import { equalInConstantTime } from '../../platform/secrets/secrets.ts'

/** Where a service proves that the data folder is its own. */
const PATH = '/api/local-proof'
const SECRET_BYTES = 32
const NONCE = /^[\w-]{20,100}$/
/** A service that has much to do may take seconds; where nobody listens, that is known at once. */
const PROBE_TIMEOUT_MS = 10_000

/**
 * Lets local programs make sure that they talk to the service that holds this data folder, before they give it a key: after
 * `kill -9` somebody else may listen at the address that stayed in the folder. The secret is made anew at each start and can
 * be read by the account of the service only. `address` is part of what is signed, so that nobody can pass the question on.
 */
export function proveFolder(http: FastifyInstance, dataDir: string, address: () => string | undefined): void {
  const secret = randomBytes(SECRET_BYTES).toString('base64url')
  writeFileSync(path.join(dataDir, PROOF_FILE), `${secret}\n`, { mode: 0o600 })
  http.get<{ Querystring: { nonce?: unknown } }>(PATH, async (request, reply) => {
    const { nonce } = request.query
    const own = address()
    if (typeof nonce !== 'string' || !NONCE.test(nonce) || own === undefined) {
      return reply.code(404).send({ error: 'There is nothing at this address.' })
    }
    return reply.send({ proof: sign(secret, nonce, own) })
  })
}

/** Whether the service that holds this data folder answers at the address. Gives it nothing but a random number. */
export async function isServiceOfFolder(dataDir: string, address: string): Promise<boolean> {
  const nonce = randomBytes(SECRET_BYTES).toString('base64url')
  try {
    const secret = readFileSync(path.join(dataDir, PROOF_FILE), 'utf8').trim()
    const reply = await fetch(`${address}${PATH}?nonce=${nonce}`, {
      redirect: 'error',
      signal: AbortSignal.timeout(PROBE_TIMEOUT_MS),
    })
    const { proof } = (await reply.json()) as { proof?: unknown }
    return secret !== '' && typeof proof === 'string' && equalInConstantTime(proof, sign(secret, nonce, address))
  } catch {
    return false
  }
}

function sign(secret: string, nonce: string, address: string): string {
  return createHmac('sha256', secret).update(`connect local service\n${nonce}\n${address}`).digest('base64url')
}

import { argon2, randomBytes } from 'node:crypto'
import { promisify } from 'node:util'
import { Share } from '../../../database/server/api-share.ts'
import { equalInConstantTime } from '../../secrets/secrets.ts'

/**
 * Hashes that are worked on at once. Each takes one of the process's four threads for files and names, and many strangers
 * who sign in must leave some to everybody else who is served; they wait for their turn, and are refused when it does not come.
 */
const HASHES_AT_ONCE = 2
const hashes = new Share(HASHES_AT_ONCE)
const work = promisify(argon2)
const derive: typeof work = (...asked) => hashes.use(() => work(...asked))

/** OWASP's recommendation for Argon2id: 19 MiB, two passes, one lane. */
const COST = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 }
const SALT_BYTES = 16
const SCHEME = 'argon2id'

/** A salted, slow hash of a password, with the scheme it was made by. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES)
  const hash = await derive('argon2id', { message: password, nonce: salt, ...COST })
  return [SCHEME, salt.toString('base64'), hash.toString('base64')].join('$')
}

/** True when the password is the one the hash was made of. Takes as long for an unknown user as for a known one. */
export async function passwordMatches(password: string, stored: string | undefined): Promise<boolean> {
  const [, salt = '', wanted = ''] = (stored ?? NOBODYS_HASH).split('$')
  const hash = await derive('argon2id', { message: password, nonce: Buffer.from(salt, 'base64'), ...COST })
  return equalInConstantTime(Buffer.from(wanted, 'base64'), hash) && stored !== undefined
}

/** Compared with when there is no such user, so that the answer does not come sooner. */
const NOBODYS_HASH = [
  SCHEME,
  randomBytes(SALT_BYTES).toString('base64'),
  randomBytes(COST.tagLength).toString('base64'),
].join('$')

import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  hash,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto'
import { ConfigError } from '../../config.ts'
import { readOldKey, readOrMakeKey } from './key-file.ts'

/** What a protected value looks like to somebody who may not read it; always four, whatever its length. */
export const MASK = '****'

/** The first version said nothing of where a text belongs; the second one carries it as associated data. */
const VERSION = 'v2'
const OLD_VERSION = 'v1'
const IV_BYTES = 12
const TAG_BYTES = 16
const WRONG_KEY =
  'SECRET_KEY, or secret.key in DATA_DIR when it is not set, is not the key that the secrets in the database were encrypted with'

const UNKNOWN_VERSION =
  'A secret in the database was not written by this version of Connect: start the version that wrote it, or restore a backup.'

/** Encrypts and decrypts what is secret at rest (AES-256-GCM). */
export interface Cipher {
  /** Whether there are keys besides, which what was stored before may be encrypted with: the key is being changed. */
  readonly hasOldKeys: boolean
  /** `place` says whose secret it is (see secretPlace): at another place the text is worth nothing. */
  encrypt(plain: string, place: string): string
  /** Throws a ConfigError when the text was written with another key, for another place, or by a later version. */
  decrypt(stored: string, place: string): string
  /** The same secret as `encrypt` writes it now; undefined when it is written so. Throws as `decrypt`. */
  renew(stored: string, place: string): string | undefined
  /** A token that only holders of the key can make, the same for the same purpose. */
  derive(purpose: string): string
}

/** Where the keys come from, as the configuration says it. */
interface KeySource {
  secretKey: string | undefined
  /** The one before, while SECRET_KEY is being changed. */
  oldSecretKey: string | undefined
  dataDir: string
}

/**
 * The cipher over SECRET_KEY, or over `DATA_DIR/secret.key`, which is made on first start; while a key is being changed it
 * reads what is under the old one too. Throws when a key file cannot be read or written.
 */
export function openCipher({ secretKey, oldSecretKey, dataDir }: KeySource): Cipher {
  const old = [oldSecretKey, readOldKey(dataDir)].filter((key) => key !== undefined)
  return cipherOf(secretKey ?? readOrMakeKey(dataDir), old)
}

/** The cipher over a text of any length. What it writes is under that one; it reads what is under old ones too. */
export function cipherOf(secret: string, oldSecrets: readonly string[] = []): Cipher {
  const [key, oldKeys] = [keyOf(secret), oldSecrets.map(keyOf)]
  const encrypt = (plain: string, place: string): string => seal(key, plain, place)
  const decrypt = (stored: string, place: string): string => {
    for (const each of [key, ...oldKeys]) {
      const plain = unseal(each, stored, place)
      if (plain !== undefined) return plain
    }
    throw new ConfigError([`${WRONG_KEY}${oldKeys.length > 0 ? ', and neither is the old key.' : '.'}`])
  }
  return {
    hasOldKeys: oldKeys.length > 0,
    encrypt,
    decrypt,
    renew(stored, place) {
      const isCurrent = !isOldSecret(stored) && unseal(key, stored, place) !== undefined
      return isCurrent ? undefined : encrypt(decrypt(stored, place), place)
    },
    derive: (purpose) => createHmac('sha256', key).update(purpose).digest('base64url'),
  }
}

function keyOf(secret: string): Buffer {
  return createHash('sha256').update(`connect secrets ${OLD_VERSION}\0${secret}`).digest()
}

function seal(key: Buffer, plain: string, place: string): string {
  const iv = randomBytes(IV_BYTES)
  const cipher = createCipheriv('aes-256-gcm', key, iv)
  cipher.setAAD(Buffer.from(place))
  const sealed = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
  return `${VERSION}:${Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64')}`
}

/** Undefined when the text is not of this key and place. */
function unseal(key: Buffer, stored: string, place: string): string | undefined {
  const [version, text = ''] = stored.split(':')
  if (version !== VERSION && version !== OLD_VERSION) throw new ConfigError([UNKNOWN_VERSION])
  const bytes = Buffer.from(text, 'base64')
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, IV_BYTES))
    if (version === VERSION) decipher.setAAD(Buffer.from(place))
    decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES))
    const sealed = bytes.subarray(IV_BYTES + TAG_BYTES)
    return Buffer.concat([decipher.update(sealed), decipher.final()]).toString('utf8')
  } catch {
    return undefined
  }
}

/** Names the field of one record that a secret belongs to. */
export function secretPlace(table: string, field: string, id: number): string {
  return `${table}.${field}#${id}`
}

/** True for a text that an earlier version wrote, which does not carry its place. */
function isOldSecret(stored: string): boolean {
  return stored.startsWith(`${OLD_VERSION}:`)
}

/** True when a value consists of nothing but asterisks: a mask that came back from a form, not a new secret. */
export function isMask(value: unknown): boolean {
  return typeof value === 'string' && /^\*+$/.test(value.trim())
}

/** Whether two secrets are the same, in a time that tells nothing of either, not even a length. */
export function equalInConstantTime(a: string | Buffer, b: string | Buffer): boolean {
  const digest = (each: string | Buffer): Buffer => hash('sha256', each, 'buffer')
  return timingSafeEqual(digest(a), digest(b))
}

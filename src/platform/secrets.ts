import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes } from 'node:crypto'
import { existsSync, linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { ConfigError } from '../config.ts'

/** What a protected value looks like to somebody who may not read it; always four, whatever its length. */
export const MASK = '****'

/** The first version said nothing of where a text belongs; the second one carries it as associated data. */
const VERSION = 'v2'
const OLD_VERSION = 'v1'
const IV_BYTES = 12
const TAG_BYTES = 16
const KEY_BYTES = 32
const KEY_FILE = 'secret.key'
const WRONG_KEY =
  'SECRET_KEY, or secret.key in DATA_DIR when it is not set, is not the key that the secrets in the database were encrypted with.'

const UNKNOWN_VERSION =
  'A secret in the database was not written by this version of Connect: start the version that wrote it, or restore a backup.'

/** Encrypts and decrypts what is secret at rest (AES-256-GCM). */
export interface Cipher {
  /** `place` says whose secret it is (see secretPlace): at another place the text is worth nothing. */
  encrypt(plain: string, place: string): string
  /** Throws a ConfigError when the text was written with another key, for another place, or by a later version. */
  decrypt(stored: string, place: string): string
  /** A token that only holders of the key can make, the same for the same purpose. */
  derive(purpose: string): string
}

/**
 * The cipher over SECRET_KEY, or over `DATA_DIR/secret.key`, which is made on first start (mode 0600).
 * Throws when the key file cannot be read or written.
 */
export function openCipher({ secretKey, dataDir }: { secretKey: string | undefined; dataDir: string }): Cipher {
  return cipherOf(secretKey ?? readOrMakeKey(path.join(dataDir, KEY_FILE)))
}

/** Whether the data folder has a key of its own. */
export function hasKeyFile(dataDir: string): boolean {
  return existsSync(path.join(dataDir, KEY_FILE))
}

/** The cipher over a text of any length. */
export function cipherOf(secret: string): Cipher {
  const key = createHash('sha256').update(`connect secrets ${OLD_VERSION}\0${secret}`).digest()
  return {
    encrypt(plain, place) {
      const iv = randomBytes(IV_BYTES)
      const cipher = createCipheriv('aes-256-gcm', key, iv)
      cipher.setAAD(Buffer.from(place))
      const sealed = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
      return `${VERSION}:${Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64')}`
    },
    decrypt(stored, place) {
      const [version, text = ''] = stored.split(':')
      if (version !== VERSION && version !== OLD_VERSION) throw new ConfigError([UNKNOWN_VERSION])
      const bytes = Buffer.from(text, 'base64')
      try {
        const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, IV_BYTES))
        if (version === VERSION) decipher.setAAD(Buffer.from(place))
        decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES))
        const sealed = bytes.subarray(IV_BYTES + TAG_BYTES)
        return Buffer.concat([decipher.update(sealed), decipher.final()]).toString('utf8')
      } catch (error) {
        throw new ConfigError([WRONG_KEY], { cause: error })
      }
    },
    derive: (purpose) => createHmac('sha256', key).update(purpose).digest('base64url'),
  }
}

/** Names the field of one record that a secret belongs to. */
export function secretPlace(table: string, field: string, id: number): string {
  return `${table}.${field}#${id}`
}

/** True for a text that an earlier version wrote, which does not carry its place. */
export function isOldSecret(stored: string): boolean {
  return stored.startsWith(`${OLD_VERSION}:`)
}

/** True when a value consists of nothing but asterisks: a mask that came back from a form, not a new secret. */
export function isMask(value: unknown): boolean {
  return typeof value === 'string' && /^\*+$/.test(value.trim())
}

/** Made beside and linked, so that neither a crash nor a second process leaves half a key under its name. */
function readOrMakeKey(file: string): string {
  const fresh = `${file}.${randomBytes(4).toString('hex')}`
  try {
    return readKey(file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
  writeFileSync(fresh, randomBytes(KEY_BYTES).toString('base64'), { mode: 0o600, flag: 'wx' })
  try {
    linkSync(fresh, file)
  } catch (error) {
    // Some file systems know no links.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') renameSync(fresh, file)
  } finally {
    rmSync(fresh, { force: true })
  }
  return readKey(file)
}

function readKey(file: string): string {
  const key = readFileSync(file, 'utf8').trim()
  if (key === '') throw new ConfigError([`DATA_DIR holds an empty ${KEY_FILE}: put the right one back.`])
  return key
}

import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'

/** What a protected value looks like to somebody who may not read it; always four, whatever its length. */
export const MASK = '****'

const VERSION = 'v1'
const IV_BYTES = 12
const TAG_BYTES = 16
const KEY_BYTES = 32
const KEY_FILE = 'secret.key'

/** Encrypts and decrypts what is secret at rest (AES-256-GCM). */
export interface Cipher {
  encrypt(plain: string): string
  /** Throws when the text was written with another key or was changed. */
  decrypt(stored: string): string
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

/** The cipher over a text of any length. */
export function cipherOf(secret: string): Cipher {
  const key = createHash('sha256').update(`connect secrets ${VERSION}\0${secret}`).digest()
  return {
    encrypt(plain) {
      const iv = randomBytes(IV_BYTES)
      const cipher = createCipheriv('aes-256-gcm', key, iv)
      const sealed = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
      return `${VERSION}:${Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64')}`
    },
    decrypt(stored) {
      const bytes = Buffer.from(stored.slice(VERSION.length + 1), 'base64')
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, IV_BYTES))
      decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES))
      return Buffer.concat([decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]).toString('utf8')
    },
    derive: (purpose) => createHmac('sha256', key).update(purpose).digest('base64url'),
  }
}

/** True when a value consists of nothing but asterisks: a mask that came back from a form, not a new secret. */
export function isMask(value: unknown): boolean {
  return typeof value === 'string' && /^\*+$/.test(value.trim())
}

function readOrMakeKey(file: string): string {
  try {
    writeFileSync(file, randomBytes(KEY_BYTES).toString('base64'), { mode: 0o600, flag: 'wx' })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  return readFileSync(file, 'utf8').trim()
}

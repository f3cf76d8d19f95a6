import { hash, randomBytes } from 'node:crypto'

const SECRET_BYTES = 20
const PERIOD_SECONDS = 30
const MS_PER_PERIOD = PERIOD_SECONDS * 1_000
/** Periods before and after the present one whose codes count: clocks differ, and typing takes time (RFC 6238, 5.2). */
const WINDOW = 1
const RECOVERY_CODES = 10
/** As many random bits as nobody tries, so that one fast hash is enough. */
const RECOVERY_BYTES = 10

/** Loaded when somebody first needs it: most requests never do. */
const load = () => import('otpauth')

/** A new secret, in base32. */
export async function newSecret(): Promise<string> {
  const { Secret } = await load()
  return new Secret({ size: SECRET_BYTES }).base32
}

async function totpOf(secret: string, { issuer, label }: { issuer: string; label: string }) {
  const { TOTP, Secret } = await load()
  return new TOTP({ issuer, label, secret: Secret.fromBase32(secret), digits: 6, period: PERIOD_SECONDS })
}

/** The address that an authenticator reads from a QR code. */
export async function otpauthAddress(secret: string, named: { issuer: string; label: string }): Promise<string> {
  return (await totpOf(secret, named)).toString()
}

/** The period that a code is of, counted from 1970; undefined when it is of none that counts now. */
export async function periodOf(secret: string, code: string, now: Date): Promise<number | undefined> {
  const totp = await totpOf(secret, { issuer: '', label: '' })
  const delta = totp.validate({ token: code, timestamp: now.getTime(), window: WINDOW })
  return delta === null ? undefined : Math.floor(now.getTime() / MS_PER_PERIOD) + delta
}

/** Codes for everybody who has lost the authenticator, each for one time: `abcd-efgh-ijkl-mnop`. */
export async function newRecoveryCodes(): Promise<string[]> {
  const { Secret } = await load()
  return Array.from({ length: RECOVERY_CODES }, () => {
    const bytes = Uint8Array.from(randomBytes(RECOVERY_BYTES))
    return (new Secret({ buffer: bytes.buffer }).base32.toLowerCase().match(/.{1,4}/g) ?? []).join('-')
  })
}

/** What is stored of a recovery code, however it was typed. */
export function hashRecoveryCode(code: string): string {
  return hash('sha256', plainCode(code))
}

/** A code as it was meant: without blanks and dashes, in small letters. */
export function plainCode(code: string): string {
  return code.replaceAll(/[\s-]/g, '').toLowerCase()
}

/** Whether it looks like one of an authenticator. */
export function isOfAuthenticator(code: string): boolean {
  return /^\d{6}$/.test(code)
}

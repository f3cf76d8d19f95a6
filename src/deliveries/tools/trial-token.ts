import { createHmac } from 'node:crypto'
import type { Cipher } from '../../platform/secrets/secrets.ts'
import { equalInConstantTime } from '../../platform/secrets/secrets.ts'

/** For the key that signs them; who has no SECRET_KEY makes none. */
const PURPOSE = 'trial of a voice agent'
const MAC_BYTES = 16
/** As many as the largest such number has. */
const MAC_DIGITS = 39
const SECONDS_DIGITS = 10
const MS_PER_SECOND = 1_000
const FORM = /^1(\d{39})(\d{10})([1-9]\d{0,14})$/
/** Longer than every id. */
const LOOKS = /^1\d{49,}$/

interface Trial {
  id: number
  expiresAt: Date
}

/**
 * What names a trial where the requests of tools name a call. It is made of digits, because tools take the id of a call as a
 * number, and only this service can make one: it is signed, and ends with the trial.
 */
export function trialToken(cipher: Pick<Cipher, 'derive'>, { id, expiresAt }: Trial): string {
  const seconds = String(Math.floor(expiresAt.getTime() / MS_PER_SECOND)).padStart(SECONDS_DIGITS, '0')
  return `1${signed(cipher, seconds, String(id))}${seconds}${id}`
}

/** Whether a request says that it is of a trial, truly or not: then it is never worked on as if it were of a call. */
export function claimsTrial(named: unknown): named is string {
  return typeof named === 'string' && LOOKS.test(named)
}

/** The trial that is named; undefined when nobody here signed it, and when it is over. */
export function readTrialToken(cipher: Pick<Cipher, 'derive'>, token: string, now: Date): number | undefined {
  const [, mac = '', seconds = '', id = ''] = FORM.exec(token) ?? []
  const isSigned = id !== '' && equalInConstantTime(mac, signed(cipher, seconds, id))
  return isSigned && Number(seconds) * MS_PER_SECOND > now.getTime() ? Number(id) : undefined
}

/** Whether this service signed it, also when the trial is over. */
export function isTrialToken(cipher: Pick<Cipher, 'derive'>, token: string): boolean {
  return readTrialToken(cipher, token, new Date(0)) !== undefined
}

function signed(cipher: Pick<Cipher, 'derive'>, seconds: string, id: string): string {
  const digest = createHmac('sha256', cipher.derive(PURPOSE)).update(`${seconds}.${id}`).digest('hex')
  return BigInt(`0x${digest.slice(0, MAC_BYTES * 2)}`)
    .toString()
    .padStart(MAC_DIGITS, '0')
}

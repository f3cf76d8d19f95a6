import { Refusal } from '../../errors.ts'

/** The provider refuses shorter ones. */
export const SIP_PASSWORD_CHARS_MIN = 12
export const SIP_PASSWORD_CHARS_MAX = 128

const KINDS = [
  [/[a-z]/, 'a lower-case letter'],
  [/[A-Z]/, 'a capital letter'],
  [/\d/, 'a digit'],
] as const

/** Refuses a password of a SIP phone that the provider would refuse. */
export function requireSipPassword(password: string): void {
  if (password.length < SIP_PASSWORD_CHARS_MIN)
    throw new Refusal('refused', 'sip-password-too-short', { min: SIP_PASSWORD_CHARS_MIN })
  const missing = KINDS.filter(([matches]) => !matches.test(password)).map(([, name]) => name)
  if (missing.length > 0) throw new Refusal('refused', 'connect-user-password', { missing: missing.join(' and ') })
}

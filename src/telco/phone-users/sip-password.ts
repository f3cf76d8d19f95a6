/** The provider refuses shorter ones. */
export const SIP_PASSWORD_CHARS_MIN = 12
export const SIP_PASSWORD_CHARS_MAX = 128

const KINDS = [
  [/[a-z]/, 'a lower-case letter'],
  [/[A-Z]/, 'a capital letter'],
  [/\d/, 'a digit'],
] as const

/** What a password of a SIP phone lacks, as the end of a sentence that begins with its name; undefined when nothing. */
export function sipPasswordProblem(password: string): string | undefined {
  if (password.length < SIP_PASSWORD_CHARS_MIN) return `must have at least ${SIP_PASSWORD_CHARS_MIN} characters`
  const missing = KINDS.filter(([matches]) => !matches.test(password)).map(([, name]) => name)
  return missing.length === 0 ? undefined : `must contain ${missing.join(' and ')}`
}

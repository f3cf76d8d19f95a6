import { computed } from '../../platform/model/fields.ts'
import type { Row } from '../../platform/model/model.ts'
import { parseZone } from '../../time.ts'

/** How the error of a conversation that was never connected begins; a transcript that comes later removes it. */
export const FAILURE_PREFIX = 'The call could not be started: '

const SECONDS_PER_MINUTE = 60
const CENTS = 100

/** The duration of a call or a leg, for people. */
export const SHOWN_DURATION = {
  duration_minutes: computed('Duration (minutes)', 'float', {
    depends: ['duration'],
    compute: (_env, rows) =>
      rows.map(({ duration }) => Math.round((Number(duration ?? 0) / SECONDS_PER_MINUTE) * CENTS) / CENTS),
  }),
  duration_human: computed('Duration', 'char', {
    depends: ['duration'],
    compute: (_env, rows) => rows.map((row) => humanDuration(row.duration)),
  }),
}

/** What the provider's word for the verification of a caller means (twilio.com/docs/voice/trusted-calling-with-shakenstir). */
const VERIFICATIONS = [
  [/^TN-Validation-Passed-A\b/i, 'The network vouches for the number'],
  [/^TN-Validation-Passed-B\b/i, "The network knows the caller but can't verify the number"],
  [/^TN-Validation-Passed-C\b/i, "The network can't verify the caller or the number"],
  [/^TN-Validation-Failed\b/i, 'The number could not be verified and may be fake'],
  [/^No-TN-Validation\b/i, 'No one vouches for the number'],
] as const

/** Whether the network vouches for the caller, in words; the provider's own word where it is an unknown one. */
export function verificationWords(said: unknown): string | null {
  if (typeof said !== 'string' || said === '') return null
  return VERIFICATIONS.find(([fits]) => fits.test(said))?.[1] ?? said
}

/** "Completed incoming call at 2026-08-27 14:00:00", when it began, in the zone when it is known, else in UTC. */
export function callName({ status, direction, started_at: began, create_date: written }: Row, zone?: string): string {
  const words = [status, direction, 'call at', localTime(began ?? written, zone)]
  const sentence = words.filter((word) => word !== null && word !== undefined).join(' ')
  return sentence.charAt(0).toUpperCase() + sentence.slice(1)
}

/** Seconds as `MM:SS`, minutes past 59 included: 3661 is `61:01`. */
export function humanDuration(seconds: unknown): string {
  const whole = Math.max(0, Math.trunc(Number(seconds ?? 0)))
  const pad = (part: number): string => String(part).padStart(2, '0')
  return `${pad(Math.trunc(whole / SECONDS_PER_MINUTE))}:${pad(whole % SECONDS_PER_MINUTE)}`
}

function localTime(at: unknown, zone: string | undefined): string {
  const utc = String(at).slice(0, 'YYYY-MM-DD HH:MM:SS'.length)
  const known = zone === undefined ? undefined : parseZone(zone)
  if (known === undefined) return utc
  const local = Temporal.Instant.from(`${utc.replace(' ', 'T')}Z`).toZonedDateTimeISO(known)
  return local.toPlainDateTime().toString({ smallestUnit: 'second' }).replace('T', ' ')
}

import { ApiError, sentenceOf } from '../data/errors.ts'
import type { Keys } from '../words/keys.ts'
import { formats } from '../words/words.ts'

type Say = (key: Keys['sign-in'], options?: { at: string }) => string

/** Why nobody was signed in; after too many attempts, when there is another one. */
export function problemOf(error: unknown, say: Say): string {
  const retryAt = error instanceof ApiError ? error.retryAt : undefined
  return retryAt === undefined ? sentenceOf(error) : say('tooMany', { at: formats.time(retryAt.toISOString()) })
}

const SIGN_ON: Readonly<Record<string, Keys['sign-in']>> = {
  unknown: 'ssoUnknown',
  unverified: 'ssoUnverified',
  inactive: 'ssoInactive',
  linked: 'ssoLinked',
  over: 'ssoOver',
  declined: 'ssoDeclined',
  failed: 'ssoFailed',
  unreachable: 'ssoUnreachable',
  off: 'ssoOff',
  used: 'onceUsed',
  elsewhere: 'onceElsewhere',
}

/** What the service says in the address when single sign-on, or a link that signs in once, let nobody in; nothing for what it never says. */
export function signOnProblem(problem: unknown): Keys['sign-in'] | undefined {
  return typeof problem === 'string' && Object.hasOwn(SIGN_ON, problem) ? SIGN_ON[problem] : undefined
}

import type { Queryable } from '../../database/database.ts'
import { sql } from '../../database/drizzle.ts'
import { param, statement } from '../../database/statement.ts'
import { Refusal } from '../../errors.ts'
import { forgetOldest } from '../../forget-oldest.ts'
import { networkOf } from './network-of.ts'
import { passwordMatches } from './passwords.ts'

/**
 * Failed attempts in a quarter of an hour before further ones are refused: on one login from one network, from one network,
 * on one login from anywhere, and in all. The last two are so high that a stranger does not easily lock a person out; and
 * they do not count for a person who has signed in from that network before.
 */
const ATTEMPTS_MAX = { both: 10, network: 50, login: 100, all: 1_000 }
const ATTEMPTS_WINDOW_MS = 15 * 60_000
/** Logins and networks remembered at once: more than can fail in a quarter of an hour. */
const COUNTED_MAX = 10_000

const FIND_USER = statement<{ id: number; password_hash: string | null }, { login: string }>(
  'sign_in_find',
  sql`select id, password_hash from res_users where login = ${param('login')} and active`,
)

interface SignInAttempt {
  login: string
  password: string
  /** Where the request came from. */
  address: string
}

/** Counts failures so that passwords cannot be guessed by trying. */
export class SignIn {
  readonly #clock: () => Date
  readonly #attemptsMax: typeof ATTEMPTS_MAX
  readonly #attempts = new Map<string, number[]>()
  /** Logins with the networks from which they signed in since the process started. */
  readonly #welcome = new Set<string>()

  constructor(clock: () => Date, attemptsMax = ATTEMPTS_MAX) {
    this.#clock = clock
    this.#attemptsMax = attemptsMax
  }

  /** The id of the user; a refusal that does not tell whether the login or the password was wrong. */
  async verify(db: Queryable, { login, password, address }: SignInAttempt): Promise<number> {
    const network = networkOf(address)
    const pair = JSON.stringify([login, network])
    const limits: [key: string, attemptsMax: number][] = [
      [pair, this.#attemptsMax.both],
      [JSON.stringify([null, network]), this.#attemptsMax.network],
    ]
    const wide: [key: string, attemptsMax: number][] = [
      [JSON.stringify([login, null]), this.#attemptsMax.login],
      ['all', this.#attemptsMax.all],
    ]
    if (!this.#welcome.has(pair)) limits.push(...wide)
    if (limits.some(([key, max]) => this.#recent(key).length >= max)) {
      throw new Refusal('too-many', 'Too many failed attempts; try again in a quarter of an hour.')
    }
    // Counted before the password is looked at, so that many attempts at once are counted too.
    const at = this.#clock().getTime()
    for (const [key] of limits) this.#count(key, at)
    const [user] = await db.run(FIND_USER, { login })
    const isRight = await passwordMatches(password, user?.password_hash ?? undefined)
    if (user === undefined || !isRight) throw new Refusal('unauthorized', 'The login or the password is wrong.')
    for (const [key] of limits) this.#forget(key, at)
    this.#remember(pair)
    return user.id
  }

  #remember(pair: string): void {
    this.#welcome.delete(pair)
    this.#welcome.add(pair)
    forgetOldest(this.#welcome, COUNTED_MAX)
  }

  #count(key: string, at: number): void {
    const recent = [...this.#recent(key), at]
    this.#attempts.delete(key)
    this.#attempts.set(key, recent)
    forgetOldest(this.#attempts, COUNTED_MAX)
  }

  #forget(key: string, at: number): void {
    const attempts = this.#attempts.get(key) ?? []
    const index = attempts.indexOf(at)
    if (index >= 0) attempts.splice(index, 1)
    if (attempts.length === 0) this.#attempts.delete(key)
  }

  #recent(key: string): number[] {
    const since = this.#clock().getTime() - ATTEMPTS_WINDOW_MS
    return (this.#attempts.get(key) ?? []).filter((at) => at > since)
  }
}

import type { Queryable } from '../../database/database.ts'
import { sql } from '../../database/drizzle.ts'
import { param, statement } from '../../database/statement.ts'
import { Refusal } from '../../errors.ts'
import { passwordMatches } from './passwords.ts'

/**
 * Failed attempts in a quarter of an hour before further ones are refused: on one login from one address, from one
 * address, and on one login from anywhere. The last is so high that a stranger does not easily lock a person out.
 */
export const ATTEMPTS_MAX = { both: 10, address: 50, login: 100 }
const ATTEMPTS_WINDOW_MS = 15 * 60_000
/** Logins and addresses remembered at once; past it those that failed first are forgotten. */
const COUNTED_MAX = 10_000

const FIND_USER = statement<{ id: number; password_hash: string | null }, { login: string }>(
  'sign_in_find',
  sql`select id, password_hash from res_users where login = ${param('login')} and active`,
)

export interface SignInAttempt {
  login: string
  password: string
  /** Where the request came from. */
  address: string
}

/** Counts failures so that passwords cannot be guessed by trying. */
export class SignIn {
  readonly #clock: () => Date
  readonly #attempts = new Map<string, number[]>()

  constructor(clock: () => Date) {
    this.#clock = clock
  }

  /** The id of the user; a refusal that does not tell whether the login or the password was wrong. */
  async verify(db: Queryable, { login, password, address }: SignInAttempt): Promise<number> {
    const limits = [
      [JSON.stringify([login, address]), ATTEMPTS_MAX.both],
      [JSON.stringify([null, address]), ATTEMPTS_MAX.address],
      [JSON.stringify([login, null]), ATTEMPTS_MAX.login],
    ] as const
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
    return user.id
  }

  #count(key: string, at: number): void {
    const recent = [...this.#recent(key), at]
    this.#attempts.delete(key)
    this.#attempts.set(key, recent)
    const [oldest] = this.#attempts.keys()
    if (this.#attempts.size > COUNTED_MAX && oldest !== undefined) this.#attempts.delete(oldest)
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

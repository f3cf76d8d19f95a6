import type { Queryable } from '../../database/database.ts'
import { sql } from '../../database/drizzle.ts'
import { param, statement } from '../../database/statement.ts'
import { Refusal } from '../../errors.ts'
import { passwordMatches } from './passwords.ts'

/** Failed attempts on one login, and in all, before further ones are refused for a while. */
export const ATTEMPTS_PER_LOGIN_MAX = 10
const ATTEMPTS_IN_ALL_MAX = 200
const ATTEMPTS_WINDOW_MS = 15 * 60_000

const FIND_USER = statement<{ id: number; password_hash: string | null }, { login: string }>(
  'sign_in_find',
  sql`select id, password_hash from res_users where login = ${param('login')} and active`,
)

/** Counts failures so that passwords cannot be guessed by trying. */
export class SignIn {
  readonly #clock: () => Date
  readonly #failures = new Map<string, number[]>()

  constructor(clock: () => Date) {
    this.#clock = clock
  }

  /** The id of the user; a refusal that does not tell whether the login or the password was wrong. */
  async verify(db: Queryable, { login, password }: { login: string; password: string }): Promise<number> {
    this.#requirePatience(login)
    const [user] = await db.run(FIND_USER, { login })
    const isRight = await passwordMatches(password, user?.password_hash ?? undefined)
    if (user !== undefined && isRight) {
      this.#failures.delete(login)
      return user.id
    }
    this.#failures.set(login, [...this.#recent(login), this.#clock().getTime()])
    throw new Refusal('unauthorized', 'The login or the password is wrong.')
  }

  #requirePatience(login: string): void {
    let inAll = 0
    for (const known of this.#failures.keys()) {
      const recent = this.#recent(known)
      if (recent.length === 0) this.#failures.delete(known)
      inAll += recent.length
    }
    if (this.#recent(login).length >= ATTEMPTS_PER_LOGIN_MAX || inAll >= ATTEMPTS_IN_ALL_MAX) {
      throw new Refusal('too-many', 'Too many failed attempts; try again in a quarter of an hour.')
    }
  }

  #recent(login: string): number[] {
    const since = this.#clock().getTime() - ATTEMPTS_WINDOW_MS
    return (this.#failures.get(login) ?? []).filter((at) => at > since)
  }
}

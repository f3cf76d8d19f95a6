import type { Queryable } from '../../../database/database.ts'
import { sql } from '../../../database/drizzle.ts'
import { param, statement } from '../../../database/statement.ts'
import { Refusal } from '../../../errors.ts'
import { type AttemptLimits, Attempts } from './attempts.ts'
import { passwordMatches } from './passwords.ts'

/** So high for one login from anywhere, and in all, that a stranger does not easily lock a person out. */
const ATTEMPTS_MAX: AttemptLimits = { both: 10, network: 50, login: 100, all: 1_000 }

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

/** Checks passwords, and counts failures so that they cannot be guessed by trying. */
export class SignIn {
  readonly #attempts: Attempts

  constructor(clock: () => Date, attemptsMax = ATTEMPTS_MAX) {
    this.#attempts = new Attempts(clock, attemptsMax)
  }

  /** The id of the user; a refusal that does not tell whether the login or the password was wrong. */
  async verify(db: Queryable, attempt: SignInAttempt): Promise<number> {
    const id = await this.#find(db, attempt)
    if (id === undefined) throw new Refusal('unauthorized', 'The login or the password is wrong.')
    return id
  }

  /** The same of whoever is signed in: it counts like a sign-in, as an open browser was found by somebody else perhaps. */
  async verifyOwn(db: Queryable, attempt: SignInAttempt): Promise<void> {
    if ((await this.#find(db, attempt)) === undefined) throw new Refusal('refused', 'Your password is another one.')
  }

  async #find(db: Queryable, { login, password, address }: SignInAttempt): Promise<number | undefined> {
    const succeed = this.#attempts.begin({ login, address })
    const [user] = await db.run(FIND_USER, { login })
    const isRight = await passwordMatches(password, user?.password_hash ?? undefined)
    if (user === undefined || !isRight) return undefined
    succeed()
    return user.id
  }
}

import type { Queryable } from '../../../database/database.ts'
import { sql } from '../../../database/drizzle.ts'
import { param, statement } from '../../../database/statement.ts'
import { bareEmail } from '../../../email-address.ts'
import { Refusal } from '../../../errors.ts'
import { type AttemptLimits, Attempts } from './attempts.ts'
import { knownSince } from './known-networks.ts'
import { networkOf } from './network-of.ts'
import { passwordMatches } from './passwords.ts'

/** So high for one login from anywhere, and in all, that a stranger does not easily lock a person out. */
const ATTEMPTS_MAX: AttemptLimits = { both: 10, network: 50, login: 100, all: 1_000 }

interface FoundUser {
  id: number
  password_hash: string | null
  sign_in_age: number
  is_known_there: boolean
}

/** Whose password was right, and at which age of their ways in (ways-in.ts). */
export interface SignedIn {
  userId: number
  age: number
}

const FIND_USER = statement<FoundUser, { login: string; bare: string; network: string; since: string }>(
  'sign_in_find',
  sql`select u.id, u.password_hash, coalesce(u.sign_in_age, 0) as sign_in_age,
        exists (select 1 from res_users_network n where n.user_id = u.id and n.network = ${param('network')}
                and n.last_at > ${param('since')}::timestamp) as is_known_there
      from res_users u where u.login in (${param('login')}, ${param('bare')}) and u.active
      order by (u.login = ${param('login')}) desc limit 1`,
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
  readonly #clock: () => Date

  constructor(clock: () => Date, attemptsMax = ATTEMPTS_MAX) {
    this.#clock = clock
    this.#attempts = new Attempts(clock, attemptsMax)
  }

  /** The user; a refusal that does not tell whether the login or the password was wrong. */
  async verify(db: Queryable, attempt: SignInAttempt): Promise<SignedIn> {
    const found = await this.#find(db, attempt)
    if (found === undefined) throw new Refusal('unauthorized', 'login-password-wrong')
    return found
  }

  /** The same of the person who is signed in: it counts like a sign-in, as an open browser was found by somebody else perhaps. */
  async verifyOwn(db: Queryable, attempt: SignInAttempt): Promise<SignedIn> {
    const found = await this.#find(db, attempt)
    if (found === undefined) throw new Refusal('refused', 'wrong-password')
    return found
  }

  async #find(db: Queryable, { login, password, address }: SignInAttempt): Promise<SignedIn | undefined> {
    // As it is read when it is saved: ` a@b.example ` and `Anna <a@b.example>` are one login, also where attempts are counted.
    const bare = bareEmail(login)
    const place = { network: networkOf(address), since: knownSince(this.#clock()) }
    const [user] = await db.run(FIND_USER, { login, bare, ...place })
    const succeed = this.#attempts.begin({ login: bare, address, isKnownThere: user?.is_known_there === true })
    const isRight = await passwordMatches(password, user?.password_hash ?? undefined)
    if (user === undefined || !isRight) return undefined
    succeed()
    return { userId: user.id, age: user.sign_in_age }
  }
}

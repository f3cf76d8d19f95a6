import type { Database } from '../../database/database.ts'
import { sql } from '../../database/drizzle.ts'
import { MISSED } from '../../database/listener.ts'
import { VOICE_AGENTS } from '../../directory/voiceai.ts'
import { asError } from '../../errors.ts'
import { usernameOf } from '../../ledger/legs/party.ts'
import type { Logger } from '../../log.ts'
import { speechLanguage } from '../routing/decide/speech.ts'

interface LanguageRow {
  /** One of our numbers, or the username of a phone user. */
  called: string
  language: string | null
  agent_language: string | null
}

/** Models whose change may change a language; `connect.telco.callflow_choice` is one too many, which does no harm. */
const MODELS = ['connect.telco.number', 'connect.telco.callflow', 'connect.user', 'connect.voiceai_agent']

/** As callers are spoken to elsewhere: in the language of what answers the number, else in the number's own. */
const LOAD = sql`
  select n.phone_number as called, coalesce(f.language, u.language, case when a.id is null then n.language end) as language,
    a.language as agent_language
  from connect_telco_number n
  left join connect_telco_callflow f on f.id = n.callflow
  left join connect_user u on u.id = n."user"
  left join ${VOICE_AGENTS} a on a.id = n.voiceai_agent
  union all
  select username, language, null from connect_user where username is not null and active is not false`

/**
 * The language of each number and phone user, kept in memory: a caller hears a sentence in it while the database does not
 * answer.
 */
export class CallerLanguages {
  readonly #db: Database
  readonly #log: Logger
  #byCalled: ReadonlyMap<string, string> = new Map()
  #age = 0
  #loading: Promise<void> | undefined

  constructor(db: Database, log: Logger) {
    this.#db = db
    this.#log = log
  }

  /** The language of the number that was called, else of the colleague who calls; undefined when neither is known. */
  of({ To: called = '', From: caller = '' }: Readonly<Record<string, string>>): string | undefined {
    return this.#byCalled.get(called) ?? this.#byCalled.get(usernameOf(caller) ?? '')
  }

  /** Reads them now, whenever one changes in any process, and when such a notification may have been missed. */
  async start(): Promise<void> {
    await this.#db.listen('connect_records', (payload) => {
      if (payload === MISSED || MODELS.some((model) => payload.includes(`"${model}"`))) void this.#refresh()
    })
    await this.#refresh()
  }

  /** However many changes come while they are read, they are read once more. */
  #refresh(): Promise<void> {
    this.#age += 1
    this.#loading ??= this.#load()
    return this.#loading
  }

  async #load(): Promise<void> {
    try {
      for (let read = 0; read !== this.#age; ) {
        read = this.#age
        const rows = await this.#db.query<LanguageRow>(LOAD)
        this.#byCalled = new Map(
          rows.flatMap(({ called, language, agent_language: ofAgent }) => {
            const known = language ?? speechLanguage(ofAgent)
            return known === undefined ? [] : [[called, known]]
          }),
        )
      }
    } catch (error) {
      this.#log.warn({ err: asError(error) }, 'the languages of the numbers cannot be read; those before stay in force')
    } finally {
      this.#loading = undefined
    }
  }
}

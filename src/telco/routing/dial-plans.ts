import { AfterChange, type Memory } from '../../database/cached.ts'
import type { Database } from '../../database/database.ts'
import { sql } from '../../database/drizzle.ts'
import { statement } from '../../database/statement.ts'
import { asError } from '../../errors.ts'
import { usernameOf } from '../../ledger/legs/party.ts'
import type { Logger } from '../../log.ts'
import type { Env } from '../../platform/access/env.ts'
import type { SealedFile } from '../../platform/secrets/sealed-file.ts'
import type { Settings } from '../../platform/settings/settings.ts'
import type { RoutingSettings } from './decide/context.ts'
import type { DialPlan } from './dial-plan.ts'
import { type DialPlanRow, readDialPlan, toDialPlan } from './load-dial-plan.ts'

const VERSION = statement<{ version: number }>(
  'dial_plan_version',
  sql`select version::float8 as version from connect_dial_plan`,
)

/** Name of the file in the data folder, without its ending. */
export const DIAL_PLAN_FILE = 'last-dial-plan'

/** What of the settings a decision is made from. */
const ROUTING_SETTINGS = [
  ...(['apiUrl', 'telcoEdge', 'country', 'voiceaiEnabled', 'announcesRecordings'] as const),
  ...(['callDurationLimitSeconds', 'barredPrefixes', 'mobileCountries'] as const),
] satisfies readonly (keyof RoutingSettings)[]

/** Where calls go, and the settings that belong to it. */
interface Remembered {
  readonly plan: DialPlan
  readonly settings: RoutingSettings
}

interface DialPlansParts {
  db: Database
  settings: Pick<Settings, 'get'>
  log: Logger
  /** Where the last plan is kept for a start without the database; none where the database is there whenever the process is. */
  file?: Pick<SealedFile, 'read' | 'write'> | undefined
}

/**
 * The dial plan in memory. Each transaction that routes a call asks which version is in force, so that a change counts for every
 * call after its commit, whatever notification is lost. While the database is away, the last plan known goes on.
 */
export class DialPlans implements Memory {
  /** The settings are saved with the plan. */
  readonly channels = ['connect_dial_plan', 'connect_settings'] as const
  readonly #parts: DialPlansParts
  #known: { plan: DialPlan; version: number } | undefined
  #settings: RoutingSettings | undefined
  #saved: Remembered | undefined
  readonly #saving = new AfterChange(() => this.#readAndSave())

  constructor(parts: DialPlansParts) {
    this.#parts = parts
    this.#saved = parts.file && fromFile(parts.file.read())
  }

  /** The plan in force, inside of a transaction. Throws what the database throws. */
  async inForce({ db, settings }: Pick<Env, 'db' | 'settings'>): Promise<DialPlan> {
    this.#settings = settings
    const [row] = await db.run(VERSION, {})
    if (this.#known !== undefined && row?.version === this.#known.version) return this.#known.plan
    return this.#take(await readDialPlan(db))
  }

  /** The last plan known, and its settings; undefined when no process on this folder has ever read one. */
  get last(): Remembered | undefined {
    const { plan } = this.#known ?? {}
    return plan === undefined || this.#settings === undefined ? this.#saved : { plan, settings: this.#settings }
  }

  /** The language of the number that was called, else of the colleague who calls; undefined when neither is known. */
  languageOf({ To: called = '', From: caller = '' }: Readonly<Record<string, string>>): string | undefined {
    const { plan } = this.last ?? {}
    return plan && (languageOfNumber(plan, called) ?? languageOfCaller(plan, caller))
  }

  /** Reads plan and settings, at the start and after each change, so that no call waits for that, and saves them for the next start. */
  changed(): Promise<void> {
    return this.#saving.changed()
  }

  saved(): Promise<void> {
    return this.#saving.done()
  }

  async #readAndSave(): Promise<void> {
    const { db, settings, log, file } = this.#parts
    try {
      const row = await readDialPlan(db)
      this.#take(row)
      this.#settings = await settings.get()
      await file?.write({ row, settings: routingSettings(this.#settings) })
    } catch (error) {
      log.warn({ err: asError(error) }, 'the dial plan cannot be read and saved; the last one stays in force')
    }
  }

  /**
   * What was read last counts, also with a lower version: a standby that took over may lack the last change, and count the next one
   * by the same number. An older reading that ends late is replaced at the next call, whose version is another.
   */
  #take(row: DialPlanRow): DialPlan {
    const plan = toDialPlan(row)
    this.#known = { plan, version: row.version }
    return plan
  }
}

function routingSettings(settings: RoutingSettings): RoutingSettings {
  return Object.fromEntries(ROUTING_SETTINGS.map((name) => [name, settings[name]])) as unknown as RoutingSettings
}

/** Undefined for a file that another release wrote in another shape: it must not keep a process from starting. */
function fromFile(read: unknown): Remembered | undefined {
  try {
    const { row, settings } = read as { row: DialPlanRow; settings: RoutingSettings }
    // A release that knew no mobiles has saved no countries of theirs.
    const completed = { ...settings, mobileCountries: settings.mobileCountries ?? [] }
    return typeof row.version === 'number' ? { plan: toDialPlan(row), settings: completed } : undefined
  } catch {
    return undefined
  }
}

/** As callers are spoken to elsewhere: in the language of what answers the number, else in the number's own. */
function languageOfNumber(plan: DialPlan, called: string): string | undefined {
  const number = plan.numbers.get(called)
  if (number === undefined) return undefined
  const flow = plan.callflows.get(number.callflow ?? 0)?.speech.language
  const user = plan.users.get(number.user ?? 0)?.ringing.speech.language
  const agent = plan.agents.get(number.voiceai_agent ?? 0)
  return flow ?? user ?? (agent === undefined ? (number.language ?? undefined) : agent.fallback.language)
}

function languageOfCaller(plan: DialPlan, caller: string): string | undefined {
  return plan.usersByName.get(usernameOf(caller) ?? '')?.ringing.speech.language
}

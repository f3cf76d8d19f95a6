import type { Database, Transaction } from '../../database/database.ts'
import { sql } from '../../database/drizzle.ts'
import { rolledBack, workInside } from '../../deliveries/replay/rolled-back.ts'
import { CALL_HEADER } from '../../deliveries/tools/named-call.ts'
import type { ToolTrials } from '../../deliveries/tools/tool-trials.ts'
import { claimsTrial, readTrialToken } from '../../deliveries/tools/trial-token.ts'
import type { Handled, IncomingRequest, Reply, TableRow, WebhookRow } from '../../deliveries/webhooks/webhook-table.ts'
import { asError, Refusal } from '../../errors.ts'
import { parseJson } from '../../json.ts'
import type { Env, Platform } from '../../platform/access/env.ts'
import { envOf } from '../../platform/api/rpc.ts'
import type { Identities } from '../../platform/identity/identities.ts'
import { writerOf, writtenBy } from '../../platform/model/written-by.ts'
import { notifyChanged } from '../../platform/records/notify-changed.ts'
import { pretendCall, type TrialCall } from './pretend-call.ts'
import { type TrialStep, trialModel } from './trial.ts'

/** Characters of what was asked and answered that are shown. */
const SHOWN_CHARS_MAX = 4_000
/** Requests of tools that one trial shows. */
const STEPS_MAX = 100
/** What the log of deliveries says. */
const REMARK = 'This was a trial. Nothing was saved.'

interface TrialToolParts {
  db: Database
  platform: Platform
  identities: Identities
  /** The same tool without any provider behind it. */
  rowOf(place: TableRow): WebhookRow
}

/** Works on what tools are asked in trials: as in a call of that caller, in a transaction that is rolled back. */
export class TrialTools implements ToolTrials {
  readonly #parts: TrialToolParts

  constructor(parts: TrialToolParts) {
    this.#parts = parts
  }

  run(place: TableRow, arrival: IncomingRequest): Promise<Reply | Handled> | undefined {
    const token = arrival.headers[CALL_HEADER]
    return claimsTrial(token) ? this.#work(place, arrival, token) : undefined
  }

  async #work(place: TableRow, arrival: IncomingRequest, token: string): Promise<Handled> {
    const { db, platform } = this.#parts
    arrival.subject.remark = REMARK
    const id = readTrialToken(platform.cipher, token, platform.clock())
    const [trial] =
      id === undefined
        ? []
        : await db.query<TrialCall>(
            sql`select id, agent, caller, called, partner from connect_voiceai_trial
                where id = ${id}::bigint and ended_at is null`,
          )
    // Never worked on as if it were of a call.
    if (trial === undefined) throw new Refusal('unavailable', 'trial-over')
    const started = performance.now()
    const note = (reply: Reply): Promise<void> =>
      this.#note(trial.id, stepOf(place, arrival, { reply, ms: performance.now() - started, token }))
    try {
      const reply = await this.#tried(place, arrival, { trial, token })
      await note(reply)
      return { reply, subject: { remark: REMARK } }
    } catch (thrown) {
      await note(place.table.fallback(place.row, asError(thrown), arrival))
      throw thrown
    }
  }

  async #tried(
    place: TableRow,
    arrival: IncomingRequest,
    { trial, token }: { trial: TrialCall; token: string },
  ): Promise<Reply> {
    const { db, rowOf } = this.#parts
    const row = rowOf(place)
    const begin = (work: (tx: Transaction) => Promise<void>): Promise<void> => db.transaction(work)
    const parts = await this.#envParts(row.isElevated === true)
    return rolledBack(begin, async (tx) => {
      const env: Env = envOf(parts, tx)
      const call = await pretendCall(env, trial)
      const done = await workInside(row, asOfCall(arrival, { call, token }), env)
      return 'reply' in done ? done.reply : done
    })
  }

  async #envParts(isElevated: boolean) {
    const { platform, identities } = this.#parts
    const [settings, webhook] = await Promise.all([platform.settings.get(), identities.webhook()])
    return { platform, settings, identity: isElevated ? { ...webhook, isElevated: true } : webhook }
  }

  /** What the person who tries the agent sees at once. */
  async #note(id: number, step: TrialStep): Promise<void> {
    const { db } = this.#parts
    const parts = await this.#envParts(false)
    await db.transaction(async (tx) => {
      const env = envOf(parts, tx)
      await tx.query(
        sql`update connect_voiceai_trial set tool_calls = tool_calls + 1,
              steps = case when tool_calls < ${STEPS_MAX}::int
                then coalesce(steps, '[]'::jsonb) || jsonb_build_array(${JSON.stringify(step)}::jsonb) else steps end,
              ${writtenBy(writerOf(env))} where id = ${id}::bigint and ended_at is null`,
      )
      await notifyChanged(env, trialModel.name, [id])
    })
  }
}

/** The same request, of the call that is made for it. */
function asOfCall(arrival: IncomingRequest, { call, token }: { call: number; token: string }): IncomingRequest {
  const sent = parseJson(arrival.body.toString('utf8'))
  const isObject = typeof sent === 'object' && sent !== null && !Array.isArray(sent)
  const named = isObject
    ? Object.entries(sent).map(([name, value]) => [name, isToken(value, token) ? call : value])
    : []
  return {
    ...arrival,
    headers: { ...arrival.headers, [CALL_HEADER]: String(call) },
    body: isObject ? Buffer.from(JSON.stringify(Object.fromEntries(named))) : arrival.body,
    subject: {},
  }
}

/** As a number it has lost its last digits. */
function isToken(value: unknown, token: string): boolean {
  return value === token || (typeof value === 'number' && value === Number(token))
}

function stepOf(
  { row }: TableRow,
  { body }: IncomingRequest,
  { reply, ms, token }: { reply: Reply; ms: number; token: string },
): TrialStep {
  const sent = parseJson(body.toString('utf8'))
  const isObject = typeof sent === 'object' && sent !== null
  // The token opens nothing for who sees it, and says nothing either.
  const asked = isObject ? Object.entries(sent).filter(([, value]) => !isToken(value, token)) : []
  return {
    tool: row.tool?.name ?? '',
    asked: shown(JSON.stringify(Object.fromEntries(asked))),
    answered: shown(reply.body),
    status: reply.status,
    ms: Math.round(ms),
  }
}

/** Without what a database does not store as a text. */
function shown(text: string): string {
  return text.replaceAll('\\u0000', '').slice(0, SHOWN_CHARS_MAX).toWellFormed()
}

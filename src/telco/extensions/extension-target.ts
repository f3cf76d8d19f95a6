import { sql } from '../../database/drizzle.ts'
import { Refusal } from '../../errors.ts'
import type { Env } from '../../platform/access/env.ts'
import type { Row } from '../../platform/model/model.ts'
import { isBlank } from '../../platform/model/values.ts'
import { writerOf, writtenBy } from '../../platform/model/written-by.ts'
import { displayNames } from '../../platform/records/record-read.ts'
import { records } from '../../platform/records/records.ts'

/** What an extension may lead to, and the column in which each has the link back. */
const TARGETS = {
  'connect.user': { label: 'Phone user', backLink: 'telco_exten' },
  'connect.telco.callflow': { label: 'Call flow', backLink: 'exten' },
  'connect.telco.markup': { label: 'TwiML application', backLink: 'exten' },
  'connect.voiceai_agent': { label: 'Voice agent', backLink: 'exten' },
} as const
type ExtenTargetModel = keyof typeof TARGETS

const TARGET_MODELS = Object.keys(TARGETS) as ExtenTargetModel[]

/** The models an extension may lead to, with the words for them. */
export const EXTEN_TARGET_CHOICES = TARGET_MODELS.map((model) => [model, TARGETS[model].label] as const)

export interface ExtenTarget {
  model: ExtenTargetModel
  resId: number
}

const REFERENCE = /^([\w.]+),\s*(\d{1,16})$/

/** Reads `model,id`; empty is no target. Throws a refusal that lists what an extension may lead to. */
export function parseReference(reference: unknown): ExtenTarget | undefined {
  if (isBlank(reference)) return undefined
  const [, model = '', id = ''] = typeof reference === 'string' ? (REFERENCE.exec(reference.trim()) ?? []) : []
  if (model === '') {
    throw new Refusal('refused', 'connect-telco-exten-dst-must-written')
  }
  return readTarget(model, Number(id))
}

/** The target that model and id name together; both empty is no target. Throws a refusal for anything else. */
export function readTarget(model: unknown, resId: unknown): ExtenTarget | undefined {
  if (isBlank(model) && (isBlank(resId) || resId === 0)) return undefined
  const known = TARGET_MODELS.find((each) => each === model)
  if (known === undefined) {
    throw new Refusal('refused', 'extension-can-lead-only', { value: TARGET_MODELS.join(', ') })
  }
  if (typeof resId === 'number' && Number.isInteger(resId) && resId > 0) return { model: known, resId }
  throw new Refusal('refused', 'connect-telco-exten-res-id-must', { known })
}

/** A target with the words for it, or undefined where there is none (any more). */
export type NamedTarget = (ExtenTarget & { name: string; label: string }) | undefined

/** Targets of extensions in the order of the rows. One whose record is gone counts as none. */
export async function namedTargets(env: Env, rows: readonly Row[]): Promise<NamedTarget[]> {
  const names = new Map<string, string>()
  for (const modelName of TARGET_MODELS) {
    const ids = rows.filter((row) => row.model === modelName && typeof row.res_id === 'number').map((row) => row.res_id)
    const found = await displayNames(env, env.platform.models.get(modelName), ids as number[])
    for (const [id, name] of found) names.set(`${modelName},${id}`, name)
  }
  return rows.map((row) => {
    const name = names.get(`${row.model},${row.res_id}`)
    if (name === undefined) return undefined
    const model = row.model as ExtenTargetModel
    return { model, resId: row.res_id as number, name, label: TARGETS[model].label }
  })
}

/** Lets the target of the extension, and nothing else, link back to it. */
export async function saveBackLinks(env: Env, extenId: number, target: ExtenTarget | undefined): Promise<void> {
  const written = writtenBy(writerOf(env))
  for (const model of TARGET_MODELS) {
    const back = sql.identifier(env.platform.models.get(model).table)
    const link = sql.identifier(TARGETS[model].backLink)
    const linked = target?.model === model ? target.resId : 0
    await env.db.query(
      sql`update ${back} set ${link} = null, ${written}
          where ${link} = ${extenId}::bigint and id <> ${linked}::bigint`,
    )
    if (linked > 0)
      await env.db.query(sql`update ${back} set ${link} = ${extenId}::bigint, ${written} where id = ${linked}::bigint`)
  }
}

/**
 * Gives a record that number as its extension: a new one, or its own under another number. Without a number, the extension
 * it has leads nowhere any more. Throws the refusals of connect.telco.exten.
 */
export async function giveExtension(env: Env, { model, resId }: ExtenTarget, number: unknown): Promise<void> {
  const extensions = records(env, 'connect.telco.exten')
  const [own] = await extensions.search([
    ['model', '=', model],
    ['res_id', '=', resId],
  ])
  if (isBlank(number)) return own === undefined ? undefined : extensions.write([own], { dst: null })
  if (own !== undefined) return extensions.write([own], { number })
  await extensions.create([{ number, dst: `${model},${resId}` }])
}

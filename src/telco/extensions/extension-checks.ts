import { sql } from '../../database/drizzle.ts'
import { isKeptForEmergencies } from '../../emergency-numbers.ts'
import { Refusal } from '../../errors.ts'
import type { Env } from '../../platform/access/env.ts'
import type { Check, Checked, Row } from '../../platform/model/model.ts'
import { isBlank } from '../../platform/model/values.ts'
import { mobileCheck } from '../mobiles/mobile-number.ts'
import { asDialled, extenPattern, isPlainNumber } from './extension-number.ts'
import { type ExtenTarget, namedTargets, parseReference, readTarget } from './extension-target.ts'

const NUMBER_RULE =
  'Must be digits such as 101, a phone number such as +15550100001, or a simple pattern such as 2\\d\\d, that no other extension has.'

/** What an extension says of its number and target. */
export const EXTEN_CHECKS: readonly Check[] = [
  {
    fields: ['number'],
    says: NUMBER_RULE,
    async require({ env, values, current }) {
      if (typeof values.number !== 'string') return
      const number = asDialled(values.number)
      if (number === '' || number === current?.number) return
      await requireFreeNumber(env, 'connect.telco.exten.number', number, current?.id ?? 0)
    },
  },
  {
    fields: ['dst', 'model', 'res_id'],
    says: 'What it leads to must be there, and have no other extension.',
    require: requireTarget,
  },
  {
    fields: ['mobile_number', 'dst', 'model', 'res_id'],
    says: 'It leads to an entry or to a mobile, not to both.',
    require({ after: { model, mobile_number: mobile } }) {
      if (model && mobile) throw new Refusal('refused', 'extension-target-or-mobile')
    },
  },
  mobileCheck('connect.telco.exten', 'mobile_number'),
]

/** The number that a record gets as its extension when it is saved: `link` is the column with the extension it has. */
export function extensionNumberCheck(model: string, field: string, link: string): Check {
  return {
    fields: [field],
    says: NUMBER_RULE,
    async require({ env, values, current }) {
      const number = values[field]
      if (isBlank(number)) return
      if (typeof number !== 'string') throw new Refusal('refused', 'not-text', { path: `${model}.${field}` })
      const own = current?.[link]
      await requireFreeNumber(env, `${model}.${field}`, asDialled(number), typeof own === 'number' ? own : 0)
    },
  }
}

/** Throws a refusal unless the number can be that of an extension, and is of none but that one. */
async function requireFreeNumber(env: Env, path: string, number: string, extenId: number): Promise<void> {
  if (!isPlainNumber(number) && extenPattern(number) === undefined) {
    throw new Refusal('refused', 'must-digits-phone-number-simple-pattern', { path })
  }
  if (isKeptForEmergencies(number, env.settings.country)) {
    throw new Refusal('refused', 'extension-for-emergencies', { path, number })
  }
  const rows = await env.db.query<Row>(
    sql`select id, model, res_id from connect_telco_exten where number = ${number} and id <> ${extenId}::bigint`,
  )
  if (rows.length === 0) return
  const [target] = await namedTargets(env, rows)
  if (target === undefined) throw new Refusal('conflict', 'extension-without-target', { number })
  const { label, name } = target
  throw new Refusal('conflict', 'extension-already-exists', { number, label, name })
}

/** `prepare` leaves what it cannot read, which is refused here in words. */
async function requireTarget({ env, values, after, current }: Checked): Promise<void> {
  if ('dst' in values) parseReference(values.dst)
  if (!('model' in values || 'res_id' in values)) return
  const target = readTarget(after.model, after.res_id)
  if (target !== undefined) await requireFreeTarget(env, target, current?.id ?? 0)
}

async function requireFreeTarget(env: Env, { model, resId }: ExtenTarget, extenId: number): Promise<void> {
  const { table } = env.platform.models.get(model)
  const found = await env.db.query(sql`select id from ${sql.identifier(table)} where id = ${resId}::bigint`)
  if (found.length === 0) throw new Refusal('refused', 'no-record-for-extension-lead', { resid: resId, model })
  const [other] = await env.db.query<{ number: string }>(
    sql`select number from connect_telco_exten
        where model = ${model} and res_id = ${resId}::bigint and id <> ${extenId}::bigint limit 1`,
  )
  if (other !== undefined) throw new Refusal('conflict', 'extension-already-leads', { number: other.number })
}

import { type Static, Type } from 'typebox'
import { sql } from '../database/drizzle.ts'
import { bareEmail } from '../email-address.ts'
import { Refusal } from '../errors.ts'
import { conversationNumber } from '../number-plans.ts'
import { toContactKey } from '../phone.ts'
import { type Env, elevated } from '../platform/access/env.ts'
import { GROUP } from '../platform/access/identity.ts'
import { method, type Values } from '../platform/model/model.ts'
import { writerOf, writtenBy } from '../platform/model/written-by.ts'
import { repoint } from '../platform/person/repoint.ts'
import { records } from '../platform/records/records.ts'
import { isBelow } from './company-check.ts'
import { findUserOf } from './person-of.ts'

const OTHERS_MAX = 20
/** What may be taken over from one of the others. */
const FIELDS = [
  'name',
  'phone',
  'mobile',
  'email',
  'lang',
  'tz',
  'is_company',
  'parent_id',
  'country_id',
  'comment',
] as const

const CHOICES = Object.fromEntries(FIELDS.map((field) => [field, Type.Optional(Type.Integer())]))

const Args = Type.Object({
  keep: Type.Integer({ description: 'The contact that is kept.' }),
  others: Type.Array(Type.Integer(), { minItems: 1, maxItems: OTHERS_MAX }),
  fields: Type.Optional(
    Type.Object(CHOICES, {
      additionalProperties: false,
      description: 'For each value: the contact it is taken from.',
    }),
  ),
})

/**
 * Makes one contact of several, in one transaction: whatever names the others names the kept one, the notes are put together, a
 * number that finds no room is written into the notes, and the others are deleted.
 */
export const merge = method({
  label: 'Merge contacts',
  operation: 'unlink',
  groups: [GROUP.connectAdmin],
  args: Args,
  reply: Type.Object({ kept: Type.Integer(), moved: Type.Record(Type.String(), Type.Integer()) }),
  run: (env, _ids, args) => mergeContacts(env, args),
})

async function mergeContacts(env: Env, { keep, others: named, fields }: Static<typeof Args>): Promise<object> {
  const chosen: Partial<Record<FieldName, number>> = fields ?? {}
  const others = [...new Set(named)]
  if (others.includes(keep)) throw new Refusal('refused', 'The contact that stays cannot be one of the others.')
  const partners = records(env, 'res.partner')
  const all = [keep, ...others]
  await partners.requireVisible(all, 'write', 'for update')
  const user = await findUserOf(env.db, others)
  if (user !== undefined) {
    throw new Refusal('refused', `One of them is the contact of the user "${user}": let that one stay.`)
  }
  const rows = new Map((await partners.read(all, [...FIELDS])).map((row) => [Number(row.id), row as Values]))
  const values = joined(
    all.map((id) => rows.get(id) ?? {}),
    (field) => rows.get(chosen[field] ?? keep)?.[field],
    (written) => sameAs(written, env.settings.country),
  )
  if (others.includes(Number(values.parent_id)) || values.parent_id === keep) values.parent_id = null
  // Moving what others may see and this administrator may not is what merging is; access was checked on the contacts.
  const moved = await repoint(elevated(env), 'res.partner', { from: others, into: keep })
  await env.db.query(sql`update res_partner set parent_id = null, ${writtenBy(writerOf(env))}
    where id = ${keep}::bigint and parent_id = id`)
  // Somebody between the two stood above the one and below the other.
  const company = values.parent_id
  if (typeof company === 'number' && (await isBelow(env.db, company, keep))) values.parent_id = null
  await partners.unlink(others)
  await partners.write([keep], values)
  return { kept: keep, moved }
}

type FieldName = (typeof FIELDS)[number]

/** The values of the merged contact: what was chosen, else the first there is; what has no place is kept in the notes. */
function joined(
  rows: readonly Values[],
  chosen: (field: FieldName) => unknown,
  sameOf: (written: unknown) => unknown,
): Values {
  const first = (field: FieldName) =>
    rows.map((row) => plain(row[field])).find((value) => value !== null && value !== false)
  const values: Values = {}
  for (const field of FIELDS) {
    const wanted = plain(chosen(field))
    values[field] = (wanted === null || wanted === false ? first(field) : wanted) ?? null
  }
  values.is_company = values.is_company === true
  // The same number in another spelling is no second number.
  if (plain(chosen('mobile')) === null && sameOf(values.mobile) === sameOf(values.phone)) values.mobile = null
  const placed = new Set([values.phone, values.mobile, values.email, values.name].map(sameOf))
  const left = ['name', 'phone', 'mobile', 'email'] as const
  const spare = [...new Set(rows.flatMap((row) => left.map((field) => plain(row[field]))))].filter(
    (value) => typeof value === 'string' && value !== '' && !placed.has(sameOf(value)),
  )
  if (values.mobile === null) {
    const number = spare.find(
      (value) => typeof value === 'string' && rows.some(({ phone, mobile }) => [phone, mobile].includes(value)),
    )
    if (number !== undefined) values.mobile = number
  }
  const kept = spare.filter((value) => sameOf(value) !== sameOf(values.mobile))
  const rest = kept.filter((value, at) => kept.findIndex((each) => sameOf(each) === sameOf(value)) === at)
  const notes = [...new Set(rows.map(({ comment }) => plain(comment)).filter((each) => typeof each === 'string'))]
  values.comment = [...notes, ...rest].join('\n') || null
  return values
}

/** What two spellings of one number, or of one address, have in common. */
function sameAs(written: unknown, country: string | undefined): unknown {
  if (typeof written !== 'string') return written
  const number = toContactKey(written, country)
  return number === undefined ? bareEmail(written).toLowerCase() : conversationNumber(number)
}

/** Links are read as id and name. */
function plain(value: unknown): Values[string] {
  if (Array.isArray(value)) return (value[0] as number | undefined) ?? null
  return (value as Values[string] | undefined) ?? null
}

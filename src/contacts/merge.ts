import { Type } from 'typebox'
import { sql } from '../database/drizzle.ts'
import { bareEmail } from '../email-address.ts'
import { Refusal } from '../errors.ts'
import { inPieces } from '../in-pieces.ts'
import { conversationNumber } from '../number-plans.ts'
import { toContactKey } from '../phone.ts'
import { mayAccess } from '../platform/access/access.ts'
import { type Env, elevated } from '../platform/access/env.ts'
import { GROUP } from '../platform/access/identity.ts'
import { outsideMethod, type Values } from '../platform/model/model.ts'
import { writerOf, writtenBy } from '../platform/model/written-by.ts'
import { type RepointingProgress, repoint, repointSome } from '../platform/person/repoint.ts'
import { records } from '../platform/records/records.ts'
import { isBelow } from './company-check.ts'
import { isOneErased } from './erasures.ts'
import { noteMerged } from './merged-into.ts'
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
 * Makes one contact of several: whatever names the others names the kept one, the notes are put together, a number that finds no room
 * is written into the notes, and the others are deleted. What names them moves some rows at a time, so that nobody waits for it; who
 * asks again after an interruption goes on. The rest is one transaction.
 */
export const merge = outsideMethod({
  label: 'Merge contacts',
  operation: 'write',
  groups: [GROUP.connectUser, GROUP.connectAdmin],
  args: Args,
  reply: Type.Object({ kept: Type.Integer(), moved: Type.Record(Type.String(), Type.Integer()) }),
  async runOutside(open, _ids, { keep, others: named, fields }) {
    const merging: Merging = { keep, others: [...new Set(named)], fields: fields ?? {} }
    const progress: RepointingProgress = { place: 0, waiting: [], changed: new Map() }
    await inPieces((rowsMax) => open((env) => moveSome(env, merging, { progress, rowsMax })))
    return open(async (env) => {
      await mergeContacts(env, merging, progress)
      // How many rows there are of what somebody may not read is not told.
      const told = [...progress.changed].filter(([name]) =>
        mayAccess(env.identity, env.platform.models.get(name), 'read'),
      )
      return { kept: keep, moved: Object.fromEntries(told.map(([name, ids]) => [name, ids.size])) }
    })
  },
})

interface Merging {
  keep: number
  others: readonly number[]
  fields: Partial<Record<FieldName, number>>
}

async function requireMergeable(env: Env, { keep, others }: Merging, lock: '' | 'for update'): Promise<void> {
  if (others.includes(keep)) throw new Refusal('refused', 'merge-kept-twice')
  await records(env, 'res.partner').requireVisible([keep, ...others], 'write', lock)
  const user = await findUserOf(env.db, others)
  if (user !== undefined) throw new Refusal('refused', 'merge-contact-of-user', { user })
  // The values of somebody who is being erased would live on in the contact that is kept.
  if (await isOneErased(env.db, [keep, ...others])) throw new Refusal('refused', 'merge-erasing')
  if (env.identity.groups.has(GROUP.connectAdmin)) return
  // Meetings are read by those who attend them: what is moved onto one's own contact would become readable.
  const colleague = await findUserOf(env.db, [keep])
  if (colleague !== undefined) throw new Refusal('refused', 'merge-into-colleague', { user: colleague })
}

async function moveSome(
  env: Env,
  merging: Merging,
  { progress, rowsMax }: { progress: RepointingProgress; rowsMax: number },
): Promise<boolean> {
  await requireMergeable(env, merging, '')
  // A transaction may be run again: what it did not commit is no progress.
  const own: RepointingProgress = { ...progress, changed: new Map(progress.changed) }
  const ids = { from: merging.others, into: merging.keep }
  // Moving what others may see and this person may not is what merging is; access was checked on the contacts.
  const isLeft = await repointSome(elevated(env), 'res.partner', ids, { progress: own, rowsMax })
  Object.assign(progress, own)
  return isLeft
}

async function mergeContacts(env: Env, asked: Merging, progress: RepointingProgress): Promise<void> {
  const { keep, others, fields: chosen } = asked
  const partners = records(env, 'res.partner')
  const all = [keep, ...others]
  await requireMergeable(env, asked, 'for update')
  const rows = new Map((await partners.read(all, [...FIELDS])).map((row) => [Number(row.id), row as Values]))
  const values = joined(
    all.map((id) => rows.get(id) ?? {}),
    (field) => rows.get(chosen[field] ?? keep)?.[field],
    (written) => sameAs(written, env.settings.country),
  )
  if (others.includes(Number(values.parent_id)) || values.parent_id === keep) values.parent_id = null
  // What came meanwhile, and links to many.
  await repoint(elevated(env), 'res.partner', { from: others, into: keep }, progress)
  await env.db.query(sql`update res_partner set parent_id = null, ${writtenBy(writerOf(env))}
    where id = ${keep}::bigint and parent_id = id`)
  // Somebody between the two stood above the one and below the other.
  const company = values.parent_id
  if (typeof company === 'number' && (await isBelow(env.db, company, keep))) values.parent_id = null
  // Nothing of them is lost, so a person who may write contacts merges them without the right to delete. Their values are stored
  // ones, which are not checked again: what a provider brought may be no number.
  const merging = records(elevated(env), 'res.partner')
  await merging.unlink(others)
  await merging.write([keep], values)
  await noteMerged(
    env,
    keep,
    others.map((id) => ({ id, name: String(rows.get(id)?.name ?? `#${id}`) })),
  )
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

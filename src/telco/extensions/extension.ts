import { Type } from 'typebox'
import { sql } from '../../database/drizzle.ts'
import { Refusal } from '../../errors.ts'
import type { Env } from '../../platform/access/env.ts'
import { GROUP } from '../../platform/access/identity.ts'
import { boolean, char, computed, integer, selection } from '../../platform/model/fields.ts'
import { defineModel, method, type Row, type Values } from '../../platform/model/model.ts'
import { idList, records } from '../../platform/records/records.ts'
import { extensionPreviews } from '../routing/preview.ts'
import { EXTEN_NUMBER_CHARS_MAX, extenPattern, IS_PATTERN, isPlainNumber, nextNumber } from './extension-number.ts'
import {
  EXTEN_TARGET_CHOICES,
  type ExtenTarget,
  keepBackLinks,
  namedTargets,
  parseReference,
  readTarget,
} from './extension-target.ts'

/** Digits of an ordinary extension. */
export const EXTEN_DIGITS_MAX = 4

const TARGET = ['model', 'res_id']

/** A short number, and what it leads to. */
export const extenModel = defineModel({
  name: 'connect.telco.exten',
  label: 'Extension',
  order: 'number',
  display: { columns: ['number'], show: (row) => String(row.number) },
  fields: {
    number: char('Number', {
      required: true,
      isUnique: true,
      maxLength: EXTEN_NUMBER_CHARS_MAX,
      help: 'Usually up to four digits, such as 101. A whole phone number or a pattern such as 2\\d\\d works too.',
    }),
    model: selection('Target model', EXTEN_TARGET_CHOICES),
    res_id: integer('Target record', { isRecordId: true }),
    dst: computed('Target', 'char', {
      depends: TARGET,
      isWritable: true,
      help: 'What answers this number, written "model,id", such as "connect.user,7".',
      compute: async (env, rows) =>
        (await namedTargets(env, rows)).map((target) => (target ? `${target.model},${target.resId}` : null)),
    }),
    dst_name: computed('Target name', 'char', {
      depends: TARGET,
      compute: async (env, rows) => (await namedTargets(env, rows)).map((target) => target?.name ?? null),
    }),
    model_friendly: computed('Target type', 'char', {
      depends: TARGET,
      compute: async (env, rows) => (await namedTargets(env, rows)).map((target) => target?.label ?? null),
    }),
    name: computed('Name', 'char', { depends: ['number', ...TARGET], compute: namesOf }),
    markup_preview: computed('Markup', 'text', {
      depends: ['number', ...TARGET],
      isHeavy: true,
      groups: [GROUP.connectAdmin],
      help: 'What a call to this number is answered with.',
      compute: extensionPreviews,
    }),
    is_published: boolean('Published', { help: 'Voice agents may transfer callers to it.' }),
  },
  indexes: [
    { columns: TARGET, isUnique: true, where: 'model is not null', message: 'The target already has an extension.' },
    { columns: ['number'], where: IS_PATTERN },
  ],
  methods: {
    copy: method({ label: 'Duplicate', operation: 'create', args: Type.Object({}), run: duplicate }),
  },
  async prepare(env, given, current) {
    const { dst, ...values } = given
    if (typeof values.number === 'string') await requireNumber(env, values, current)
    if (!('dst' in given || 'model' in values || 'res_id' in values)) return values
    const after = { ...current, ...values }
    const target = 'dst' in given ? parseReference(dst) : readTarget(after.model, after.res_id)
    if (target !== undefined) await requireFreeTarget(env, target, current?.id ?? 0)
    return { ...values, model: target?.model ?? null, res_id: target?.resId ?? null }
  },
  removing: requireUnused,
  async saved(env, { id, values }) {
    if ('model' in values) await keepBackLinks(env, id, readTarget(values.model, values.res_id))
  },
})

async function namesOf(env: Env, rows: readonly Row[]): Promise<string[]> {
  const targets = await namedTargets(env, rows)
  return rows.map((row, at) => (targets[at] ? `${row.number} <${targets[at].name}>` : String(row.number)))
}

async function requireNumber(env: Env, values: Values, current: Row | undefined): Promise<void> {
  const number = String(values.number).trim()
  values.number = number
  if (number === '' || number === current?.number) return
  if (!isPlainNumber(number) && extenPattern(number) === undefined) {
    throw new Refusal(
      'refused',
      '"connect.telco.exten.number" must be digits such as 101, a phone number such as +15550100001, or a simple pattern such as 2\\d\\d.',
    )
  }
  const rows = await env.db.query<Row>(
    sql`select id, model, res_id from connect_telco_exten where number = ${number} and id <> ${current?.id ?? 0}::bigint`,
  )
  if (rows.length === 0) return
  const [target] = await namedTargets(env, rows)
  const use = target ? `leads to ${target.label} "${target.name}"` : 'has no target yet: give it one instead'
  throw new Refusal('conflict', `The extension ${number} already exists and ${use}.`)
}

async function requireFreeTarget(env: Env, { model, resId }: ExtenTarget, extenId: number): Promise<void> {
  const { table } = env.platform.models.get(model)
  const found = await env.db.query(sql`select id from ${sql.identifier(table)} where id = ${resId}::bigint`)
  if (found.length === 0)
    throw new Refusal('refused', `There is no record ${resId} in ${model} for the extension to lead to.`)
  const [other] = await env.db.query<{ number: string }>(
    sql`select number from connect_telco_exten
        where model = ${model} and res_id = ${resId}::bigint and id <> ${extenId}::bigint limit 1`,
  )
  if (other !== undefined) throw new Refusal('conflict', `The extension ${other.number} already leads there.`)
}

async function requireUnused(env: Env, ids: readonly number[]): Promise<void> {
  const [use] = await env.db.query<{ number: string; flow: string }>(
    sql`select e.number, f.name as flow from connect_telco_callflow_choice c
        join connect_telco_exten e on e.id = c.exten join connect_telco_callflow f on f.id = c.callflow
        where c.exten in (${idList(ids)}) order by c.id limit 1`,
  )
  if (use === undefined) return
  throw new Refusal(
    'conflict',
    `The extension ${use.number} is a choice of the call flow "${use.flow}": remove it there first.`,
  )
}

/** Copies get the numbers after the last one, and lead nowhere until somebody says where. */
async function duplicate(env: Env, ids: number[]): Promise<number[]> {
  const copies: number[] = []
  for (const source of await records(env, 'connect.telco.exten').read(ids, ['is_published'])) {
    const taken = await env.db.query<{ number: string }>(
      sql`select number from connect_telco_exten where length(number) <= ${EXTEN_DIGITS_MAX}::int`,
    )
    const number = nextNumber(
      taken.map((row) => row.number),
      EXTEN_DIGITS_MAX,
    )
    if (number === undefined)
      throw new Refusal('conflict', `There is no free number of ${EXTEN_DIGITS_MAX} digits after the last one.`)
    copies.push(...(await records(env, 'connect.telco.exten').create([{ number, is_published: source.is_published }])))
  }
  return copies
}

import { Type } from 'typebox'
import { sql } from '../../database/drizzle.ts'
import { idList } from '../../database/ids.ts'
import { Refusal } from '../../errors.ts'
import { ONE_LINE } from '../../names.ts'
import type { Env } from '../../platform/access/env.ts'
import { GROUP } from '../../platform/access/identity.ts'
import { boolean, char, computed, integer, selection } from '../../platform/model/fields.ts'
import { defineModel, method, type Row, type Values } from '../../platform/model/model.ts'
import { remarksField } from '../../platform/model/remarks.ts'
import { records } from '../../platform/records/records.ts'
import { readMobile } from '../mobiles/mobile-number.ts'
import { extensionPreviews } from '../routing/preview.ts'
import { ensureExtension } from './ensure-extension.ts'
import { EXTEN_CHECKS } from './extension-checks.ts'
import { asDialled, EXTEN_NUMBER_CHARS_MAX, IS_PATTERN } from './extension-number.ts'
import { extensionRemarks } from './extension-remarks.ts'
import {
  EXTEN_TARGET_CHOICES,
  type NamedTarget,
  namedTargets,
  parseReference,
  readTarget,
  saveBackLinks,
} from './extension-target.ts'
import { freeExtension } from './free-extension.ts'

const TARGET = ['model', 'res_id']
const ANY_TARGET = [...TARGET, 'mobile_number', 'mobile_name']

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
      help: 'Such as 101. A phone number or a pattern such as 2\\d\\d works too.',
    }),
    model: selection('Leads to (type)', EXTEN_TARGET_CHOICES),
    res_id: integer('Leads to (entry)', { isRecordId: true, widget: 'none' }),
    mobile_number: char('Mobile number', {
      isIndexed: true,
      maxLength: EXTEN_NUMBER_CHARS_MAX,
      help: 'In place of an entry: the person who picks up presses 1 to take the call. Calls to it cost as other calls do.',
    }),
    mobile_name: char('Whose mobile', { pattern: ONE_LINE, help: 'Voice agents know the mobile by it.' }),
    dst: computed('Leads to', 'char', {
      depends: TARGET,
      isWritable: true,
      widget: 'none',
      help: 'Who or what answers this extension.',
      compute: ofTarget(({ model, resId }) => `${model},${resId}`),
    }),
    dst_name: computed('Leads to', 'char', { depends: ANY_TARGET, compute: targetNames }),
    model_friendly: computed('Type', 'char', {
      depends: TARGET,
      widget: 'none',
      compute: ofTarget(({ label }) => label),
    }),
    name: computed('Name', 'char', { depends: ['number', ...ANY_TARGET], compute: namesOf }),
    markup_preview: computed('TwiML', 'text', {
      depends: ['number', 'mobile_number', ...TARGET],
      isHeavy: true,
      groups: [GROUP.connectAdmin],
      help: 'The TwiML that a caller gets.',
      compute: extensionPreviews,
    }),
    remarks: remarksField(extensionRemarks),
    is_published: boolean('Agents can transfer here', { help: 'Voice agents may transfer callers to it.' }),
  },
  indexes: [
    { columns: TARGET, isUnique: true, where: 'model is not null', refusal: 'extension-of-target-twice' },
    { columns: ['number'], where: IS_PATTERN },
  ],
  methods: {
    ensure: ensureExtension,
    copy: method({ label: 'Duplicate', operation: 'create', reply: Type.Array(Type.Integer()), run: duplicate }),
  },
  checks: EXTEN_CHECKS,
  prepare: withTarget,
  removing: requireUnused,
  async saved(env, { id, values }) {
    if ('model' in values) await saveBackLinks(env, id, readTarget(values.model, values.res_id))
  },
})

/** What is shown of the target of each extension; null where there is none. */
function ofTarget(show: (target: NonNullable<NamedTarget>) => string) {
  return async (env: Env, rows: readonly Row[]) =>
    (await namedTargets(env, rows)).map((target) => (target === undefined ? null : show(target)))
}

/** The target as its two columns, however it was written; what cannot be read stays, for the check to refuse. */
function withTarget(env: Env, given: Values, current: Row | undefined): Values {
  const { dst, ...values } = withNumbers(env, given)
  if (!('dst' in given || 'model' in values || 'res_id' in values)) return values
  const after = { ...current, ...values }
  try {
    const target = 'dst' in given ? parseReference(dst) : readTarget(after.model, after.res_id)
    return { ...values, model: target?.model ?? null, res_id: target?.resId ?? null }
  } catch (error) {
    if (error instanceof Refusal) return { ...values, ...('dst' in given ? { dst } : {}) }
    throw error
  }
}

function withNumbers(env: Env, { ...values }: Values): Values {
  if (typeof values.number === 'string') values.number = asDialled(values.number)
  if (typeof values.mobile_number === 'string') values.mobile_number = readMobile(env, values.mobile_number)
  return values
}

async function namesOf(env: Env, rows: readonly Row[]): Promise<string[]> {
  const names = await targetNames(env, rows)
  return rows.map((row, at) => (names[at] ? `${row.number} <${names[at]}>` : String(row.number)))
}

/** What extensions lead to, by name; the mobile of one by whose it is, else by its number. */
async function targetNames(env: Env, rows: readonly Row[]): Promise<(string | null)[]> {
  const targets = await namedTargets(env, rows)
  return rows.map(({ mobile_number: number, mobile_name: name }, at) => {
    const mobile = number ? String(name || number) : null
    return targets[at]?.name ?? mobile
  })
}

async function requireUnused(env: Env, ids: readonly number[]): Promise<void> {
  const [use] = await env.db.query<{ number: string; flow: string }>(
    sql`select e.number, f.name as flow from connect_telco_callflow_choice c
        join connect_telco_exten e on e.id = c.exten join connect_telco_callflow f on f.id = c.callflow
        where c.exten in (${idList(ids)}) order by c.id limit 1`,
  )
  if (use === undefined) return
  throw new Refusal('conflict', 'extension-choice-call-flow-remove-first', { number: use.number, flow: use.flow })
}

/** Copies get the numbers after the last one, and lead nowhere until somebody says where. */
async function duplicate(env: Env, ids: number[]): Promise<number[]> {
  const copies: number[] = []
  for (const source of await records(env, 'connect.telco.exten').read(ids, ['is_published'])) {
    const number = await freeExtension(env)
    copies.push(...(await records(env, 'connect.telco.exten').create([{ number, is_published: source.is_published }])))
  }
  return copies
}

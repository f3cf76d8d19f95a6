/** What the list of a kind of record shows beside the name of each; pure. */
import type { FieldInfo } from '../data/queries.ts'
import type { Values } from './record-values.ts'
import { isTarget, TARGETED } from './targets.ts'

const COLUMNS_MAX = 5
const SHORT_TYPES = ['char', 'selection', 'integer', 'float', 'boolean', 'date', 'datetime', 'many2one']
const SELDOM = ['create_date', 'write_date', 'create_uid', 'write_uid', 'name', 'display_name']
/** Ids at a provider: on the record, and never the first thing. */
const PROVIDER_ID = /(?:^|_)[su]id$/
/** Fields that the name of a record consists of. */
const IN_NAME: Readonly<Record<string, readonly string[]>> = {
  'connect.telco.number': ['phone_number', 'friendly_name'],
  'connect.telco.exten': ['number'],
}

/** Numbers that are shown in the one form in which calls have them, by the field that has it: it is no column of its own. */
const ONE_FORM: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'res.partner': { phone: 'phone_normalized', mobile: 'mobile_normalized' },
}

/** The first short fields, which is what the model's author put first; what calls lead to is one column. */
export function columnsOf(model: string, fields: Record<string, FieldInfo>): FieldInfo[] {
  const left = [
    ...SELDOM,
    ...(IN_NAME[model] ?? []),
    ...(TARGETED[model]?.others ?? []),
    ...Object.values(ONE_FORM[model] ?? {}),
  ]
  const shown = Object.values(fields).filter(
    ({ name, type, store, secret, widget }) =>
      store === true &&
      !secret &&
      widget !== 'none' &&
      name !== 'id' &&
      SHORT_TYPES.includes(type) &&
      !left.includes(name),
  )
  const columns = shown.filter((field) => !PROVIDER_ID.test(field.name) && !isTarget(model, field))
  // Written as programs name it, and shown by its name.
  const target = Object.values(fields).filter((field) => isTarget(model, field))
  return [...target, ...columns].slice(0, COLUMNS_MAX)
}

/** The fields that are read for the columns. */
export function readFor(model: string, columns: readonly FieldInfo[]): string[] {
  const names = columns.flatMap(({ name }) => {
    const oneForm = ONE_FORM[model]?.[name]
    return oneForm === undefined ? [name] : [name, oneForm]
  })
  const targeted = TARGETED[model]
  return targeted !== undefined && names.includes(targeted.at) ? [...new Set([...names, ...targeted.others])] : names
}

/** The number of a record in its one form, else as typed; undefined for the other columns. */
export function numberIn(model: string, field: FieldInfo, row: Values): string | undefined {
  const oneForm = ONE_FORM[model]?.[field.name]
  return oneForm === undefined ? undefined : String(row[oneForm] || row[field.name] || '')
}

/** What a record leads to, by its name, where a column is that; undefined for the other columns. */
export function targetIn(model: string, field: FieldInfo, row: Values): string | null | undefined {
  if (!isTarget(model, field)) return undefined
  return TARGETED[model]?.targetOf(row, row)?.name ?? null
}

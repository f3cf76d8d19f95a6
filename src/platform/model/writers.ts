import type { Field } from './fields.ts'
import { type Model, OWN_FIELDS } from './model.ts'

/**
 * Who writes a field over the API: the service alone; `base.group_erp_manager` alone, or at least each change of what is
 * there, or each change of a record that is stored; or everybody who may write records of the model.
 */
export type Writer = 'service' | 'managers' | 'managers, changes' | 'managers, once stored' | 'administrators'

const MANAGERS_WRITE = {
  managers: 'all',
  'managers, changes': 'changes',
  'managers, once stored': 'once stored',
} as const

/** The model with the writers of its fields. Throws when a field is not in the list, or the list names one too many. */
export function withWriters(model: Model, writers: Readonly<Record<string, Writer>>): Model {
  const named = new Set([...Object.keys(model.fields), ...Object.keys(writers)])
  for (const name of Object.keys(OWN_FIELDS)) named.delete(name)
  const fields = [...named].map((name) => {
    const [field, writer] = [model.fields[name], writers[name]]
    if (field === undefined) throw new Error(`the list of writers of ${model.name} names "${name}", which is no field`)
    if (writer === undefined) throw new Error(`nobody has said who writes the field "${name}" of ${model.name}`)
    return [name, writtenBy(`${model.name}.${name}`, field, writer)] as const
  })
  return { ...model, fields: { ...model.fields, ...Object.fromEntries(fields) } }
}

function writtenBy(path: string, field: Field, writer: Writer): Field {
  if (isOfService(field) !== (writer === 'service')) {
    throw new Error(`${path} is written by ${writer} in the list, and by others as it is declared`)
  }
  if (writer === 'service') return field
  if (writer !== 'administrators') return { ...field, managersWrite: MANAGERS_WRITE[writer] }
  if (field.isProtected === true || field.kind === 'secret') throw new Error(`${path} is a secret: managers write it`)
  return field
}

/** Whether nobody writes it over the API. */
function isOfService(field: Field): boolean {
  if (field.readonly === true || field.kind === 'one2many') return true
  return field.kind === 'computed' && field.isWritable !== true
}

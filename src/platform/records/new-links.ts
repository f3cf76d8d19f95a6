import { Refusal } from '../../errors.ts'
import type { Field, Many2ManyField, One2ManyField } from '../model/fields.ts'
import type { Model, Values } from '../model/model.ts'
import { ONLY_NEW } from './record-links.ts'

/** Creates records of another model, as whoever writes. */
export type CreateOthers = (model: string, list: Values[]) => Promise<number[]>

/** Values of which records that are to be made with them were taken out. */
interface WithoutNew {
  values: Values
  /** Makes those that link back to records, once these are there. */
  createBack(ids: readonly number[]): Promise<void>
}

/** What was taken out of values: each field with its commands, or with the values of its new records. */
interface NewLinks {
  values: Values
  /** Fields that link to new records, among others. */
  linked: [name: string, field: Many2ManyField, commands: readonly unknown[]][]
  /** New records that link back. */
  back: [field: One2ManyField, list: Values[]][]
}

/** Takes fields with `[0,0,{...}]` out of values. */
export function takeNewOut(model: Model, given: Values): NewLinks {
  const taken: NewLinks = { values: { ...given }, linked: [], back: [] }
  for (const [name, value] of Object.entries(given)) {
    const field = Object.hasOwn(model.fields, name) ? model.fields[name] : undefined
    if (!isToMany(field) || field.readonly === true || !Array.isArray(value) || !value.some(isNewCommand)) continue
    if (field.kind === 'many2many') {
      taken.linked.push([name, field, value])
    } else {
      taken.back.push([field, value.map((each) => newValues(`${model.name}.${name}`, each))])
      taken.values[name] = ONLY_NEW
    }
  }
  return taken
}

/**
 * Takes `[0,0,{...}]` out of links to many: what a record links to is created at once and linked with `[4,id]`; what
 * links back to it waits for its id. Each is created with the rights of whoever writes, in the same transaction.
 */
export async function withoutNew(model: Model, given: Values, create: CreateOthers): Promise<WithoutNew> {
  const { values, linked, back } = takeNewOut(model, given)
  for (const [name, field, commands] of linked) {
    values[name] = await linkNew(`${model.name}.${name}`, field, commands, create)
  }
  const createBack = async (ids: readonly number[]): Promise<void> => {
    for (const id of ids) {
      for (const [{ target, inverse }, list] of back) {
        await create(
          target,
          list.map((each) => ({ ...each, [inverse]: id })),
        )
      }
    }
  }
  return { values, createBack }
}

async function linkNew(
  path: string,
  { target }: Many2ManyField,
  commands: readonly unknown[],
  create: CreateOthers,
): Promise<unknown[]> {
  const made = await create(
    target,
    commands.filter(isNewCommand).map((each) => newValues(path, each)),
  )
  return commands.map((each) => (isNewCommand(each) ? [4, made.shift()] : each))
}

/** Whether a field links to many. */
export function isToMany(field: Field | undefined): field is One2ManyField | Many2ManyField {
  return field?.kind === 'one2many' || field?.kind === 'many2many'
}

/** Whether a command makes the record that it links to. */
export function isNewCommand(command: unknown): command is [0, unknown, Values] {
  return Array.isArray(command) && command[0] === 0
}

/** The values of a new record, in the command that makes it. */
export function newValues(path: string, command: unknown): Values {
  const values: unknown = isNewCommand(command) ? command[2] : undefined
  if (typeof values === 'object' && values !== null && !Array.isArray(values)) return values as Values
  throw new Refusal(
    'refused',
    `"${path}" is written with commands [0,0,{...}] only, each with the values of a new record.`,
  )
}

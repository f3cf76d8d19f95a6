import { sqlState } from '../../database/database.ts'
import { sql } from '../../database/drizzle.ts'
import { idList } from '../../database/ids.ts'
import { type Inside, Refusal, saidBy } from '../../errors.ts'
import { ID_MAX } from '../../lenient-values.ts'
import type { Env } from '../access/env.ts'
import type { Field, Many2ManyField, One2ManyField } from '../model/fields.ts'
import type { Model, Values } from '../model/model.ts'
import { Problems } from '../model/problems.ts'
import { ONLY_NEW } from './record-links.ts'
import { noteInside } from './together.ts'

/** Writes records of another model, as the person who writes. */
export interface Others {
  create(model: string, list: Values[]): Promise<number[]>
  write(model: string, id: number, values: Values): Promise<void>
  unlink(model: string, id: number): Promise<void>
}

/** Values of which records that are written with them were taken out. */
interface WithoutNew {
  values: Values
  /** Writes those that link back to records, once these are there. */
  writeBack(ids: readonly number[]): Promise<void>
}

/** One command of a link back. */
type BackCommand =
  | { does: 'create'; values: Values; inside: Inside }
  | { does: 'write'; id: number; values: Values; inside: Inside }
  | { does: 'unlink'; id: number; inside: Inside }

/** What was taken out of values: each field with its commands. */
interface NewLinks {
  values: Values
  /** Fields that link to new records, among others. */
  linked: [name: string, field: Many2ManyField, commands: readonly unknown[]][]
  /** Records that link back, in the order in which they are written. */
  back: [field: One2ManyField, commands: BackCommand[]][]
}

/** What goes makes room for what comes: the same digits, the same hours. */
const ORDER = ['unlink', 'write', 'create'] as const

/** Takes fields with commands that write records out of values: `[0,0,{...}]`, of links back `[1,id,{...}]` and `[2,id]` as well. */
function takeNewOut(model: Model, given: Values): NewLinks {
  const taken: NewLinks = { values: { ...given }, linked: [], back: [] }
  for (const [name, value] of Object.entries(given)) {
    const field = writtenToMany(model, name)
    if (field === undefined || !Array.isArray(value)) continue
    if (field.kind === 'many2many') {
      if (value.some(isNewCommand)) taken.linked.push([name, field, value])
    } else if (value.some(isBackCommand)) {
      taken.back.push([field, readBackCommands(`${model.name}.${name}`, name, field, value)])
      taken.values[name] = ONLY_NEW
    }
  }
  return taken
}

function writtenToMany({ fields }: Model, name: string): One2ManyField | Many2ManyField | undefined {
  const field = Object.hasOwn(fields, name) ? fields[name] : undefined
  return isToMany(field) && field.readonly !== true ? field : undefined
}

function readBackCommands(path: string, name: string, field: One2ManyField, given: readonly unknown[]): BackCommand[] {
  const commands = given.map((each, at) => readBackCommand(path, field, each, { field: name, at }))
  return commands.toSorted((one, other) => ORDER.indexOf(one.does) - ORDER.indexOf(other.does))
}

/**
 * Takes commands that write records out of links to many: what a record links to is created at once and linked with `[4,id]`;
 * what links back to it waits for its id. Each is written with the rights of the person who writes, in the same transaction.
 */
export async function withoutNew(env: Env, model: Model, given: Values, others: Others): Promise<WithoutNew> {
  const { values, linked, back } = takeNewOut(model, given)
  for (const [name, field, commands] of linked) {
    values[name] = await linkNew(`${model.name}.${name}`, field, commands, others)
  }
  const writeBack = async (ids: readonly number[]): Promise<void> => {
    if (back.length === 0) return
    const problems = new Problems()
    for (const id of ids) {
      for (const [field, commands] of back) {
        for (const command of commands)
          await gatherInside(problems, command.inside, () => applyBack(env, id, field, command, others))
      }
    }
    problems.throwAny()
  }
  return { values, writeBack }
}

/** Writes one record that links back to this one. */
async function applyBack(
  env: Env,
  parent: number,
  { target, inverse }: One2ManyField,
  command: BackCommand,
  others: Others,
): Promise<void> {
  if (command.does === 'create') {
    const [id = 0] = await others.create(target, [{ ...command.values, [inverse]: parent }])
    noteInside(env, target, id, command.inside)
    return
  }
  await requireOwn(env, parent, { target, inverse }, command)
  if (command.does === 'unlink') return others.unlink(target, command.id)
  noteInside(env, target, command.id, command.inside)
  // It stays with this record.
  await others.write(target, command.id, { ...command.values, [inverse]: parent })
}

async function requireOwn(
  env: Env,
  parent: number,
  { target, inverse }: Pick<One2ManyField, 'target' | 'inverse'>,
  { id, inside }: Extract<BackCommand, { id: number }>,
): Promise<void> {
  const { table } = env.platform.models.get(target)
  const [row] = await env.db.query(
    sql`select id from ${sql.identifier(table)} where id in (${idList([id])}) and ${sql.identifier(inverse)} = ${parent}::bigint`,
  )
  if (row !== undefined) return
  throw new Refusal('not-found', 'no-record-inside', { id, target, field: inside.field })
}

/** Does the work; what is refused is a problem of the command. What the database itself refuses ends the transaction, and all of it. */
async function gatherInside(problems: Problems, inside: Inside, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    problems.add(undefined, refusedInside(error, inside))
    if (isOfDatabase(error)) problems.throwAny()
  }
}

/** Whether the database refused, at whatever depth: then its transaction has ended. */
function isOfDatabase(error: Error): boolean {
  for (let cause = error.cause; cause instanceof Error; cause = cause.cause) {
    if (sqlState(cause) !== undefined) return true
  }
  return false
}

/** The same refusal, which says in which command of which field. */
function refusedInside(refusal: Refusal, inside: Inside): Refusal {
  const given = refusal.problems.length > 0 ? refusal.problems : [{ field: null, ...saidBy(refusal) }]
  return refusal.with({ problems: given.map((problem) => ({ ...problem, inside })) })
}

async function linkNew(
  path: string,
  { target }: Many2ManyField,
  commands: readonly unknown[],
  others: Others,
): Promise<unknown[]> {
  const made = await others.create(
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

/** Whether a command of a link back writes a record: makes it, changes it, or removes it. */
export function isBackCommand(command: unknown): command is [0 | 1 | 2, ...unknown[]] {
  return Array.isArray(command) && [0, 1, 2].includes(command[0] as number)
}

function readBackCommand(path: string, { target }: One2ManyField, command: unknown, inside: Inside): BackCommand {
  if (isNewCommand(command)) return { does: 'create', values: newValues(path, command), inside }
  const [code, id, values] = isBackCommand(command) ? command : []
  if (typeof id === 'number' && Number.isInteger(id) && id > 0 && id <= ID_MAX) {
    if (code === 2) return { does: 'unlink', id, inside }
    if (code === 1 && isValues(values)) return { does: 'write', id, values, inside }
  }
  throw new Refusal('refused', 'api-written-with-commands-only-each-with', { path, target })
}

/** The values of a new record, in the command that makes it. */
function newValues(path: string, command: unknown): Values {
  const values: unknown = isNewCommand(command) ? command[2] : undefined
  if (isValues(values)) return values
  throw new Refusal('refused', 'api-command-without-values', { path })
}

function isValues(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

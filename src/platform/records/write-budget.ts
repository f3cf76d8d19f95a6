// What one call of the API may write, counted before any of it is written: with the records inside of others, and with values once
// for each record that gets them.
import { Refusal } from '../../errors.ts'
import type { Models } from '../model/declaration.ts'
import type { Field } from '../model/fields.ts'
import type { Model, Values } from '../model/model.ts'
import { isBackCommand, isNewCommand, isToMany } from './new-links.ts'

/** Rows one call may create, change or remove. */
const BATCH_ROWS_MAX = 1_000
const MEGABYTE = 1024 ** 2
/** Rows of a call that changes or removes records inside of others: it is one transaction on every database. */
const CHANGED_INSIDE_ROWS_MAX = 100
/** Bytes of the values that one call may write. */
const WRITTEN_BYTES_MAX = 4 * MEGABYTE
/** The command that removes a record, and has no values. */
const REMOVES = 2
/** Links to many that one call may set. */
const LINKS_MAX = 10_000
/** Values that one call may write of which each takes a tenth of a second, such as passwords. */
const COSTLY_MAX = 20

/** What a call writes. */
interface Weight {
  rows: number
  bytes: number
  /** Bytes of files, which a single record may have more of. */
  fileBytes: number
  links: number
  costly: number
  /** Whether records inside of others are changed or removed. */
  changesInside: boolean
}

/** Records that are to be made, or `times` records that are to get the same values. */
interface Written {
  model: Model
  list: readonly Values[]
  times?: number
}

/** Refuses a call that writes too much. */
export function requireWriteFits(models: Models, { model, list, times = 1 }: Written): void {
  const weight: Weight = { rows: 0, bytes: 0, fileBytes: 0, links: 0, costly: 0, changesInside: false }
  for (const values of list) weigh(models, weight, { model, values, times })
  const { rows, links } = weight
  requireFewer(rows)
  if (weight.changesInside && rows > CHANGED_INSIDE_ROWS_MAX) {
    throw new Refusal('refused', 'changed-inside-at-most', { changed_inside_rows: CHANGED_INSIDE_ROWS_MAX })
  }
  const bytes = weight.bytes + (rows > 1 ? weight.fileBytes : 0)
  if (bytes > WRITTEN_BYTES_MAX) {
    const most = WRITTEN_BYTES_MAX / MEGABYTE
    throw new Refusal('too-large', 'api-writes-too-much', { megabytes: most })
  }
  if (links > LINKS_MAX) throw new Refusal('refused', 'api-sets-too-many-links', { links: LINKS_MAX })
  if (weight.costly > COSTLY_MAX) throw new Refusal('refused', 'api-sets-too-many-passwords', { passwords: COSTLY_MAX })
}

/** Refuses what is about more records than one call may write. */
export function requireFewer(count: number): void {
  if (count > BATCH_ROWS_MAX)
    throw new Refusal('refused', 'api-one-call-may-touch-at-most', { batch_rows: BATCH_ROWS_MAX })
}

function weigh(
  models: Models,
  weight: Weight,
  { model, values, times }: { model: Model; values: Values; times: number },
): void {
  weight.rows += times
  for (const [name, value] of Object.entries(values)) {
    const field = Object.hasOwn(model.fields, name) ? model.fields[name] : undefined
    if (field?.kind === 'computed' && field.isCostly === true) weight.costly += times
    if (isToMany(field) && Array.isArray(value)) weighLinks(models, weight, { field, commands: value, times })
    else if (field?.kind === 'binary') weight.fileBytes += times * bytesOf(value)
    else weight.bytes += times * bytesOf(value)
  }
}

function weighLinks(
  models: Models,
  weight: Weight,
  { field, commands, times }: { field: Extract<Field, { target: string }>; commands: unknown[]; times: number },
): void {
  // What links back is made anew for each record; what many link to is made once.
  const each = field.kind === 'one2many' ? times : 1
  for (const command of commands) {
    const values = valuesOf(field, command)
    if (values !== undefined) weigh(models, weight, { model: models.get(field.target), values, times: each })
    if (values !== undefined && !isNewCommand(command)) weight.changesInside = true
    weight.links += times * (Array.isArray(command) && Array.isArray(command[2]) ? command[2].length : 1)
  }
}

/** The values of the record that a command makes, changes or removes; undefined for those that link only. */
function valuesOf({ kind }: Field, command: unknown): Values | undefined {
  const isWriting = kind === 'one2many' ? isBackCommand(command) : isNewCommand(command)
  if (!isWriting || !Array.isArray(command)) return undefined
  const values: unknown = command[0] === REMOVES ? {} : command[2]
  return typeof values === 'object' && values !== null ? (values as Values) : undefined
}

function bytesOf(value: unknown): number {
  if (typeof value === 'string') return Buffer.byteLength(value)
  if (typeof value === 'object' && value !== null) return Buffer.byteLength(JSON.stringify(value))
  return 0
}

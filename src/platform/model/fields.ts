import type { Env } from '../access/env.ts'
import type { Identity } from '../access/identity.ts'
import type { Row } from './model.ts'

/** Who sees a field of a record, by other columns of it. */
export interface ShownTo {
  columns: readonly string[]
  allows(identity: Identity, row: Row): boolean
}

/** Values of other fields, `null` for none, under which a field is needed; `says` ends the sentence "... is required". */
export interface RequiredCase {
  is: Readonly<Record<string, string | boolean | null>>
  says: string
}

/** What every field says of itself. */
interface FieldBase {
  label: string
  help?: string
  required?: boolean
  /** The model completes it when a new record is written without. */
  isCompleted?: boolean
  /** Needed while other fields have these values, in any of these cases. */
  requiredWhile?: readonly RequiredCase[]
  /** Set by the service only: refused in `create` and `write` over the API. */
  readonly?: boolean
  /** Readable and writable by `base.group_erp_manager` only; `****` for anybody else. */
  isProtected?: boolean
  /** Visible and writable to members of these groups only. */
  groups?: readonly string[]
  /** Writable by `base.group_erp_manager` only, whoever may read it. */
  isWrittenByManagers?: boolean
  /** Which records of those that somebody sees show them this field, besides `groups`; null in the others. */
  shownTo?: ShownTo
  /** Not part of an answer unless it is named. */
  isHeavy?: boolean
  /** What a new record has when nothing is said. */
  default?: Value | ((env: Env) => Value | Promise<Value>)
}

export type Value = string | number | boolean | null | number[] | Buffer | object

/** Kinds of fields that are one column of their model's table. */
export const COLUMN_KINDS = [
  'char',
  'text',
  'html',
  'integer',
  'float',
  'boolean',
  'date',
  'datetime',
  'selection',
  'json',
  'binary',
  'secret',
  'many2one',
] as const
export type ColumnKind = (typeof COLUMN_KINDS)[number]

export interface ColumnField extends FieldBase {
  kind: ColumnKind
  /** Characters a text may have. */
  maxLength?: number
  /** The shape a text must have, and how to say so: "letters and digits only". */
  pattern?: { matches: RegExp; says: string }
  min?: number
  max?: number
  /** An integer that is the id of a record, of whatever model. */
  isRecordId?: boolean
  choices?: readonly (readonly [value: string, label: string])[]
  /** The choices are not all: the model's `prepare` knows the others. */
  isOpen?: boolean
  /** The model a many2one points at, and what happens here when that record goes. */
  target?: string
  onDelete?: 'cascade' | 'set null' | 'restrict'
  isIndexed?: boolean
  isUnique?: boolean
}

/** A column of which the types know what a row has in it; nothing of that is there when the code runs. */
export type Column<Stored> = ColumnField & { readonly stored?: Stored }

export interface One2ManyField extends FieldBase {
  kind: 'one2many'
  target: string
  /** The many2one of the target that points back here. */
  inverse: string
}

export interface Many2ManyField extends FieldBase {
  kind: 'many2many'
  target: string
  /** Table of pairs; `here` and `there` are its columns. */
  relation: { table: string; here: string; there: string }
}

export interface ComputedField extends FieldBase {
  kind: 'computed'
  /** The kind clients see. */
  shows: 'char' | 'text' | 'html' | 'integer' | 'float' | 'boolean' | 'json' | 'many2one' | 'many2many'
  target?: string
  /** Columns that `compute` needs in its rows. */
  depends: readonly string[]
  /** One value per row, in the order of the rows; queries for all rows at once. */
  compute(env: Env, rows: readonly Row[]): readonly Value[] | Promise<readonly Value[]>
  /** May also be written: the model's `prepare` turns the value into columns. */
  isWritable?: boolean
}

export type Field = ColumnField | One2ManyField | Many2ManyField | ComputedField

type ColumnOptions = Partial<Omit<ColumnField, 'kind' | 'label'>>
type Stored<Options, Value> = Options extends { required: true } ? Value : Value | null

/** Characters of a one-line text when its field says nothing else. */
export const CHAR_LENGTH_MAX = 1_000
/** Characters of a longer text when its field says nothing else. */
export const TEXT_LENGTH_MAX = 1_000_000

function column<Value>(kind: ColumnKind, own: ColumnOptions = {}) {
  return <const Options extends ColumnOptions>(label: string, options?: Options): Column<Stored<Options, Value>> => ({
    kind,
    label,
    ...own,
    ...options,
  })
}

export const char = column<string>('char')
export const text = column<string>('text')
export const html = column<string>('html')
export const integer = column<number>('integer')
export const float = column<number>('float')
export const boolean = column<boolean>('boolean')
/** Rows say `YYYY-MM-DD`. */
export const date = column<string>('date')
/** Rows say `YYYY-MM-DD HH:MM:SS[.ffffff]`, in UTC. */
export const datetime = column<string>('datetime')
/** Rows have what the JSON says; statements are given its text. */
export const json = column<unknown>('json')
export const binary = column<Buffer>('binary', { isHeavy: true })
/** A text that is encrypted at rest and read by managers only. */
export const secret: (label: string, options?: ColumnOptions) => Column<string | null> = column<string>('secret', {
  isProtected: true,
})

type Choice = string | readonly [value: string, label: string]
type ChosenValue<Each extends Choice> = Each extends readonly [infer Value, string] ? Value : Each

/** One of fixed values, each with its label. */
export function selection<const Choices extends readonly Choice[], const Options extends ColumnOptions>(
  label: string,
  choices: Choices,
  options?: Options,
): Column<Stored<Options, Options extends { isOpen: true } ? string : ChosenValue<Choices[number]>>> {
  const pairs = choices.map((choice) => (typeof choice === 'string' ? ([choice, choice] as const) : choice))
  return { kind: 'selection', label, choices: pairs, ...options }
}

/** A link to one record of another model; indexed unless it says otherwise. */
export function many2one<const Options extends ColumnOptions>(
  label: string,
  target: string,
  options?: Options,
): Column<Stored<Options, number>> {
  return { kind: 'many2one', label, target, onDelete: 'set null', isIndexed: true, ...options }
}

export function one2many(
  label: string,
  target: string,
  inverse: string,
  options: Partial<One2ManyField> = {},
): One2ManyField {
  return { kind: 'one2many', label, target, inverse, ...options }
}

export function many2many(
  label: string,
  target: string,
  relation: Many2ManyField['relation'],
  options: Partial<Many2ManyField> = {},
): Many2ManyField {
  return { kind: 'many2many', label, target, relation, ...options }
}

export function computed(
  label: string,
  shows: ComputedField['shows'],
  options: Omit<ComputedField, 'kind' | 'label' | 'shows'>,
): ComputedField {
  return { kind: 'computed', label, shows, ...options }
}

export function isColumn(field: Field): field is ColumnField {
  return field.kind !== 'one2many' && field.kind !== 'many2many' && field.kind !== 'computed'
}

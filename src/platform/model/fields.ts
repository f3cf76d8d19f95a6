import type { Column, ColumnField, ComputedField, Field, Many2ManyField, One2ManyField } from './declaration.ts'
import type { ColumnKind } from './values.ts'

export type { Column, ColumnField, ComputedField, Field, Many2ManyField, One2ManyField } from './declaration.ts'
export type { ColumnKind, RequiredCase, ShownTo, Value } from './values.ts'

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

type Choices = readonly (string | readonly [value: string, label: string])[] | Readonly<Record<string, string>>
type ChosenValue<Listed extends Choices> = Listed extends readonly (infer Each)[]
  ? Each extends readonly [infer Value, string]
    ? Value
    : Each
  : keyof Listed

/** One of fixed values: each with its label, or as it is. */
export function selection<const Listed extends Choices, const Options extends ColumnOptions>(
  label: string,
  choices: Listed,
  options?: Options,
): Column<Stored<Options, Options extends { isOpen: true } ? string : ChosenValue<Listed>>> {
  const listed: Extract<Choices, readonly unknown[]> = Array.isArray(choices) ? choices : Object.entries(choices)
  const pairs = listed.map((choice) => (typeof choice === 'string' ? ([choice, choice] as const) : choice))
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

const TYPES: Partial<Record<ColumnKind, string>> = {
  integer: 'integer',
  many2one: 'bigint',
  float: 'float8',
  datetime: 'timestamp',
  json: 'jsonb',
  binary: 'bytea',
  boolean: 'boolean',
  date: 'date',
}

/** The type of a column, as PostgreSQL names it. */
export function typeOfColumn({ kind, isRecordId }: ColumnField): string {
  return isRecordId === true ? 'bigint' : (TYPES[kind] ?? 'text')
}

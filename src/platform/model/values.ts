import type { PlainCode } from '../../refusals.ts'
import { isUnseen } from '../../unseen.ts'
import type { Identity } from '../access/identity.ts'
import type { Domain } from '../records/domain-syntax.ts'

/** A row of a model's table as the database gives it: column name to value. */
export type Row = Record<string, unknown> & { id: number }

/** Values somebody wants in a record: field name to value. */
export type Values = Record<string, unknown>

/** Whether a field is left empty by what somebody writes. */
export function isBlank(value: unknown): boolean {
  return value === null || value === undefined || value === false || value === ''
}

/** The same, and of a text of which a reader sees nothing. */
export function isBlankText(value: unknown): boolean {
  return isBlank(value) || (typeof value === 'string' && isUnseen(value))
}

export type Value = string | number | boolean | null | number[] | Buffer | object

/** Kinds of fields that are one column of their model's table. */
export type ColumnKind =
  | 'char'
  | 'text'
  | 'html'
  | 'integer'
  | 'float'
  | 'boolean'
  | 'date'
  | 'datetime'
  | 'selection'
  | 'json'
  | 'binary'
  | 'secret'
  | 'many2one'

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

/** A condition on the records that a link may lead to; `{ of }` stands for what another field of the same record has, `id` for its own. */
export type Offered =
  | readonly [field: string, operator: string, value: string | number | boolean | { readonly of: string }]
  | '|'
  | '!'

export interface ModelIndex {
  columns: readonly string[]
  isUnique?: boolean
  /** SQL condition of a partial index. */
  where?: string
  /** What a person is told when a unique index refuses a value. */
  refusal?: PlainCode
}

/** Which rows members of a group see; a member of several such groups sees the union. */
export interface RecordRule {
  group: string
  /** Its rows are read by it, and not changed. */
  isForReading?: true
  domain(identity: Identity): Domain
}

/**
 * What may be written by hand on a model whose records say what somebody else reported: anyone who has the right to write or
 * create them, people and the webhook's identity alike. A field that is not named here is written by the service only.
 */
export interface ByHand {
  /** Whenever a record is written down or changed. */
  always: readonly string[]
  /** When somebody writes a record down, and never again. */
  creating?: readonly string[]
  /** The same; of users they link nobody but the writer, unless the writer is in one of these groups. */
  creatingForOneself?: { fields: readonly string[]; unless: readonly string[] }
  /** When somebody writes a record down, and as long as it is a draft of their own. */
  drafting?: { fields: readonly string[]; isOwnDraft(row: Row, identity: Identity): boolean }
}

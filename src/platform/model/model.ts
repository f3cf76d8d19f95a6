import type { Static, TObject, TSchema } from 'typebox'
import type { Env, OpenEnv } from '../access/env.ts'
import type { Identity } from '../access/identity.ts'
import type { Domain } from '../records/domain-syntax.ts'
import type { ByHand } from './by-hand.ts'
import { type Column, char, datetime, type Field, many2one } from './fields.ts'

/** A row of a model's table as the database gives it: column name to value. */
export type Row = Record<string, unknown> & { id: number }

/** Values somebody wants in a record: field name to value. */
export type Values = Record<string, unknown>

interface MethodBase<Args extends TObject> {
  label: string
  /** The access that calling it takes, besides what it does inside; `any`: being signed in, the rest it checks itself. */
  operation: 'read' | 'write' | 'create' | 'unlink' | 'any'
  /** Groups that may call it; without it everybody with `operation`. */
  groups?: readonly string[]
  /** Its own arguments, besides `ids` and `context`. */
  args: Args
  /** What it answers, for the API document. */
  reply?: TSchema
}

/** Something people may do with records of a model: a button, an action. Runs in one transaction. */
export interface Method<Args extends TObject = TObject> extends MethodBase<Args> {
  run(env: Env, ids: number[], args: Static<Args>): Promise<unknown>
}

/** A method that asks a provider: it opens its own transactions, and none is open while it waits for the answer. */
export interface OutsideMethod<Args extends TObject = TObject> extends MethodBase<Args> {
  runOutside(open: OpenEnv, ids: number[], args: Static<Args>): Promise<unknown>
}

/** Methods that need more than the database, by the name of their model: they are added when the service is put together. */
export type Operations = Readonly<Record<string, Record<string, Method | OutsideMethod>>>

export interface ModelIndex {
  columns: readonly string[]
  isUnique?: boolean
  /** SQL condition of a partial index. */
  where?: string
  /** What a person is told when a unique index refuses a value. */
  message?: string
}

/** Which rows members of a group see; a member of several such groups sees the union. */
export interface RecordRule {
  group: string
  domain(identity: Identity): Domain
}

/** A record that was created or changed. */
export interface Change {
  id: number
  /** What was written, completed by `prepare`. */
  values: Values
  isNew: boolean
  /** The stored row as it was before; undefined for a new record. */
  previous: Row | undefined
}

/** What is about to be stored, for a check. */
export interface Checked {
  env: Env
  /** What is written, completed by `prepare`. */
  values: Values
  /** The record as it would be stored. */
  after: Values
  /** The stored row when one is changed. */
  current: Row | undefined
}

/** A rule of a model beside what its fields say by themselves. `fields_get` says it of each of its fields. */
export interface Check {
  /** What it is about; a refusal counts as one of the first. */
  fields: readonly string[]
  /** The rule, as a sentence. */
  says: string
  /** Throws a Refusal that names the field. Reads only; runs when the values of its fields are right by themselves. */
  require(checked: Checked): void | Promise<void>
}

export interface ModelDefinition {
  /** The name on the wire, such as `connect.call`. */
  name: string
  label: string
  fields: Record<string, Field>
  order: string
  /** Columns that make the name of a record; `name` unless said otherwise. */
  display?: { columns: readonly string[]; show(row: Row): string }
  /** Notes and messages can be posted on its records. */
  hasChatter?: boolean
  indexes?: readonly ModelIndex[]
  rules?: readonly RecordRule[]
  /** What may be written by hand, where records say what somebody else reported; without it, every field that is not `readonly`. */
  byHand?: ByHand
  methods?: Record<string, Method | OutsideMethod>
  /** Rules of its values; everything that breaks one is named in one refusal. */
  checks?: readonly Check[]
  /**
   * Completes what is about to be stored; `current` is the stored row when one is changed. Links to one record come as
   * ids, or null. May throw a Refusal that names the field, but what can be a rule of `checks` is one. Reads only.
   */
  prepare?(env: Env, values: Values, current: Row | undefined): Values | Promise<Values>
  /** What else happens when a record was created or changed, in the same transaction. */
  saved?(env: Env, change: Change): Promise<void>
  /** Links whose targets take these records with them when they go; what `removing` says happens then too. */
  goesWith?: readonly string[]
  /** What else happens before records go, in the same transaction; throws a Refusal when they may not. */
  removing?(env: Env, ids: readonly number[]): Promise<void>
}

export interface Model extends ModelDefinition {
  /** The table: dots of the name become underscores. */
  table: string
  display: { columns: readonly string[]; show(row: Row): string }
}

/** Fields that the service writes on every record. */
export const OWN_FIELDS = {
  create_date: datetime('Created on', { readonly: true, required: true }),
  write_date: datetime('Last updated on', { readonly: true, required: true }),
  create_uid: many2one('Created by', 'res.users', { readonly: true, isIndexed: false }),
}

type Columns<Fields> = {
  -readonly [Name in keyof Fields as Fields[Name] extends Column<unknown> ? Name : never]: Fields[Name] extends Column<
    infer Stored
  >
    ? Stored
    : never
}

/** A model of which the types know the columns. */
export interface ModelOf<StoredRow> extends Model {
  readonly stored?: StoredRow
}

/** A row of the model's table, or some columns of it, as the database gives it. */
export type RowOf<Typed, Name extends keyof StoredOf<Typed> = keyof StoredOf<Typed>> = Pick<StoredOf<Typed>, Name>
type StoredOf<Typed> = Typed extends ModelOf<infer StoredRow> ? StoredRow : never

/**
 * Declares a model: the one place that knows its fields, labels, limits, rules and methods. The table, the access
 * checks, the API, the API document and the screens come from it.
 */
export function defineModel<const Fields extends Record<string, Field>>(
  definition: ModelDefinition & { fields: Fields },
): ModelOf<{ id: number } & Columns<Fields & typeof OWN_FIELDS>> {
  return {
    display: { columns: ['name'], show: (row) => String(row.name ?? '') },
    ...definition,
    fields: { ...definition.fields, ...OWN_FIELDS },
    table: definition.name.replaceAll('.', '_'),
  }
}

/** A method with its arguments typed by their schema. */
export function method<Args extends TObject>(declaration: Method<Args>): Method {
  return declaration as unknown as Method
}

/** A method that works outside the database too, with its arguments typed by their schema. */
export function outsideMethod<Args extends TObject>(declaration: OutsideMethod<Args>): OutsideMethod {
  return declaration as unknown as OutsideMethod
}

/** The name field most models have. */
export function nameField(label = 'Name'): Field {
  return char(label, { required: true })
}

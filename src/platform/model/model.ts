import { type TObject, Type } from 'typebox'
import type { Column, Field, Method, Model, ModelDefinition, OutsideMethod } from './declaration.ts'
import { computed, datetime, many2one } from './fields.ts'

export type {
  Change,
  Check,
  Checked,
  Method,
  Model,
  ModelDefinition,
  OutsideMethod,
  TogetherRule,
} from './declaration.ts'
export type { ModelIndex, RecordRule, Row, Values } from './values.ts'

/** Fields that the service writes on every record. */
export const OWN_FIELDS = {
  create_date: datetime('Created on', { readonly: true, required: true }),
  write_date: datetime('Last updated on', { readonly: true, required: true }),
  create_uid: many2one('Created by', 'res.users', { readonly: true, isIndexed: false }),
  write_uid: many2one('Last updated by', 'res.users', {
    readonly: true,
    isIndexed: false,
    help: "The last person who edited it. Updates from providers don't count.",
  }),
  write_stamp: computed('Version', 'char', {
    help: 'When it was last updated, in microseconds: sent back as "unchanged_since" of the context, a change is refused if somebody else was faster.',
    isHeavy: true,
    depends: ['write_date'],
    compute: (_env, rows) => rows.map(({ write_date: at }) => String(at)),
  }),
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
    fields: { ...(definition.isReadonly === true ? readonly(definition.fields) : definition.fields), ...OWN_FIELDS },
    table: definition.name.replaceAll('.', '_'),
  }
}

/** Methods that need more than the database, by the name of their model: they are added when the service is put together. */
export type Operations = Readonly<Record<string, Record<string, Method | OutsideMethod>>>

function readonly(fields: Record<string, Field>) {
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, { ...field, readonly: true }]))
}

/** What declares a method: one without arguments of its own says nothing of them. */
type Declared<Declaration extends { args: TObject }> = Omit<Declaration, 'args'> & Partial<Pick<Declaration, 'args'>>
const NO_ARGS = Type.Object({})

/** A method with its arguments typed by their schema. */
export function method<Args extends TObject>(declaration: Declared<Method<Args>>): Method {
  return { args: NO_ARGS, ...declaration } as unknown as Method
}

/** A method that works outside the database too, with its arguments typed by their schema. */
export function outsideMethod<Args extends TObject>(declaration: Declared<OutsideMethod<Args>>): OutsideMethod {
  return { args: NO_ARGS, ...declaration } as unknown as OutsideMethod
}

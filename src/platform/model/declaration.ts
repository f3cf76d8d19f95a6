// What a model declares, and what its functions are given: these types describe each other, so they are in one file.
import type { Static, TObject, TSchema } from 'typebox'
import type { Queryable, Transaction } from '../../database/database.ts'
import type { SQL } from '../../database/drizzle.ts'
import { Refusal } from '../../errors.ts'
import type { Logger } from '../../log.ts'
import type { PlainCode } from '../../refusals.ts'
import type { GroupRights } from '../access/access.ts'
import type { Identity } from '../access/identity.ts'
import type { Cipher } from '../secrets/secrets.ts'
import type { Settings, SettingsSnapshot } from '../settings/settings.ts'
import type { QueuedWork } from './queued-work.ts'
import type { AskedFirst, ShownAs } from './shown-as.ts'
import type {
  ByHand,
  ColumnKind,
  ModelIndex,
  Offered,
  RecordRule,
  RequiredCase,
  Row,
  ShownTo,
  Value,
  Values,
} from './values.ts'

/** What is the same for the life of the process. */
export interface Platform {
  models: Models
  settings: Settings
  cipher: Cipher
  log: Logger
  clock: () => Date
  /** Whether the OpenID provider may be this machine, or of its network. */
  takesLocalIssuer?: boolean | undefined
  /** Puts work off until after the transaction: it is queued exactly when the transaction commits. */
  enqueue(tx: Transaction, work: QueuedWork): Promise<void>
}

/** What one request works with: who asks, the transaction it runs in, and when it is. */
export interface Env {
  readonly platform: Platform
  readonly identity: Identity
  readonly db: Transaction
  readonly now: Date
  /** The settings as they were when the request began; read beforehand, because the embedded database has one connection. */
  readonly settings: SettingsSnapshot
  /** Hints of the caller, such as `connect_call_id` or `tz`. */
  readonly context: Readonly<Record<string, unknown>>
}

/** Runs work in a transaction of its own, for methods that also act on the world outside the database in between. */
export type OpenEnv = <Result>(work: (env: Env) => Promise<Result>, options?: { onlyReads: boolean }) => Promise<Result>

/** An environment that may read but has no transaction of its own. */
export type ReadEnv = Omit<Env, 'db'> & { readonly db: Queryable }
/** Every model of the service, by name. */
export class Models {
  readonly #byName: Map<string, Model>

  constructor(models: readonly Model[]) {
    this.#byName = new Map(models.map((model) => [model.name, model]))
  }

  [Symbol.iterator](): IterableIterator<Model> {
    return this.#byName.values()
  }

  /** Throws a refusal that names the model when there is none of that name. */
  get(name: string): Model {
    const model = this.#byName.get(name)
    if (model === undefined) throw new Refusal('not-found', 'api-no-model', { name })
    return model
  }

  has(name: string): boolean {
    return this.#byName.has(name)
  }

  /** Puts a model in the place of the one of its name, while the service is put together. */
  replace(model: Model): void {
    this.#byName.set(model.name, model)
  }
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
  /** Throws a Refusal for records that are too many together once all of them get these values; runs before they do. */
  requireRoom?(env: Env, values: Values, ids: readonly number[]): Promise<void>
}

/** A rule of records that belong to the same one, taken together: looked at once everything that a call writes is stored. */
export interface TogetherRule {
  /** The link to the one that they belong to. */
  link: string
  /** What it is about. */
  fields: readonly string[]
  /** The rule, as a sentence. */
  says: string
  /** Throws a Refusal that names the field; `owners` are those that something was written of. Reads only. */
  require(env: Env, owners: readonly number[]): Promise<void>
}

export interface ModelDefinition {
  /** The name on the wire, such as `connect.call`. */
  name: string
  label: string
  fields: Record<string, Field>
  /** Only the service writes its records: every field is `readonly`. */
  isReadonly?: boolean
  order: string
  /** Columns that make the name of a record; `name` unless said otherwise. */
  display?: { columns: readonly string[]; show(row: Row): string }
  /** Its texts are about people outside, or are theirs: the audit says that they changed, and never what they said. */
  isAboutPeople?: boolean
  /** Most rows come with deliveries: who wrote them is no checked link (docs/decisions/0032-who-wrote-a-row.md). */
  comesWithDeliveries?: boolean
  /** Notes and messages can be posted on its records. */
  hasChatter?: boolean
  indexes?: readonly ModelIndex[]
  /** SQL that gives its rows, where they are somewhere else and it has no table: they are only read. */
  rows?: string
  /** At which age, counted from a column, rows are removed, and which of them; without it none is. */
  retention?: { since: string; age(settings: SettingsSnapshot): string; where?: string }
  rules?: readonly RecordRule[]
  /** What may be written by hand, where records say what somebody else reported; without it, every field that is not `readonly`. */
  byHand?: ByHand
  methods?: Record<string, Method | OutsideMethod>
  /** Rules of its values; everything that breaks one is named in one refusal. */
  checks?: readonly Check[]
  /** A rule of those that belong to the same record, which can be broken in between and not at the end. */
  together?: TogetherRule
  /** Completes what is about to be stored, links as ids; `current` is the row that is changed. Reads only; `checks` refuse. */
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
  /** Who may do what, by group; open to nobody without it. Given when the service is put together. */
  access?: GroupRights
}

interface MethodBase<Args extends TObject> extends AskedFirst {
  label: string
  /** The access that calling it takes, besides what it does inside; `any`: being signed in, the rest it checks itself. */
  operation: 'read' | 'write' | 'create' | 'unlink' | 'any'
  /** Groups that may call it; without it everybody with `operation`. */
  groups?: readonly string[]
  /** Its own arguments, besides `ids` and `context`. */
  args: Args
  /** What it answers: for the API document and the page, and checked wherever tests ask. */
  reply: TSchema
  /** Whether the audit says who called it; unless said otherwise, when it takes more than reading. */
  isAudited?: boolean
}

/** Something people may do with records of a model: a button, an action. Runs in one transaction. */
export interface Method<Args extends TObject = TObject> extends MethodBase<Args> {
  run(env: Env, ids: number[], args: Static<Args>): Promise<unknown>
}

/** A method that asks a provider: it opens its own transactions, and none is open while it waits for the answer. */
export interface OutsideMethod<Args extends TObject = TObject> extends MethodBase<Args> {
  runOutside(open: OpenEnv, ids: number[], args: Static<Args>): Promise<unknown>
}

/** All of it, every change of what is there, or every change once the record is stored. */
type ManagersWrite = 'all' | 'changes' | 'once stored'

/** What every field says of itself. */
interface FieldBase extends ShownAs {
  label: string
  help?: string
  required?: boolean
  /** The model completes it when a new record is written without. */
  isCompleted?: boolean
  /** Needed while other fields have these values, in any of these cases. */
  requiredWhile?: readonly RequiredCase[]
  /** Set by the service only: refused in `create` and `write` over the API. */
  readonly?: boolean
  /**
   * Who changes it once the record is there: the service alone, of what a provider reports or what the service knows the
   * record by. A new record may come with it, as imports and records that are there at the provider already do.
   */
  changedBy?: 'service'
  /** Readable and writable by `base.group_erp_manager` only; `****` for anybody else. */
  isProtected?: boolean
  /** Visible and writable to members of these groups only. */
  groups?: readonly string[]
  /** What of it `base.group_erp_manager` only may write, no matter who may read it; the list of the model says it (writers.ts). */
  managersWrite?: ManagersWrite
  /** Which records of those that somebody sees show them this field, besides `groups`; null in the others. */
  shownTo?: ShownTo
  /** Not part of an answer unless it is named. */
  isHeavy?: boolean
  /** Of a link: the records that belong there, which a picker offers; checks refuse the others where they must. */
  offers?: readonly Offered[]
  /** What a new record has when nothing is said. */
  default?: Value | ((env: Env) => Value | Promise<Value>)
  /** The setting that it has when nothing is said: `fields_get` says that as its default. */
  defaultSetting?: (settings: SettingsSnapshot) => Value | undefined
}

export interface ColumnField extends FieldBase {
  kind: ColumnKind
  /** Characters a text may have. */
  maxLength?: number
  /** The shape a text must have, and how to say so: "letters and digits only". */
  pattern?: { matches: RegExp; says: string }
  min?: number
  max?: number
  /** A moment that the API gives with its milliseconds. */
  isPrecise?: boolean
  /** An integer that is the id of a record, of whatever model. */
  isRecordId?: boolean
  choices?: readonly (readonly [value: string, label: string])[]
  /** The choices are not all: the model's `prepare` knows the others. */
  isOpen?: boolean
  /** The model a many2one points at, and what happens here when that record goes. */
  target?: string
  onDelete?: 'cascade' | 'set null' | 'restrict'
  /** No foreign key, which each row that is written pays for: a trigger clears the link when its record goes. */
  isUnchecked?: boolean
  /** `where present`: only rows that have a value, where most have none and each index costs every row that is written; `folded`: also in the order of lists. */
  isIndexed?: boolean | 'where present' | 'folded'
  isUnique?: boolean
  /** Of a unique one: how it is said that another record has the same; without it in words of every model. */
  taken?: PlainCode
  /** SQL over other columns of the row: the database keeps the value right, and nobody writes it. */
  generatedAs?: string
}

/** A column of which the types know what a row has in it; nothing of that is there when the code runs. */
export type Column<Stored> = ColumnField & { readonly stored?: Stored }

export interface One2ManyField extends FieldBase {
  kind: 'one2many'
  target: string
  /** The many2one of the target that points back here. */
  inverse: string
  /** Its records are parts of this one: they are edited on its form, and a change of one is a change of it. */
  hasParts?: boolean
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
  /** Takes as long to write as dozens of rows: one call writes few of them. */
  isCostly?: boolean
  /** Of a boolean: the same as a condition on the id of a row, by which it is searched; `isPage` where some rows are wanted and not all counted. */
  isSo?(id: SQL, isPage: boolean): SQL
}

export type Field = ColumnField | One2ManyField | Many2ManyField | ComputedField

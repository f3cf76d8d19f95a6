import type { Column, ColumnField } from '../model/fields.ts'
import type { Model } from '../model/model.ts'
import type { ReadField } from './settings.ts'

/** How a field of the settings is entered, and what the service itself reads of it. */
interface SettingOptions<Stored, Read, Verifies> {
  /**
   * What the service reads for what is stored, a secret in clear; `earlier` is what it reads of the fields before this
   * one. Without it: of a switch whether it is on, else what is there, or undefined.
   */
  read?: (stored: Stored, earlier: Readonly<Record<string, unknown>>) => Read
  /** People paste it, with blanks around it that no header and no address has. */
  isPasted?: boolean
  /** A secret with a `display_` twin that shows a mask when the secret is set and takes a new one. */
  hasTwin?: boolean
  /** The service knows by it who sent a delivery, also while the database is unavailable. */
  verifies?: Verifies
}

/** A field of the settings that the service itself reads, under a name of its own. */
interface Setting<Name extends string, Read, Verifies = boolean> extends ColumnField {
  setting: { as: Name; isPasted: boolean; hasTwin: boolean; verifies: Verifies; read: Reader<Read> }
}

type Reader<Read> = (stored: unknown, earlier: Readonly<Record<string, unknown>>) => Read
type ReadAs<Stored> = [Stored] extends [boolean | null]
  ? boolean
  : null extends Stored
    ? Exclude<Stored, null> | undefined
    : Stored

/** Declares a field of the settings that the service reads as `env.settings.<as>`. */
export function setting<const Name extends string, Stored, Read = ReadAs<Stored>, const Verifies = false>(
  as: Name,
  column: Column<Stored>,
  { read, isPasted = false, hasTwin = false, verifies }: SettingOptions<NoInfer<Stored>, Read, Verifies> = {},
): Column<Stored> & Setting<Name, Read, Verifies> {
  const field: ColumnField = column
  const readPlain: Reader<unknown> = (stored) => (field.kind === 'boolean' ? stored === true : (stored ?? undefined))
  const reader = (read ?? readPlain) as Reader<Read>
  const isVerifying = (verifies ?? false) as Verifies
  return { ...field, setting: { as, isPasted: isPasted || hasTwin, hasTwin, verifies: isVerifying, read: reader } }
}

/** A switch that is on unless somebody switched it off. */
export function isNotOff(stored: boolean | null): boolean {
  return stored !== false
}

/** What the service reads of these fields. */
export type ReadOf<Fields> = {
  [Name in keyof Fields as Fields[Name] extends Setting<infer As, unknown> ? As : never]: Fields[Name] extends Setting<
    string,
    infer Read
  >
    ? Read
    : never
}

/** The same of those that it knows senders by. */
export type VerifyingOf<Fields> = ReadOf<{
  [Name in keyof Fields as Fields[Name] extends Setting<string, unknown, true> ? Name : never]: Fields[Name]
}>

/** The fields among these that the service itself reads, with their columns. */
export function settingsIn(fields: Readonly<Record<string, object>>): [column: string, Setting<string, unknown>][] {
  return Object.entries(fields).filter((each): each is [string, Setting<string, unknown>] => 'setting' in each[1])
}

/** The same as the settings are read by. */
export function readFieldsOf({ fields }: Model): ReadField[] {
  return settingsIn(fields).map(([column, { kind, setting }]) => ({ column, isSecret: kind === 'secret', ...setting }))
}

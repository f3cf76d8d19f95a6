import { CHAR_LENGTH_MAX, isColumn } from '../platform/model/fields.ts'
import type { Model, ModelOf, RowOf } from '../platform/model/model.ts'
import { records } from '../platform/records/records.ts'
import type { SyncParts } from './provider.ts'
import { inServiceEnv } from './service-env.ts'

/** Characters of a longer text of a provider's that are stored. */
const LONG_TEXT_CHARS_MAX = 10_000

/** Columns of a model that link to nothing, and what is computed as a text from the settings. */
interface StoredFields<Column extends string, Address extends string> {
  columns: readonly Column[]
  addresses?: readonly Address[]
}

type Stored<Typed, Column extends keyof RowOf<Typed>, Address extends string> = RowOf<Typed, Column> &
  Record<Address, string | null>

/** Records as they are read over the API, computed addresses included, in the order of their ids; all of them, or one. */
export function listStored<
  Typed extends ModelOf<object>,
  const Column extends keyof RowOf<Typed> & string,
  const Address extends string = never,
>(
  parts: SyncParts,
  model: Typed,
  { columns, addresses = [] }: StoredFields<Column, Address>,
  id?: number,
): Promise<Stored<Typed, Column, Address>[]> {
  return inServiceEnv(parts, async (env) => {
    const domain = id === undefined ? [] : [['id', '=', id]]
    const rows = await records(env, model.name).searchRead(domain, [...columns, ...addresses], { order: 'id' })
    return rows as unknown as Stored<Typed, Column, Address>[]
  })
}

/** What a provider says in texts, by column, as it fits the columns; what it leaves empty is null. */
export function fittingTexts<Name extends string>(
  { fields }: Pick<Model, 'fields'>,
  said: Readonly<Record<Name, string | undefined>>,
): Record<Name, string | null> {
  const fitting = Object.entries<string | undefined>(said).map(([name, text]) => {
    const field = fields[name]
    const charsMax = field !== undefined && isColumn(field) ? field.maxLength : undefined
    const clean = text?.replaceAll('\0', '').trim()
    const limit = charsMax ?? (field?.kind === 'text' ? LONG_TEXT_CHARS_MAX : CHAR_LENGTH_MAX)
    return [name, clean ? clean.slice(0, limit).toWellFormed() : null]
  })
  return Object.fromEntries(fitting) as Record<Name, string | null>
}

import type { ModelOf, RowOf } from '../platform/model/model.ts'
import { records } from '../platform/records/records.ts'
import type { SyncParts } from './provider.ts'
import { inServiceEnv } from './service-env.ts'

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

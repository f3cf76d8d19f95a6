import type { Transaction } from '../../database/database.ts'
import { sql } from '../../database/drizzle.ts'
import { idList } from '../../database/ids.ts'
import type { Env } from '../access/env.ts'
import type { Model, Row, Values } from '../model/model.ts'

/** What is written of in a transaction at this moment. */
interface Written {
  /** Calls inside of each other, as that which creates a record and those that it links to. */
  depth: number
  owners: Map<Model, Set<number>>
}

const written = new WeakMap<Transaction, Written>()

/** Does the work, and then looks whether the records that it wrote go together; calls inside of it look at nothing yet. */
export async function allTogether<Result>(env: Env, work: () => Promise<Result>): Promise<Result> {
  const state = written.get(env.db) ?? { depth: 0, owners: new Map() }
  written.set(env.db, state)
  state.depth += 1
  try {
    const result = await work()
    if (state.depth === 1) await requireTogether(env, state.owners)
    return result
  } finally {
    state.depth -= 1
    if (state.depth === 0) written.delete(env.db)
  }
}

/** Notes whose records were written, where they have to go together. */
export function lookLater({ db }: Env, model: Model, values: Values, current: Row | undefined): void {
  const { together } = model
  if (together === undefined) return
  const owner = { ...current, ...values }[together.link]
  const owners = written.get(db)?.owners
  if (typeof owner !== 'number' || owners === undefined) return
  owners.set(model, (owners.get(model) ?? new Set()).add(owner))
}

async function requireTogether(env: Env, owners: Written['owners']): Promise<void> {
  for (const [{ together, fields }, ids] of owners) {
    const owner = fields[together?.link ?? '']?.target
    if (together === undefined || owner === undefined) continue
    const { table } = env.platform.models.get(owner)
    // Two people who write of the same one at the same moment do not see each other's rows.
    await env.db.query(
      sql`select 1 from ${sql.identifier(table)} where id in (${idList([...ids])}) order by id for no key update`,
    )
    await together.require(env, [...ids])
  }
}

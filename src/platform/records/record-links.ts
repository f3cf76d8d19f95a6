import { type SQL, sql } from '../../database/drizzle.ts'
import { idList } from '../../database/ids.ts'
import { Refusal } from '../../errors.ts'
import { mayAccess } from '../access/access.ts'
import type { Env } from '../access/env.ts'
import type { Many2ManyField, One2ManyField } from '../model/fields.ts'
import type { Model } from '../model/model.ts'
import { visibleSql } from './domain.ts'

/** What of the model (its table named `t`) the identity may see: a condition, everything (undefined), or `none`. */
export function ruleFor(env: Env, model: Model): SQL | undefined | 'none' {
  if (!mayAccess(env.identity, model, 'read')) return 'none'
  return visibleSql({ models: env.platform.models, identity: env.identity }, model, 't')
}

/** Refuses a link to a record that does not exist or that the identity may not see. */
export async function requireLinkable(env: Env, path: string, target: Model, ids: readonly number[]): Promise<void> {
  const unique = [...new Set(ids)]
  if (unique.length === 0) return
  const visible = ruleFor(env, target)
  if (visible === 'none') throw new Refusal('forbidden', 'you-not-allowed-link', { path, name: target.name })
  const rows = await env.db.query<{ id: number }>(
    sql`select t.id from ${sql.identifier(target.table)} t where t.id in (${idList(unique)}) ${visible === undefined ? sql`` : sql`and (${visible})`}`,
  )
  if (rows.length < unique.length)
    throw new Refusal('refused', 'names-record-does-not-exist', { path, name: target.name })
}

/** Applies a value written to a link to many: a list of ids replaces, commands add and remove. */
export async function writeLinks(
  env: Env,
  { path, id, field }: { path: string; id: number; field: Many2ManyField },
  value: unknown,
): Promise<void> {
  const { table, here, there } = field.relation
  const [pairs, own, other] = [sql.identifier(table), sql.identifier(here), sql.identifier(there)]
  const { isCleared, named, added, removed } = outcomeOf(readLinkSteps(path, value))
  if (isCleared) await env.db.query(sql`delete from ${pairs} where ${own} = ${id}::bigint`)
  else if (removed.length > 0)
    await env.db.query(sql`delete from ${pairs} where ${own} = ${id}::bigint and ${other} in (${idList(removed)})`)
  await requireLinkable(env, path, env.platform.models.get(field.target), named)
  if (added.length === 0) return
  const rows = added.map((each) => sql`(${id}::bigint, ${each}::bigint)`)
  await env.db.query(
    sql`insert into ${pairs} (${own}, ${other}) values ${sql.join(rows, sql`, `)} on conflict do nothing`,
  )
}

interface LinkOutcome {
  isCleared: boolean
  /** All that were to be added, also those that went again. */
  named: number[]
  added: number[]
  removed: number[]
}

/** What many steps come to, so that thousands of them ask the database no more often than one. */
function outcomeOf(steps: readonly LinkStep[]): LinkOutcome {
  let isCleared = false
  const [named, added, removed] = [new Set<number>(), new Set<number>(), new Set<number>()]
  for (const { kind, ids } of steps) {
    if (kind === 'clear') {
      isCleared = true
      added.clear()
      removed.clear()
    }
    for (const id of ids) {
      const [into, outOf] = kind === 'add' ? [added, removed] : [removed, added]
      into.add(id)
      outOf.delete(id)
      if (kind === 'add') named.add(id)
    }
  }
  return { isCleared, named: [...named], added: [...added], removed: [...removed] }
}

/** What stands for a link back of which all new records were taken out; nothing that a client sends is it. */
export const ONLY_NEW: readonly never[] = Object.freeze([])

/** Links back from another model's many2one are written there. An empty list would not empty them, so it is refused too. */
export function refuseOne2Many(path: string, field: One2ManyField, value: unknown): void {
  if (value === ONLY_NEW) return
  throw new Refusal('refused', 'api-written-on-through-its-field-with', {
    path,
    target: field.target,
    inverse: field.inverse,
  })
}

interface LinkStep {
  kind: 'clear' | 'add' | 'remove'
  ids: number[]
}

/** What a value written to a link to many asks for, in its order; refuses what is none of it. */
export function readLinkSteps(path: string, value: unknown): LinkStep[] {
  if (value === null || value === false) return [{ kind: 'clear', ids: [] }]
  if (!Array.isArray(value)) throw new Refusal('refused', 'api-must-list-ids', { path })
  if (value.every((each) => typeof each === 'number')) {
    return [
      { kind: 'clear', ids: [] },
      { kind: 'add', ids: value.map((each) => readLinkId(path, each)) },
    ]
  }
  return value.flatMap((command) => readCommand(path, command))
}

/** Odoo's link commands: 6 replace, 5 clear, 4 link, 3 unlink. */
function readCommand(path: string, command: unknown): LinkStep[] {
  if (Array.isArray(command)) {
    const [code, id, ids] = command
    if (code === 5) return [{ kind: 'clear', ids: [] }]
    if (code === 4) return [{ kind: 'add', ids: [readLinkId(path, id)] }]
    if (code === 3) return [{ kind: 'remove', ids: [readLinkId(path, id)] }]
    if (code === 6 && Array.isArray(ids)) {
      return [
        { kind: 'clear', ids: [] },
        { kind: 'add', ids: ids.map((each) => readLinkId(path, each)) },
      ]
    }
  }
  throw new Refusal('refused', 'api-has-link-command-not-one-ids', { path })
}

function readLinkId(path: string, id: unknown): number {
  if (typeof id === 'number' && Number.isInteger(id) && id > 0) return id
  throw new Refusal('refused', 'api-must-hold-ids-records', { path })
}

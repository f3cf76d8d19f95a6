import type { Transaction } from '../../database/database.ts'
import { sql } from '../../database/drizzle.ts'
import { idList } from '../../database/ids.ts'
import { type Inside, Refusal } from '../../errors.ts'
import type { Env } from '../access/env.ts'
import type { Models } from '../model/declaration.ts'
import type { Model, Row, Values } from '../model/model.ts'
import { writerOf, writtenBy } from '../model/written-by.ts'
import { notifyChanged } from './notify-changed.ts'

/** What is written of in a transaction at this moment. */
interface Written {
  /** Calls inside of each other, as that which creates a record and those that it links to. */
  depth: number
  owners: Map<Model, Set<number>>
  /** Records of which parts were written. */
  wholes: Map<string, Set<number>>
  /** Where records are that are written with another. */
  inside: Map<string, Inside>
}

const written = new WeakMap<Transaction, Written>()

/** Does the work, and then looks whether the records that it wrote go together; calls inside of it look at nothing yet. */
export async function allTogether<Result>(env: Env, work: () => Promise<Result>): Promise<Result> {
  const state = written.get(env.db) ?? { depth: 0, owners: new Map(), wholes: new Map(), inside: new Map() }
  written.set(env.db, state)
  state.depth += 1
  try {
    const result = await work()
    if (state.depth === 1) {
      await requireTogether(env, state)
      await touchWholes(env, state.wholes)
    }
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

/** Notes where a record is that is written with another. */
export function noteInside({ db }: Env, model: string, id: number, inside: Inside): void {
  written.get(db)?.inside.set(`${model} ${id}`, inside)
}

/** Notes that parts of other records were written: what is changed of a part is changed of the whole. */
export function noteParts({ db, platform }: Env, part: Model, rows: readonly (Row | Values | undefined)[]): void {
  const wholes = written.get(db)?.wholes
  if (wholes === undefined) return
  for (const [whole, link] of wholesOf(platform.models, part)) {
    const ids = rows.map((row) => row?.[link]).filter((id) => typeof id === 'number')
    if (ids.length > 0) wholes.set(whole, new Set([...(wholes.get(whole) ?? []), ...ids]))
  }
}

/** Whether records of the model are parts of others. */
export function isPart({ models }: Env['platform'], part: Model): boolean {
  return wholesOf(models, part).length > 0
}

type Wholes = readonly (readonly [whole: string, link: string])[]
const known = new WeakMap<Models, Map<string, Wholes>>()

/** Models of which records of this one are parts, each with the link to it. */
function wholesOf(models: Models, { name: part }: Model): Wholes {
  const byPart = known.get(models) ?? new Map<string, Wholes>()
  known.set(models, byPart)
  const found = byPart.get(part) ?? listWholes(models, part)
  byPart.set(part, found)
  return found
}

function listWholes(models: Models, part: string): Wholes {
  return [...models].flatMap(({ name, fields }) =>
    Object.values(fields).flatMap((field): [string, string][] =>
      field.kind === 'one2many' && field.hasParts === true && field.target === part ? [[name, field.inverse]] : [],
    ),
  )
}

/** Anyone who read a record before its parts were changed has read another one. */
async function touchWholes(env: Env, wholes: Written['wholes']): Promise<void> {
  for (const [name, ids] of wholes) {
    const { table } = env.platform.models.get(name)
    await env.db.query(
      sql`update ${sql.identifier(table)} set ${writtenBy(writerOf(env))} where id in (${idList([...ids])})`,
    )
    await notifyChanged(env, name, [...ids])
  }
}

async function requireTogether(env: Env, { owners, inside }: Written): Promise<void> {
  for (const [model, ids] of owners) {
    const { together, fields } = model
    const owner = fields[together?.link ?? '']?.target
    if (together === undefined || owner === undefined) continue
    const { table } = env.platform.models.get(owner)
    // Two people who write of the same one at the same moment do not see each other's rows.
    await env.db.query(
      sql`select 1 from ${sql.identifier(table)} where id in (${idList([...ids])}) order by id for no key update`,
    )
    await together.require(env, [...ids]).catch((error: unknown) => {
      throw error instanceof Refusal ? placed(error, model.name, inside) : error
    })
  }
}

/** The refusal with the commands that wrote the records that it is about. */
function placed(refusal: Refusal, model: string, inside: Written['inside']): Refusal {
  const problems = refusal.problems.map(({ records = [], ...problem }) => {
    const at = records.map((id) => inside.get(`${model} ${id}`)).findLast((each) => each !== undefined)
    return at === undefined ? problem : { ...problem, inside: at }
  })
  return refusal.with({ problems })
}

// Calls of the API that write many records, on the embedded database, whose one engine answers nobody else while a transaction is
// open: they are made in slices, each in a transaction of its own, and webhooks are answered in between (docs/decisions/0034).
import { type Inside, Refusal } from '../../errors.ts'
import { requireAccess } from '../access/access.ts'
import { type Env, elevated, type OpenEnv } from '../access/env.ts'
import type { Models } from '../model/declaration.ts'
import type { Model, Values } from '../model/model.ts'
import { createdOf, isNewCommand, newValues, refusedInside, takeNewOut } from './new-links.ts'
import { limitedRecords, records } from './records.ts'
import { requireUnchanged } from './unchanged-since.ts'
import { requireWriteFits } from './write-budget.ts'

/** Rows that one transaction writes whatever it takes. */
const WHOLE_ROWS_MAX = 100
/** When a slice has taken so long, the next row waits for its turn. */
const SLICE_MS = 40
/** Rows of a slice, so that what clashes with itself clashes in the first. */
const SLICE_ROWS_MIN = 2
/** Rows that are removed at once when what was begun cannot be ended. */
const REMOVED_AT_ONCE = 50

/** A record that is to be made, apart from those that it is made with. */
interface Draft {
  model: string
  values: Values
  /** It links back to this one. */
  parent?: { draft: Draft; inverse: string }
  /** The command that makes it with another record. */
  inside?: Inside
  /** Its links to many, with drafts in place of commands that make records. */
  linked: [name: string, commands: readonly unknown[]][]
}

/** Drafts that have become records. */
type Made = ReadonlyMap<Draft, number>

/** Writes a row, and notes what it has made. */
type Step = (env: Env, made: Map<Draft, number>) => Promise<void>

/** Creates records, and what is to be made with them; gives the ids of the former. */
export async function createInSlices(open: OpenEnv, model: string, list: readonly Values[]): Promise<number[]> {
  const begun = await open(async (env) => {
    const { models } = env.platform
    requireAccess(env.identity, models.get(model), 'create')
    const rows = requireWriteFits(models, { model: models.get(model), list })
    const all: Draft[] = []
    const own = list.map((values) => draftOf(models, { model: models.get(model), values }, all))
    await requireRoom(env, all)
    return isWhole(env, rows) ? { ids: await limitedRecords(env, model).create(list) } : { own, all }
  })
  if (begun.ids !== undefined) return begun.ids
  const { own, all } = begun
  const made = await writeAll(open, all.map(stepOf))
  return own.map((draft) => made.get(draft) ?? 0)
}

/** Gives records the same values, and each what is to be made with it. */
export async function writeInSlices(open: OpenEnv, model: string, ids: readonly number[], vals: Values): Promise<void> {
  const steps = await open(async (env) => {
    const { models } = env.platform
    const own = models.get(model)
    requireAccess(env.identity, own, 'write')
    const rows = requireWriteFits(models, { model: own, list: [vals], times: ids.length })
    await requireUnchanged(env, own, ids, vals)
    const writing = writingSteps(models, own, ids, vals)
    await requireRoom(env, writing.made)
    const changed = ids.map(() => vals)
    for (const check of own.checks ?? []) await check.requireRoom?.(env, changed, ids)
    // One record that nobody may have changed since is changed at once; what is changed inside of records is few by itself.
    if (!isWhole(env, rows) && (env.context.unchanged_since ?? null) === null) return writing.steps
    await limitedRecords(env, model).write(ids, vals)
    return []
  })
  await writeAll(open, steps)
}

/** Refuses more records than somebody may have, before any is written, wherever in the call they stand. */
async function requireRoom(env: Env, all: readonly Draft[]): Promise<void> {
  for (const [model, drafts] of Map.groupBy(all, (draft) => draft.model)) {
    // What links back to a record that is not there yet names its draft.
    const list = drafts.map(({ values, parent }) =>
      parent === undefined ? values : { ...values, [parent.inverse]: parent.draft },
    )
    for (const check of env.platform.models.get(model).checks ?? []) await check.requireRoom?.(env, list)
  }
}

/** On a server, whose other connections go on, each call is one transaction. */
function isWhole({ platform }: Env, rows: number): boolean {
  return rows <= WHOLE_ROWS_MAX || platform.queryCostMax === undefined
}

/** What writes records one after the other, and the drafts of what is made with them. */
function writingSteps(
  models: Models,
  model: Model,
  ids: readonly number[],
  vals: Values,
): { steps: Step[]; made: Draft[] } {
  const { values, linked, back } = takeNewOut(model, vals)
  const before: Draft[] = []
  const commands = linked.map(
    ([name, field, each]) => [name, draftsOf(models, model, [name, field.target, each], before)] as const,
  )
  const change =
    (id: number): Step =>
    (env, made) => {
      const all = { ...values, ...Object.fromEntries(commands.map(([name, each]) => [name, withIds(each, made)])) }
      return limitedRecords(env, model.name).write([id], all)
    }
  const after = ids.flatMap((id) => {
    const drafts: Draft[] = []
    for (const [{ target, inverse }, commands] of back) {
      for (const { values: each, inside } of createdOf(commands))
        draftOf(models, { model: models.get(target), values: { ...each, [inverse]: id }, inside }, drafts)
    }
    return { change: change(id), drafts }
  })
  return {
    steps: [...before.map(stepOf), ...after.flatMap((each) => [each.change, ...each.drafts.map(stepOf)])],
    made: [...before, ...after.flatMap(({ drafts }) => drafts)],
  }
}

/** The draft of a record; `all` gets it and those that are made with it, in an order in which they can be made. */
function draftOf(
  models: Models,
  { model, values: given, parent, inside }: { model: Model; values: Values } & Pick<Draft, 'parent' | 'inside'>,
  all: Draft[],
): Draft {
  const { values, linked, back } = takeNewOut(model, given)
  const draft: Draft = {
    model: model.name,
    values,
    linked: linked.map(([name, { target }, each]) => [name, draftsOf(models, model, [name, target, each], all)]),
    ...(parent === undefined ? {} : { parent }),
    ...(inside === undefined ? {} : { inside }),
  }
  all.push(draft)
  for (const [{ target, inverse }, commands] of back) {
    for (const { values: each, inside: at } of createdOf(commands))
      draftOf(models, { model: models.get(target), values: each, parent: { draft, inverse }, inside: at }, all)
  }
  return draft
}

/** Commands of a link to many, with drafts in place of those that make records. */
function draftsOf(
  models: Models,
  model: Model,
  [name, target, commands]: [name: string, target: string, commands: readonly unknown[]],
  all: Draft[],
): unknown[] {
  return commands.map((each) => {
    if (!isNewCommand(each)) return each
    return draftOf(models, { model: models.get(target), values: newValues(`${model.name}.${name}`, each) }, all)
  })
}

function stepOf(draft: Draft): Step {
  return async (env, made) => {
    await make(env, draft, made).catch((error: unknown) => {
      throw error instanceof Refusal && draft.inside !== undefined ? refusedInside(error, draft.inside) : error
    })
  }
}

/** Makes the record of a draft, unless it is there. What it links back to is made before: a trial has taken that back. */
async function make(env: Env, draft: Draft, made: Map<Draft, number>): Promise<number> {
  const there = made.get(draft)
  if (there !== undefined) return there
  const { model, values, parent, linked } = draft
  const back = parent === undefined ? {} : { [parent.inverse]: await make(env, parent.draft, made) }
  const links = Object.fromEntries(linked.map(([name, commands]) => [name, withIds(commands, made)]))
  const [id = 0] = await limitedRecords(env, model).create([{ ...values, ...links, ...back }])
  made.set(draft, id)
  return id
}

/** Commands as they are written. In a trial what they link to may have been taken back: it is left out. */
function withIds(commands: readonly unknown[], made: Made): unknown[] {
  return commands.flatMap((each) => {
    if (Array.isArray(each) || typeof each !== 'object' || each === null) return [each]
    const id = made.get(each as Draft)
    return id === undefined ? [] : [[4, id]]
  })
}

/**
 * All rows, or none: first each of them is tried and taken back, so that what is wrong with one is known before any is written.
 * What still cannot be written then, because somebody else was faster, takes with it what was made before.
 */
async function writeAll(open: OpenEnv, steps: readonly Step[]): Promise<Made> {
  for (let at = 0; at < steps.length; ) at = await trial(open, steps, at)
  let made: Map<Draft, number> = new Map()
  for (let at = 0; at < steps.length; ) {
    const before = made
    const slice = await open(async (env) => {
      const own = new Map(before)
      return { at: await writeSome(env, steps, { at, made: own }), own }
    }).catch((error: unknown) => takeBack(open, before, { error, changed: at > before.size }))
    at = slice.at
    made = slice.own
  }
  return made
}

/** Writes rows until the time of a slice is over; gives the next one. */
async function writeSome(
  env: Env,
  steps: readonly Step[],
  { at, made }: { at: number; made: Map<Draft, number> },
): Promise<number> {
  const began = performance.now()
  let next = at
  for (const step of steps.slice(at)) {
    if (next - at >= SLICE_ROWS_MIN && performance.now() - began > SLICE_MS) break
    await step(env, made)
    next += 1
  }
  return next
}

/** Thrown to have the database take back what was written. */
class TriedError extends Error {
  readonly next: number

  constructor(next: number) {
    super('tried, and taken back')
    this.name = 'TriedError'
    this.next = next
  }
}

async function trial(open: OpenEnv, steps: readonly Step[], at: number): Promise<number> {
  try {
    return await open(async (env) => {
      throw new TriedError(await writeSome(env, steps, { at, made: new Map() }))
    })
  } catch (thrown) {
    if (thrown instanceof TriedError) return thrown.next
    throw thrown
  }
}

/** Removes what was made, newest first, and throws why; records that were changed stay so, and the refusal says it. */
async function takeBack(
  open: OpenEnv,
  made: Made,
  { error, changed }: { error: unknown; changed: boolean },
): Promise<never> {
  const newest = [...made].reverse()
  for (let at = 0; at < newest.length; at += REMOVED_AT_ONCE) {
    await open(async (env) => {
      // Elevated: whoever makes a record may not be one who removes it.
      for (const [{ model }, id] of newest.slice(at, at + REMOVED_AT_ONCE))
        await records(elevated(env), model).unlink([id])
    })
  }
  if (!changed || !(error instanceof Refusal)) throw error
  throw error.with({ details: { ...error.details, is_partly_written: true } })
}

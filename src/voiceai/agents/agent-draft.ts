import { type Static, Type } from 'typebox'
import { sql } from '../../database/drizzle.ts'
import { Refusal } from '../../errors.ts'
import { type Env, elevated } from '../../platform/access/env.ts'
import { GROUP } from '../../platform/access/identity.ts'
import { method, type Values } from '../../platform/model/model.ts'
import { displayNames } from '../../platform/records/record-read.ts'
import { records } from '../../platform/records/records.ts'
import { requireWriteFits } from '../../platform/records/write-budget.ts'

const AGENT = 'connect.voiceai_agent'
const DRAFT = 'connect.voiceai_agent_draft'

/** Fields that are written at once, because they say what the platform has, or have a record of their own. */
const NOT_DRAFTED: ReadonlySet<string> = new Set([
  'active_prompt_version',
  'agent_uid',
  'knowledge',
  'prompt_version_ids',
  'template',
  'transfer_to_agent',
])

const Stamp = Type.Union([Type.String({ maxLength: 40 }), Type.Null()], {
  description: 'The `write_stamp` of the draft that was read; null when there was none.',
})
const SavedDraft = Type.Object({
  stamp: Type.Union([Type.String(), Type.Null()], { description: 'Null when nothing differs from the agent.' }),
  fields: Type.Array(Type.String(), { description: 'The fields that differ from the agent.' }),
})

interface StoredDraft {
  id: number
  vals: Values
  base: Values
  at: string
  by: number | null
}

/** What people do with the draft of an agent. */
export const DRAFT_METHODS = {
  save_draft: method({
    label: 'Save draft',
    operation: 'write',
    groups: [GROUP.connectAdmin],
    args: Type.Object({
      vals: Type.Record(Type.String(), Type.Unknown(), {
        description: 'All of the draft: values of fields, as they are written.',
      }),
      seen: Type.Optional(
        Type.Record(Type.String(), Type.Unknown(), {
          description: 'What the agent had in those fields when it was read.',
        }),
      ),
      unchanged_since: Type.Optional(Stamp),
    }),
    reply: SavedDraft,
    run: saveDraft,
  }),
  publish_draft: method({
    label: 'Publish',
    operation: 'write',
    groups: [GROUP.connectAdmin],
    args: Type.Object({ unchanged_since: Type.Optional(Stamp) }),
    reply: Type.Object({ fields: Type.Array(Type.String(), { description: 'The fields that were changed.' }) }),
    run: publishDraft,
  }),
  discard_draft: method({
    label: 'Discard draft',
    operation: 'write',
    groups: [GROUP.connectAdmin],
    args: Type.Object({ unchanged_since: Type.Optional(Stamp) }),
    reply: Type.Boolean({ description: 'Whether there was one.' }),
    run: discardDraft,
  }),
}

interface Given {
  vals: Record<string, unknown>
  seen?: Record<string, unknown>
  unchanged_since?: string | null
}

/** Saves the draft as a whole; what is the same as in the agent is no part of it. Throws a refusal when it cannot be published. */
async function saveDraft(
  env: Env,
  ids: readonly number[],
  { vals, seen = {}, unchanged_since: since }: Given,
): Promise<Static<typeof SavedDraft>> {
  const { models } = env.platform
  requireWriteFits(models, { model: models.get(AGENT), list: [vals] })
  const agent = await lockAgent(env, ids)
  const before = await findDraft(env, agent)
  if (since !== undefined && since !== (before?.at ?? null)) await refuseChanged(env, agent, before)
  for (const name of Object.keys(vals)) requireDrafted(env, name)
  const current = await readAgent(env, agent, Object.keys(vals))
  await requireSame(env, agent, { names: Object.keys(seen), before: seen, current, wanted: vals })
  const names = Object.keys(vals).filter((name) => !isSame(vals[name], current[name]))
  const changes = only(vals, names)
  await requireWritable(env, agent, changes)
  const drafts = records(elevated(env), DRAFT)
  if (names.length === 0) {
    if (before !== undefined) await drafts.unlink([before.id])
    return { stamp: null, fields: [] }
  }
  const values = { vals: changes, base: only(current, names) }
  if (before === undefined) await drafts.create([{ agent, ...values }])
  else await drafts.write([before.id], values)
  return { stamp: (await findDraft(env, agent))?.at ?? null, fields: names }
}

/** Writes the draft to the agent, which is pushed once. Throws a refusal that names who was faster. */
async function publishDraft(
  env: Env,
  ids: readonly number[],
  { unchanged_since: since }: { unchanged_since?: string | null },
): Promise<{ fields: string[] }> {
  const agent = await lockAgent(env, ids)
  const draft = await findDraft(env, agent)
  if (draft === undefined || (since !== undefined && since !== draft.at)) return refuseChanged(env, agent, draft)
  const names = Object.keys(draft.vals)
  const current = await readAgent(env, agent, names)
  await requireSame(env, agent, { names, before: draft.base, current, wanted: draft.vals })
  await records(env, AGENT).write([agent], asWritten(env, draft.vals))
  await records(elevated(env), DRAFT).unlink([draft.id])
  return { fields: names }
}

async function discardDraft(
  env: Env,
  ids: readonly number[],
  { unchanged_since: since }: { unchanged_since?: string | null },
): Promise<boolean> {
  const agent = await lockAgent(env, ids)
  const draft = await findDraft(env, agent)
  if (since !== undefined && since !== (draft?.at ?? null)) await refuseChanged(env, agent, draft)
  if (draft === undefined) return false
  await records(elevated(env), DRAFT).unlink([draft.id])
  return true
}

/** Writes the draft to the agent, for work of which nothing is kept; false when there is none. */
export async function applyDraft(env: Env, agent: number): Promise<boolean> {
  const draft = await findDraft(env, agent)
  if (draft !== undefined) await records(env, AGENT).write([agent], asWritten(env, draft.vals))
  return draft !== undefined
}

/** Two people who save or publish at the same time do so one after the other. */
async function lockAgent(env: Env, ids: readonly number[]): Promise<number> {
  const [agent, ...others] = ids
  if (agent === undefined || others.length > 0) throw new Refusal('refused', 'agent-draft-of-one')
  await records(env, AGENT).requireVisible([agent], 'write', 'for update')
  return agent
}

async function findDraft({ db }: Env, agent: number): Promise<StoredDraft | undefined> {
  const [draft] = await db.query<StoredDraft>(
    sql`select id, vals, base, write_date::text as at, write_uid as by from connect_voiceai_agent_draft
        where agent = ${agent}::bigint`,
  )
  return draft
}

async function refuseChanged(env: Env, agent: number, draft: StoredDraft | undefined): Promise<never> {
  if (draft === undefined) {
    const { by, at } = await lastWriter(env, agent)
    throw new Refusal('conflict', 'agent-draft-gone', { name: await nameOf(env, by) }, { details: { by, at } })
  }
  const { by, at } = draft
  throw new Refusal('conflict', 'agent-draft-changed', { name: await nameOf(env, by) }, { details: { by, at } })
}

/** Refuses when somebody changed the agent, in one of these fields, to something else than is wanted. */
async function requireSame(
  env: Env,
  agent: number,
  { names, before, current, wanted }: { names: readonly string[]; before: Values; current: Values; wanted: Values },
): Promise<void> {
  const changed = names.filter(
    (name) => name in wanted && !isSame(before[name], current[name]) && !isSame(wanted[name], current[name]),
  )
  if (changed.length === 0) return
  const { by, at } = await lastWriter(env, agent)
  const fields = changed.map((name) => env.platform.models.get(AGENT).fields[name]?.label ?? name).join(', ')
  const name = await nameOf(env, by)
  throw new Refusal('conflict', 'agent-changed-under-draft', { name, fields }, { details: { by, at, fields: changed } })
}

/** Who wrote the agent last. A push is nobody's, so the newest prompt says it where the agent does not. */
async function lastWriter({ db }: Env, agent: number): Promise<{ by: number | null; at: string | null }> {
  const [row] = await db.query<{ by: number | null; at: string }>(
    sql`select coalesce(a.write_uid, p.create_uid) as by, a.write_date::text as at from connect_voiceai_agent a
        left join connect_voiceai_agent_prompt p on p.id = a.active_prompt_version where a.id = ${agent}::bigint`,
  )
  return row ?? { by: null, at: null }
}

async function nameOf(env: Env, user: number | null): Promise<string> {
  if (user === null) return 'Somebody'
  const names = await displayNames(env, env.platform.models.get('res.users'), [user])
  return names.get(user) ?? 'Somebody'
}

/** Refuses what the agent would refuse: it is written once, and nothing of that is kept. */
async function requireWritable(env: Env, agent: number, changes: Values): Promise<void> {
  if (Object.keys(changes).length === 0) return
  await env.db.execute('savepoint agent_draft', [])
  try {
    await records(env, AGENT).write([agent], asWritten(env, changes))
  } finally {
    await env.db.execute('rollback to savepoint agent_draft', [])
  }
}

function requireDrafted(env: Env, name: string): void {
  const field = env.platform.models.get(AGENT).fields[name]
  const isDrafted =
    field !== undefined && field.kind !== 'computed' && field.readonly !== true && !NOT_DRAFTED.has(name)
  if (!isDrafted) throw new Refusal('refused', 'agent-draft-field', { name })
}

/** The values of the agent as a draft holds them: links as ids. */
async function readAgent(env: Env, agent: number, names: readonly string[]): Promise<Values> {
  if (names.length === 0) return {}
  const [row] = await records(env, AGENT).read([agent], names)
  const { fields } = env.platform.models.get(AGENT)
  return Object.fromEntries(
    names.map((name) => {
      const value: unknown = row?.[name]
      return [name, fields[name]?.kind === 'many2one' && Array.isArray(value) ? value[0] : value]
    }),
  )
}

/** Lists of links replace those that there are. */
function asWritten(env: Env, values: Values): Values {
  const { fields } = env.platform.models.get(AGENT)
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      fields[name]?.kind === 'many2many' && isIds(value) ? [[6, 0, value]] : value,
    ]),
  )
}

function isIds(value: unknown): value is number[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'number')
}

function only(values: Values, names: readonly string[]): Values {
  return Object.fromEntries(names.map((name) => [name, values[name] ?? null]))
}

/** Nothing, false and an empty text are one; the order of links and of keys says nothing. */
function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(plain(one)) === JSON.stringify(plain(other))
}

function plain(value: unknown): unknown {
  if (value === undefined || value === false || value === '') return null
  if (isIds(value)) return value.toSorted((one, other) => one - other)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1))
}

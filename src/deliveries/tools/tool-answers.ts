import { createHash } from 'node:crypto'
import { type SQL, sql } from '../../database/drizzle.ts'
import { limitOfRows, listed } from '../../database/listed.ts'
import { param, statement } from '../../database/statement.ts'
import type { Env } from '../../platform/access/env.ts'
import { char, datetime, json } from '../../platform/model/fields.ts'
import { defineModel } from '../../platform/model/model.ts'

/** How long the same tool call in the same call is answered again instead of being done again. */
const REPEAT_SECONDS = 90
/**
 * How long somebody may be at work on a claim that they committed before their work: longer than the provider is waited for.
 * An older one without an answer was left by a process that is gone.
 */
const UNDER_WAY_SECONDS = 9

/** Answers of tools that change something, by what was asked. Open to nobody over the API. */
export const toolAnswerModel = defineModel({
  name: 'connect.tool_answer',
  label: 'Tool answer',
  comesWithDeliveries: true,
  order: 'id',
  display: { columns: ['key'], show: (row) => String(row.key) },
  fields: {
    key: char('What was asked', { required: true, isUnique: true }),
    answered_at: datetime('Answered', { required: true, isIndexed: true }),
    answer: json('Answer'),
  },
  retention: { since: 'answered_at', age: () => '1 hour' },
})

// By the database's clock, which is one for all processes.
// In the order of their keys, so that those who claim several never wait for each other in a circle.
const CLAIM = statement<{ id: number; key: string }, { keys: readonly string[] }>(
  'tool_answers_claim',
  sql`insert into connect_tool_answer (key, answered_at)
      select key, now() at time zone 'utc' from unnest(${param('keys')}::text[]) as asked (key) order by key
      on conflict (key) do update set answered_at = excluded.answered_at, answer = null
        where connect_tool_answer.answered_at not between excluded.answered_at - ${seconds(REPEAT_SECONDS)}
            and excluded.answered_at + ${seconds(REPEAT_SECONDS)}
          or (connect_tool_answer.answer is null
            and connect_tool_answer.answered_at < excluded.answered_at - ${seconds(UNDER_WAY_SECONDS)})
      returning id, key`,
)
// Kept as a text, because the database would put the keys of an object into another order.
const STORE = statement<never, { ids: readonly number[]; answers: readonly string[] }>(
  'tool_answers_store',
  sql`update connect_tool_answer a set answer = to_jsonb(given.answer)
      from (select * from unnest(${param('ids')}::bigint[], ${param('answers')}::text[]) as each (id, answer)
        ${limitOfRows()}) as given where a.id = given.id`,
)
const FIND = statement<{ key: string; answer: unknown }, { keys: readonly string[] }>(
  'tool_answers_find',
  sql`select a.key, a.answer from ${listed('keys', 'text')} as asked (key)
      cross join lateral (select key, answer from connect_tool_answer b where b.key = asked.key limit 1) a`,
)
const RELEASE = statement<never, { ids: readonly number[] }>(
  'tool_answers_release',
  sql`delete from connect_tool_answer where id in ${listed('ids', 'bigint')}`,
)

/** A thing that was asked: ours to do now, answered already, or being done by somebody who has not answered yet. */
type Claim = { kind: 'ours'; id: number } | { kind: 'known'; answer: object } | { kind: 'under way' }

/**
 * Claims a thing for the next 90 seconds; concurrent claims wait in the database for the first one's transaction. Anyone who
 * commits the claim before the work is done stores the answer, or releases the claim, afterwards.
 */
export async function claimAnswer(env: Env, asked: readonly unknown[]): Promise<Claim> {
  const key = keyOf(asked)
  return (await claim(env, [key])).get(key) ?? { kind: 'under way' }
}

export function storeAnswer(env: Env, id: number, answer: object): Promise<void> {
  return store(env, new Map([[id, answer]]))
}

/** Lets a thing be asked again at once, because it could not be done. */
export async function releaseClaim(env: Env, id: number): Promise<void> {
  await env.db.run(RELEASE, { ids: [id] })
}

/**
 * Does a thing once: the same `asked` again within 90 seconds gets the first answer. When the first one fails, its
 * claim rolls back with it and the next one does it.
 */
export async function answerOnce<Answer extends object>(
  env: Env,
  asked: readonly unknown[],
  act: () => Promise<Answer>,
): Promise<Answer> {
  const [answer] = await answerEachOnce(env, { wanted: [asked], askedOf: (each) => each }, async () => [await act()])
  if (answer === undefined) throw new Error('what was asked was not done')
  return answer
}

/**
 * The same for a list: `askedOf` says what was asked for each, with the name of the tool. `act` does what nobody has done yet,
 * each once, and answers in the same order; undefined for what could not be done, which may be asked again at once. Answers
 * everything in its order.
 */
export async function answerEachOnce<Wanted, Answer extends object>(
  env: Env,
  { wanted, askedOf }: { wanted: readonly Wanted[]; askedOf: (each: Wanted) => readonly unknown[] },
  act: (fresh: readonly Wanted[]) => Promise<readonly (Answer | undefined)[]>,
): Promise<(Answer | undefined)[]> {
  const keys = wanted.map((each) => keyOf(askedOf(each)))
  const byKey = new Map(wanted.map((each, at) => [keys[at] ?? '', each]))
  const claims = await claim(env, [...byKey.keys()])
  const fresh = [...byKey].flatMap(([key, each]) => {
    const made = claims.get(key)
    // Claim and answer commit together here.
    if (made === undefined || made.kind === 'under way') throw new Error('a claim was committed without its answer')
    return made.kind === 'ours' ? [{ key, id: made.id, each }] : []
  })
  const answers = fresh.length === 0 ? [] : await act(fresh.map(({ each }) => each))
  const given = fresh.map(({ key, id }, at) => ({ key, id, answer: answers[at] }))
  await store(env, new Map(given.flatMap(({ id, answer }) => (answer === undefined ? [] : [[id, answer]]))))
  const undone = given.filter(({ answer }) => answer === undefined)
  if (undone.length > 0) await env.db.run(RELEASE, { ids: undone.map(({ id }) => id) })
  const byFresh = new Map(given.map(({ key, answer }) => [key, answer]))
  return keys.map((key) => {
    const made = claims.get(key)
    return made?.kind === 'known' ? (made.answer as Answer) : byFresh.get(key)
  })
}

/** What came of each key, none of which is there twice. */
async function claim(env: Env, keys: readonly string[]): Promise<Map<string, Claim>> {
  const ours = await env.db.run(CLAIM, { keys })
  const claims = new Map<string, Claim>(ours.map(({ id, key }) => [key, { kind: 'ours', id }]))
  const others = keys.filter((key) => !claims.has(key))
  const found = others.length === 0 ? [] : await env.db.run(FIND, { keys: others })
  for (const key of others) claims.set(key, { kind: 'under way' })
  for (const { key, answer } of found) {
    if (typeof answer === 'string') claims.set(key, { kind: 'known', answer: JSON.parse(answer) as object })
  }
  return claims
}

async function store(env: Env, answers: ReadonlyMap<number, object>): Promise<void> {
  if (answers.size === 0) return
  const texts = [...answers.values()].map((answer) => JSON.stringify(answer))
  await env.db.run(STORE, { ids: [...answers.keys()], answers: texts })
}

function keyOf(asked: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(asked)).digest('base64url')
}

function seconds(count: number): SQL {
  return sql.raw(`interval '${count} seconds'`)
}

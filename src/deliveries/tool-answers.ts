import { createHash } from 'node:crypto'
import { sql } from '../database/drizzle.ts'
import { param, statement } from '../database/statement.ts'
import type { Env } from '../platform/env.ts'
import { char, datetime, json } from '../platform/fields.ts'
import { wireTime } from '../platform/identity/sessions.ts'
import { defineModel } from '../platform/model.ts'

/** How long the same tool call in the same call is answered again instead of being done again. */
export const REPEAT_SECONDS = 90
const MS_PER_SECOND = 1_000

/** Answers of tools that change something, by what was asked. Open to nobody over the API. */
export const toolAnswerModel = defineModel({
  name: 'connect.tool_answer',
  label: 'Tool answer',
  order: 'id',
  display: { columns: ['key'], show: (row) => String(row.key) },
  fields: {
    key: char('What was asked', { required: true, isUnique: true }),
    answered_at: datetime('Answered', { required: true, isIndexed: true }),
    answer: json('Answer'),
  },
})

const CLAIM = statement<{ id: number }, { key: string; now: string; since: string }>(
  'tool_answer_claim',
  sql`insert into connect_tool_answer (key, answered_at) values (${param('key')}, ${param('now')}::timestamp)
      on conflict (key) do update set answered_at = excluded.answered_at, answer = null
        where connect_tool_answer.answered_at < ${param('since')}::timestamp
      returning id`,
)
// Kept as a text, because the database would put the keys of an object into another order.
const STORE = statement<never, { id: number; answer: string }>(
  'tool_answer_store',
  sql`update connect_tool_answer set answer = to_jsonb(${param('answer')}::text) where id = ${param('id')}`,
)
const FIND = statement<{ answer: unknown }, { key: string }>(
  'tool_answer_find',
  sql`select answer from connect_tool_answer where key = ${param('key')}`,
)

/** A thing that was asked: new and now ours to do, or known with its answer (none yet while it is being done). */
export type Claim = { kind: 'ours'; id: number } | { kind: 'known'; answer: unknown }

/** Claims a thing for the next 90 seconds; concurrent claims wait in the database for the first one's transaction. */
export async function claimAnswer(env: Env, asked: readonly unknown[]): Promise<Claim> {
  const key = createHash('sha256').update(JSON.stringify(asked)).digest('base64url')
  const since = new Date(env.now.getTime() - REPEAT_SECONDS * MS_PER_SECOND)
  const [claim] = await env.db.run(CLAIM, { key, now: wireTime(env.now), since: wireTime(since) })
  if (claim !== undefined) return { kind: 'ours', id: claim.id }
  const [known] = await env.db.run(FIND, { key })
  return { kind: 'known', answer: typeof known?.answer === 'string' ? JSON.parse(known.answer) : undefined }
}

export async function storeAnswer(env: Env, id: number, answer: object): Promise<void> {
  await env.db.run(STORE, { id, answer: JSON.stringify(answer) })
}

/** Lets a thing be asked again at once, because it could not be done. */
export async function releaseClaim(env: Env, id: number): Promise<void> {
  await env.db.query(sql`delete from connect_tool_answer where id = ${id}::int`)
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
  const claim = await claimAnswer(env, asked)
  if (claim.kind === 'known') return claim.answer as Answer
  const answer = await act()
  await storeAnswer(env, claim.id, answer)
  return answer
}

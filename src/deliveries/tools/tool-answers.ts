import { createHash } from 'node:crypto'
import { type SQL, sql } from '../../database/drizzle.ts'
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
const CLAIM = statement<{ id: number }, { key: string }>(
  'tool_answer_claim',
  sql`insert into connect_tool_answer (key, answered_at) values (${param('key')}, now() at time zone 'utc')
      on conflict (key) do update set answered_at = excluded.answered_at, answer = null
        where connect_tool_answer.answered_at not between excluded.answered_at - ${seconds(REPEAT_SECONDS)}
            and excluded.answered_at + ${seconds(REPEAT_SECONDS)}
          or (connect_tool_answer.answer is null
            and connect_tool_answer.answered_at < excluded.answered_at - ${seconds(UNDER_WAY_SECONDS)})
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

/** A thing that was asked: ours to do now, answered already, or being done by somebody who has not answered yet. */
type Claim = { kind: 'ours'; id: number } | { kind: 'known'; answer: object } | { kind: 'under way' }

/**
 * Claims a thing for the next 90 seconds; concurrent claims wait in the database for the first one's transaction. Whoever
 * commits the claim before the work is done stores the answer, or releases the claim, afterwards.
 */
export async function claimAnswer(env: Env, asked: readonly unknown[]): Promise<Claim> {
  const key = createHash('sha256').update(JSON.stringify(asked)).digest('base64url')
  const [claim] = await env.db.run(CLAIM, { key })
  if (claim !== undefined) return { kind: 'ours', id: claim.id }
  const [known] = await env.db.run(FIND, { key })
  if (typeof known?.answer !== 'string') return { kind: 'under way' }
  return { kind: 'known', answer: JSON.parse(known.answer) as object }
}

export async function storeAnswer(env: Env, id: number, answer: object): Promise<void> {
  await env.db.run(STORE, { id, answer: JSON.stringify(answer) })
}

/** Lets a thing be asked again at once, because it could not be done. */
export async function releaseClaim(env: Env, id: number): Promise<void> {
  await env.db.query(sql`delete from connect_tool_answer where id = ${id}::bigint`)
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
  // Claim and answer commit together here.
  if (claim.kind === 'under way') throw new Error('a claim was committed without its answer')
  const answer = await act()
  await storeAnswer(env, claim.id, answer)
  return answer
}

function seconds(count: number): SQL {
  return sql.raw(`interval '${count} seconds'`)
}

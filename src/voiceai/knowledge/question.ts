import { Type } from 'typebox'
import { sql } from '../../database/drizzle.ts'
import { idList } from '../../database/ids.ts'
import { Refusal } from '../../errors.ts'
import { readersOfCalls } from '../../ledger/calls/call-readers.ts'
import type { Env } from '../../platform/access/env.ts'
import { GROUP } from '../../platform/access/identity.ts'
import { char, computed, datetime, integer, many2one, selection } from '../../platform/model/fields.ts'
import { defineModel, method, type Row } from '../../platform/model/model.ts'
import { writerOf, writtenBy } from '../../platform/model/written-by.ts'
import { notifySomeChanged } from '../../platform/records/notify-changed.ts'
import { records } from '../../platform/records/records.ts'
import { DOCUMENT_CHARS_MAX } from './knowledge-source.ts'

const MODEL = 'connect.voiceai_question'
const SHOWN_CHARS_MAX = 1_000

/**
 * A question that an agent could not answer, once for all calls that asked it. What was said stands in the transcript, and
 * goes with it; here is where it stands. Written by the service only.
 */
export const questionModel = defineModel({
  name: 'connect.voiceai_question',
  label: 'Unanswered question',
  isAboutPeople: true,
  isReadonly: true,
  order: 'asked_at desc, id desc',
  display: { columns: ['id'], show: ({ id }) => `Question ${id}` },
  fields: {
    agent: many2one('Voice agent', 'connect.voiceai_agent', { required: true, readonly: true, onDelete: 'cascade' }),
    call: many2one('Call', 'connect.call', { required: true, readonly: true, onDelete: 'cascade' }),
    conversation: char('Conversation', { required: true, readonly: true }),
    turn: integer('Turn', { required: true, readonly: true }),
    reply_turn: integer('Turn of the agent', { required: true, readonly: true }),
    question: computed('Question', 'text', {
      depends: ['conversation', 'turn'],
      compute: (env, rows) => wordsAt(env, rows, 'turn'),
    }),
    reply: computed('What the agent said', 'text', {
      depends: ['conversation', 'reply_turn'],
      compute: (env, rows) => wordsAt(env, rows, 'reply_turn'),
    }),
    why: selection(
      'Found by',
      { reported: 'ElevenLabs found nothing', admitted: 'The agent said so' },
      { required: true, readonly: true },
    ),
    times: integer('Times asked', { required: true, readonly: true, default: 1 }),
    asked_at: datetime('Last asked', { required: true, readonly: true }),
    state: selection(
      'State',
      { open: 'Open', answered: 'Answered', dismissed: 'Dismissed' },
      { required: true, readonly: true, default: 'open', isIndexed: true },
    ),
    answer: many2one('Answer', 'connect.voiceai_knowledge', { readonly: true }),
    key: char('Key', { required: true, isUnique: true, readonly: true, groups: [] }),
  },
  rules: readersOfCalls('call.'),
  methods: {
    give_answer: method({
      label: 'Answer',
      operation: 'read',
      groups: [GROUP.connectAdmin],
      isAudited: true,
      args: Type.Object({
        answer: Type.String({ minLength: 1, maxLength: DOCUMENT_CHARS_MAX, description: 'What the agent is to say.' }),
        question: Type.Optional(
          Type.String({ maxLength: SHOWN_CHARS_MAX, description: 'In other words; otherwise as it was asked.' }),
        ),
      }),
      reply: Type.Object({ knowledge: Type.Integer({ description: 'The text that the agent knows now.' }) }),
      run: giveAnswer,
    }),
    dismiss: method({
      label: 'Dismiss',
      operation: 'read',
      groups: [GROUP.connectAdmin],
      isAudited: true,
      reply: Type.Object({ dismissed: Type.Integer() }),
      run: dismiss,
    }),
  },
})

/** A text that the agent knows from its next call on. */
async function giveAnswer(
  env: Env,
  ids: readonly number[],
  { answer, question }: { answer: string; question?: string },
): Promise<{ knowledge: number }> {
  const [row] = await records(env, MODEL).read([...ids].slice(0, 1), ['agent', 'question'])
  if (row === undefined || ids.length !== 1) throw new Refusal('refused', 'question-one')
  const asked = (question ?? '').trim() || String(row.question ?? '').trim()
  const [agent] = Array.isArray(row.agent) ? row.agent : [row.agent]
  const [knowledge = 0] = await records(env, 'connect.voiceai_knowledge').create([
    {
      name: firstWords(asked === '' ? answer : asked),
      kind: 'text',
      text: asked === '' ? answer : `${asked}\n\n${answer}`,
      usage: 'prompt',
      agents: [[6, 0, [Number(agent)]]],
    },
  ])
  await setState(env, ids, { state: 'answered', answer: knowledge })
  return { knowledge }
}

async function dismiss(env: Env, ids: readonly number[]): Promise<{ dismissed: number }> {
  if (ids.length === 0) return { dismissed: 0 }
  await setState(env, ids, { state: 'dismissed', answer: null })
  return { dismissed: ids.length }
}

async function setState(
  env: Env,
  ids: readonly number[],
  { state, answer }: { state: string; answer: number | null },
): Promise<void> {
  await env.db.query(
    sql`update connect_voiceai_question set state = ${state}, answer = ${answer}::bigint, ${writtenBy(writerOf(env))}
        where id in (${idList(ids)})`,
  )
  await notifySomeChanged(env, MODEL, ids)
}

function firstWords(text: string): string {
  const NAME_CHARS_MAX = 120
  return text.replaceAll(/\s+/g, ' ').trim().slice(0, NAME_CHARS_MAX).toWellFormed()
}

/** What stands in the transcript there; null once it is not stored any more. */
async function wordsAt(env: Env, rows: readonly Row[], column: 'turn' | 'reply_turn'): Promise<(string | null)[]> {
  if (rows.length === 0) return []
  const found = await env.db.query<{ id: number; words: string | null }>(
    sql`select q.id, left(r.turns -> q.${sql.identifier(column)} ->> 'text', ${SHOWN_CHARS_MAX}::int) as words
        from connect_voiceai_question q join connect_recording r on r.sid = q.conversation
        where q.id in (${idList(rows.map(({ id }) => id))})`,
  )
  const words = new Map(found.map(({ id, words: text }) => [id, text]))
  return rows.map(({ id }) => words.get(id) ?? null)
}

import { sql } from '../../database/drizzle.ts'
import type { Env } from '../../platform/access/env.ts'
import { notifySomeChanged } from '../../platform/records/notify-changed.ts'
import type { Gap } from '../conversations/unanswered.ts'

/** Questions of one conversation that its agent could not answer. */
export interface UnansweredIn {
  agentUid: string
  call: number
  conversation: string
  gaps: readonly Gap[]
}

/** Lists each question once for its agent; one that was answered and is asked again is open again. */
export async function saveQuestions(env: Env, conversations: readonly UnansweredIn[]): Promise<void> {
  const rows = conversations.flatMap(({ agentUid, call, conversation, gaps }) =>
    gaps.map(({ turn, reply, why, key }) => ({ agent_uid: agentUid, call, conversation, turn, reply, why, key })),
  )
  const once = [...new Map(rows.map((row) => [`${row.agent_uid} ${row.key}`, row])).values()]
  if (once.length === 0) return
  const saved = await env.db.query<{ id: number }>(
    sql`insert into connect_voiceai_question as q (agent, call, conversation, turn, reply_turn, why, key, times, asked_at, state)
        select a.id, g.call, g.conversation, g.turn, g.reply, g.why, a.id || ' ' || g.key, 1, now() at time zone 'utc', 'open'
        from jsonb_to_recordset(${JSON.stringify(once)}::jsonb)
          as g (agent_uid text, call bigint, conversation text, turn int, reply int, why text, key text)
        join connect_voiceai_agent a on a.agent_uid = g.agent_uid
        on conflict (key) do update set call = excluded.call, conversation = excluded.conversation,
          turn = excluded.turn, reply_turn = excluded.reply_turn, why = excluded.why, times = q.times + 1,
          asked_at = excluded.asked_at, state = case q.state when 'dismissed' then 'dismissed' else 'open' end,
          write_date = now() at time zone 'utc', write_uid = null
        returning id`,
  )
  await notifySomeChanged(
    env,
    'connect.voiceai_question',
    saved.map(({ id }) => id),
  )
}

import { contactColumn } from '../../contacts/contact-sql.ts'
import { sql } from '../../database/drizzle.ts'
import { param, type Statement, statement } from '../../database/statement.ts'
import { PHONE_USERS_NOTIFIED } from '../../directory/phone-users.ts'
import type { Env } from '../../platform/access/env.ts'
import {
  changePost,
  deletePosts,
  INSERT_POST,
  type Post,
  type PostParams,
  postParams,
} from '../../platform/chatter/chatter.ts'
import { notifyPeople, takeBack } from '../../platform/notices/notice.ts'
import { publishedTime } from '../../time.ts'
import type { SavedCall } from './call-rows.ts'
import type { CallFacts } from './call-state.ts'
import { humanDuration } from './call-words.ts'

interface UserNames {
  contact: string | null
  dialled: string[] | null
  answered: string | null
  notified: string[] | null
  rung: number[] | null
  is_noticed: boolean
}

const NAMES = statement<UserNames, { call: number }>(
  'call_names',
  sql`select ${contactColumn('name', sql`c.partner`)} as contact, a.name as answered,
        (select array_agg(u.name order by u.name, u.id) from connect_call_called_users_rel r
          join res_users u on u.id = r.user_id where r.call_id = c.id) as dialled,
        (select array_agg(r.user_id) from connect_call_called_users_rel r where r.call_id = c.id) as rung,
        exists (select from connect_notice n where n.res_model = 'connect.call' and n.res_id = c.id) as is_noticed,
        (select array_agg(u.name order by u.name, u.id) from connect_call_called_pbx_users_rel r
          join (${PHONE_USERS_NOTIFIED}) x on x.id = r.pbx_user_id
          join res_users u on u.id = x.login where r.call_id = c.id) as notified
      from connect_call c left join res_users a on a.id = c.answered_user
      where c.id = ${param('call')}`,
)

type NoteColumn = 'register_note' | 'missed_note'

// One round trip: the post, and its id in the call's row.
const POST_NOTE = { register_note: postNote('register_note'), missed_note: postNote('missed_note') }

function postNote(column: NoteColumn): Statement<never, PostParams & { call: number }> {
  return statement(
    `call_${column}`,
    sql`with post as (${INSERT_POST}) update connect_call c set ${sql.identifier(column)} = post.id
        from post where c.id = ${param('call')}::bigint`,
  )
}

const CLEAR_MISSED = statement<never, { call: number }>(
  'call_missed_clear',
  sql`update connect_call set missed_note = null where id = ${param('call')}::bigint`,
)

/**
 * Posts a finished call on its contact, and a missed one on the call itself for those who want to know. Each is
 * posted once; a late callback that changes the facts changes the note.
 */
export async function registerCall(env: Env, call: SavedCall, facts: CallFacts): Promise<void> {
  if (!facts.isFinished) return
  const [names] = await env.db.run(NAMES, { call: call.id })
  if (names === undefined) return
  if (call.partner !== null) {
    const text = registrationText(call.id, facts, names)
    const post: Post = { model: 'res.partner', id: call.partner, text, type: 'notification', subtype: 'note' }
    await savePost(env, call, 'register_note', post)
  }
  await registerMissed(env, call, facts, names.notified ?? [])
  notifyRung(env, call, facts, names)
}

async function registerMissed(env: Env, call: SavedCall, facts: CallFacts, notified: readonly string[]): Promise<void> {
  if (facts.wasMissed && notified.length > 0) {
    const text = `Missed call from ${facts.caller || 'an unknown number'}. For: ${notified.join(', ')}.`
    await savePost(env, call, 'missed_note', { model: 'connect.call', id: call.id, text })
  } else if (call.missed_note !== null) {
    // It was picked up after all, as a late callback says.
    await deletePosts(env, [call.missed_note])
    env.db.send(CLEAR_MISSED, { call: call.id })
  }
}

/** Whose phones rang hears of a call that nobody took; not of one that was picked up after all. */
function notifyRung(env: Env, { id }: SavedCall, facts: CallFacts, { rung, is_noticed: isNoticed }: UserNames): void {
  const about = { kind: 'missed', ref: { model: 'connect.call', id } } as const
  if (facts.wasMissed) notifyPeople(env, { ...about, users: rung ?? [], detail: facts.caller || undefined })
  else if (isNoticed) takeBack(env.db, about)
}

function registrationText(callId: number, facts: CallFacts, { contact, dialled, answered }: UserNames): string {
  const ended = facts.endedAtMs ?? facts.startedAtMs
  const lines = [
    `${capital(facts.direction)} call ${callId}: ${outcomeOf(facts)}`,
    ended === undefined ? '' : `Time: ${publishedTime(new Date(ended))} UTC`,
    `Contact: ${contact ?? ''}`,
    `Caller: ${facts.caller || 'unknown'}`,
    `Called: ${facts.called || 'unknown'}`,
    `Duration: ${humanDuration(facts.duration)}`,
    answered === null ? '' : `Answered by: ${answered}`,
    dialled === null ? '' : `Dialled: ${dialled.join(', ')}`,
  ]
  return lines.filter((line) => line !== '').join('\n')
}

/** Nobody picked up: why, unless it was our own answer (a voicemail, a sentence) that completed the call. */
function outcomeOf({ wasMissed, status }: CallFacts): string {
  if (!wasMissed) return status
  return status === 'completed' ? 'missed' : `missed (${status})`
}

/** Posts, or changes the post that is there: the facts may have changed, and with them whom they are about. */
async function savePost(env: Env, call: SavedCall, column: NoteColumn, post: Post): Promise<void> {
  const known = call[column]
  if (known !== null && (await changePost(env, known, post))) return
  env.db.send(POST_NOTE[column], { ...postParams(env, post), call: call.id })
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

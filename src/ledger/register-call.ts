import { sql } from '../database/drizzle.ts'
import { messagePost, textToHtml } from '../platform/chatter.ts'
import type { Env } from '../platform/env.ts'
import type { KeptCall } from './call-rows.ts'
import type { CallFacts } from './call-state.ts'
import { humanDuration } from './call-words.ts'

/**
 * Notes a finished call with its contact, and a missed one on the call itself for those who want to know. Each is
 * posted once; a late callback that changes the facts changes the note.
 */
export async function registerCall(env: Env, call: KeptCall, facts: CallFacts): Promise<void> {
  if (!facts.isFinished) return
  const names = await userNames(env, call.id)
  if (call.partner !== null) {
    const text = registrationText(call.id, facts, names)
    const note = await postOrChange(env, { model: 'res.partner', id: call.partner, text }, call.register_note)
    if (note !== call.register_note) await keepNote(env, call.id, 'register_note', note)
  }
  await registerMissed(env, call, facts, names)
}

interface UserNames {
  dialled: string[]
  answered: string | null
  notified: string[]
}

async function registerMissed(env: Env, call: KeptCall, facts: CallFacts, names: UserNames): Promise<void> {
  const isWanted = facts.wasMissed && names.notified.length > 0
  if (!isWanted) {
    if (call.missed_note === null) return
    // It was picked up after all, as a late callback says.
    await env.db.query(sql`delete from mail_message where id = ${call.missed_note}::int`)
    await keepNote(env, call.id, 'missed_note', null)
    return
  }
  const text = `Missed call from ${facts.caller || 'an unknown number'}. For: ${names.notified.join(', ')}.`
  const note = await postOrChange(env, { model: 'connect.call', id: call.id, text }, call.missed_note)
  if (note !== call.missed_note) await keepNote(env, call.id, 'missed_note', note)
}

function registrationText(callId: number, facts: CallFacts, { dialled, answered }: UserNames): string {
  const ended = facts.endedAtMs ?? facts.startedAtMs
  const lines = [
    `${capital(facts.direction)} call ${callId}: ${facts.wasMissed ? 'missed' : facts.status}`,
    ended === undefined ? '' : `Time: ${new Date(ended).toISOString().slice(0, 19).replace('T', ' ')} UTC`,
    `Caller: ${facts.caller || 'unknown'}`,
    `Called: ${facts.called || 'unknown'}`,
    `Duration: ${humanDuration(facts.duration)}`,
    answered === null ? '' : `Answered by: ${answered}`,
    dialled.length === 0 ? '' : `Dialled: ${dialled.join(', ')}`,
  ]
  return lines.filter((line) => line !== '').join('\n')
}

async function userNames(env: Env, callId: number): Promise<UserNames> {
  const [row] = await env.db.query<{ dialled: string[] | null; answered: string | null; notified: string[] | null }>(
    sql`select array_agg(u.name order by u.name) as dialled,
          array_agg(u.name order by u.name) filter (where p.missed_calls_notify) as notified,
          (select a.name from connect_call c join res_users a on a.id = c.answered_user where c.id = ${callId}::int) as answered
        from connect_call_called_pbx_users_rel r join connect_user p on p.id = r.pbx_user_id
        join res_users u on u.id = p."user" where r.call_id = ${callId}::int`,
  )
  return { dialled: row?.dialled ?? [], answered: row?.answered ?? null, notified: row?.notified ?? [] }
}

async function postOrChange(
  env: Env,
  { model, id, text }: { model: string; id: number; text: string },
  known: number | null,
): Promise<number> {
  if (known !== null) {
    const changed = await env.db.query(
      sql`update mail_message set body = ${textToHtml(text)} where id = ${known}::int returning id`,
    )
    if (changed.length > 0) return known
  }
  return messagePost(env, { model, id, text, type: 'notification', subtype: 'note' })
}

async function keepNote(
  env: Env,
  callId: number,
  column: 'register_note' | 'missed_note',
  id: number | null,
): Promise<void> {
  await env.db.query(sql`update connect_call set ${sql.identifier(column)} = ${id}::int where id = ${callId}::int`)
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

import { sql } from '../../database/drizzle.ts'
import { listed } from '../../database/listed.ts'
import { param, type Statement, statement } from '../../database/statement.ts'
import { PHONE_USERS_NOTIFIED } from '../../directory/phone-users.ts'
import type { Env } from '../../platform/access/env.ts'
import { addPosts, changePost, deletePosts, type Post } from '../../platform/chatter/chatter.ts'
import { notifyPeople, takeBack } from '../../platform/notices/notice.ts'
import { spokenMoment } from '../../time.ts'
import { isWithheld } from '../../withheld.ts'
import { putThroughInVain, readMissedBefore } from './call-back.ts'
import type { SavedCall } from './call-rows.ts'
import type { CallFacts } from './call-state.ts'
import { humanDuration } from './call-words.ts'
import { tellWaiting } from './tell-waiting.ts'

/** Who is in a call: whom it is to, whose phones rang, who picked up, and who wants to know that nobody did. */
interface UserNames {
  /** Whom the call is to. */
  called: string | null
  dialled: string[] | null
  answered: string | null
  notified: string[] | null
  rung: number[] | null
  is_noticed: boolean
  /** An agent put the caller through to them, and nobody took the call. */
  is_in_vain: boolean
}

/** What a note says besides the call: anyone who reads it may be anywhere, so its time is that of the company. */
type Told = UserNames & { readonly zone: string | null | undefined }

const NO_USERS: UserNames = {
  called: null,
  dialled: null,
  answered: null,
  notified: null,
  rung: null,
  is_noticed: false,
  is_in_vain: false,
}

const NAMES = statement<UserNames & { call: number }, { calls: readonly number[] }>(
  'calls_names',
  sql`select c.id as call, c.called, a.name as answered,
        (select array_agg(u.name order by u.name, u.id) from connect_call_called_users_rel r
          join res_users u on u.id = r.user_id where r.call_id = c.id) as dialled,
        (select array_agg(r.user_id) from connect_call_called_users_rel r where r.call_id = c.id) as rung,
        exists (select from connect_notice n where n.res_model = 'connect.call' and n.res_id = c.id) as is_noticed,
        ${putThroughInVain(sql`c`)} as is_in_vain,
        (select array_agg(u.name order by u.name, u.id) from connect_call_called_pbx_users_rel r
          join (${PHONE_USERS_NOTIFIED}) x on x.id = r.pbx_user_id
          join res_users u on u.id = x.login where r.call_id = c.id) as notified
      from connect_call c left join res_users a on a.id = c.answered_user
      where c.id in ${listed('calls', 'bigint')}`,
)

type NoteColumn = 'register_note' | 'missed_note'

const NAME_NOTES = { register_note: nameNotes('register_note'), missed_note: nameNotes('missed_note') }

function nameNotes(column: NoteColumn): Statement<never, { calls: readonly number[]; notes: readonly number[] }> {
  return statement(
    `calls_${column}`,
    sql`update connect_call c set ${sql.identifier(column)} = noted.note
      from unnest(${param('calls')}::bigint[], ${param('notes')}::bigint[]) as noted (call, note) where c.id = noted.call`,
  )
}

const CLEAR_MISSED = statement<never, { call: number }>(
  'call_missed_clear',
  sql`update connect_call set missed_note = null where id = ${param('call')}::bigint`,
)

/** A call that was saved, and what its legs say. */
interface ToRegister {
  readonly call: SavedCall
  readonly facts: CallFacts
}

/** A post about a call, and where the call's row names it. */
interface Note {
  readonly column: NoteColumn
  readonly call: SavedCall
  readonly post: Post
}

/**
 * Posts each finished call on its contact, and a missed one on the call itself for those who want to know. Each is
 * posted once; a late callback that changes the facts changes the note.
 */
export async function registerCalls(env: Env, saved: readonly ToRegister[]): Promise<void> {
  const ended = saved.filter(({ facts }) => facts.isFinished)
  if (ended.length === 0) return
  const namesOf = await usersIn(env, ended)
  const finished = ended.map(({ call, facts }) => ({
    call,
    facts: { ...facts, wasMissed: facts.wasMissed || rangNobody(facts, namesOf.get(call.id) ?? NO_USERS) },
  }))
  const { zone } = env.settings
  const notes = finished.flatMap(({ call, facts }) =>
    notesOf(call, facts, { ...(namesOf.get(call.id) ?? NO_USERS), zone }),
  )
  for (const { call, facts } of finished) {
    const names = namesOf.get(call.id) ?? NO_USERS
    await clearMissed(env, call, facts, names)
    notifyRung(env, call, facts, names)
  }
  const talked = finished.filter(({ facts }) => !facts.wasMissed).map(({ call }) => call.id)
  readMissedBefore(env, talked)
  tellWaiting(env, talked)
  await saveNotes(env, notes)
}

/** It was for people of whom no phone rings: our own answer alone completed it. */
function rangNobody({ direction, legsOutcome }: CallFacts, { rung }: UserNames): boolean {
  return direction === 'incoming' && legsOutcome === 'ours' && rung !== null
}

/** Nobody took it, or nobody whom an agent put the caller through to. */
function isMissed({ wasMissed }: CallFacts, { is_in_vain: isInVain }: UserNames): boolean {
  return wasMissed || isInVain
}

/** By call. */
async function usersIn({ db }: Env, finished: readonly ToRegister[]): Promise<Map<number, UserNames>> {
  const rows = await db.run(NAMES, { calls: finished.map(({ call }) => call.id) })
  return new Map(rows.map((names) => [names.call, names]))
}

function notesOf(call: SavedCall, facts: CallFacts, names: Told): Note[] {
  const notes: Note[] = []
  if (call.partner !== null) {
    const text = registrationText(call, facts, names)
    const post: Post = { model: 'res.partner', id: call.partner, text, type: 'notification', subtype: 'note' }
    notes.push({ column: 'register_note', call, post })
  }
  const notified = names.notified ?? []
  if (isMissed(facts, names) && notified.length > 0) {
    const text = `Missed call from ${callerWords(facts)}. For: ${notified.join(', ')}.`
    notes.push({ column: 'missed_note', call, post: { model: 'connect.call', id: call.id, text } })
  }
  return notes
}

/** It was picked up after all, as a late callback says. */
async function clearMissed(env: Env, call: SavedCall, facts: CallFacts, names: UserNames): Promise<void> {
  if (call.missed_note === null || (isMissed(facts, names) && names.notified !== null)) return
  await deletePosts(env, [call.missed_note])
  env.db.send(CLEAR_MISSED, { call: call.id })
}

/** Whose phones rang hears of a call that nobody took; not of one that was picked up after all. */
function notifyRung(env: Env, { id, contact }: SavedCall, facts: CallFacts, names: UserNames): void {
  // By the name of the contact, else by the number; of a withheld number nothing is said.
  const caller = contact ?? (isWithheld(facts.caller) ? undefined : facts.caller)
  const about = { kind: 'missed', ref: { model: 'connect.call', id } } as const
  if (isMissed(facts, names)) notifyPeople(env, { ...about, users: names.rung ?? [], detail: caller })
  else if (names.is_noticed) takeBack(env.db, about)
}

function registrationText(call: SavedCall, facts: CallFacts, { called, dialled, answered, zone }: Told): string {
  const ended = facts.endedAtMs ?? facts.startedAtMs
  const lines = [
    `${capital(facts.direction)} call ${call.id}: ${outcomeOf(facts)}`,
    ended === undefined ? '' : `Time: ${spokenMoment(ended, zone)}`,
    `Contact: ${call.contact ?? ''}`,
    `Caller: ${callerWords(facts)}`,
    // Of a call by a click that rang the own phone alone, the row names who was to be called.
    `Called: ${called || facts.called || 'unknown'}`,
    `Duration: ${humanDuration(facts.duration)}`,
    answered === null ? '' : `Answered by: ${answered}`,
    dialled === null ? '' : `Dialled: ${dialled.join(', ')}`,
  ]
  return lines.filter((line) => line !== '').join('\n')
}

/** The number; in words where it is withheld, for the digits that networks send then are nobody's. */
function callerWords({ caller }: CallFacts): string {
  return isWithheld(caller) ? 'a withheld number' : caller
}

/** How a call ended that we made and nobody took, though the phone of the person who made it was answered. */
const NOT_TALKED: Partial<Record<CallFacts['legsOutcome'], string>> = {
  busy: 'busy',
  no_answer: 'no answer',
  failed: 'failed',
  given_up: 'canceled',
}

/** Nobody picked up: why, unless it was our own answer (a voicemail, a sentence) that completed the call. */
function outcomeOf({ wasMissed, status, isBeforeDial, legsOutcome }: CallFacts): string {
  // The own phone of who wanted to call was not picked up: its status would read as the contact's.
  if (isBeforeDial) return 'not made'
  const untaken = status === 'completed' ? NOT_TALKED[legsOutcome] : undefined
  if (!wasMissed) return untaken ?? status.replaceAll('-', ' ')
  return status === 'completed' ? 'missed' : `missed (${status.replaceAll('-', ' ')})`
}

/** Posts, or changes the posts that are there: the facts may have changed, and with them whom they are about. */
async function saveNotes(env: Env, notes: readonly Note[]): Promise<void> {
  const missing: Note[] = []
  for (const note of notes) {
    const known = note.call[note.column]
    if (known === null || !(await changePost(env, known, note.post))) missing.push(note)
  }
  if (missing.length === 0) return
  const ids = await addPosts(
    env,
    missing.map(({ post }) => post),
  )
  const noted = missing.map(({ column, call }, at) => ({ column, call: call.id, note: ids[at] ?? 0 }))
  for (const [column, rows] of Map.groupBy(noted, (row) => row.column)) {
    env.db.send(NAME_NOTES[column], { calls: rows.map(({ call }) => call), notes: rows.map(({ note }) => note) })
  }
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

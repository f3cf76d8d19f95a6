import { contactColumn } from '../../contacts/contact-sql.ts'
import { findContactByNumber } from '../../contacts/find-by-number.ts'
import { sql } from '../../database/drizzle.ts'
import { gathered } from '../../database/gathered.ts'
import { listed } from '../../database/listed.ts'
import { statement } from '../../database/statement.ts'
import type { NamedCall } from '../../deliveries/tools/named-call.ts'
import { VOICE_AGENTS } from '../../directory/voiceai.ts'
import { Refusal } from '../../errors.ts'
import type { Env, ReadEnv } from '../../platform/access/env.ts'
import type { RowOf } from '../../platform/model/model.ts'
import type { PlainCode } from '../../refusals.ts'
import type { callModel } from './call.ts'

/** What the agent of one call may touch: records of its contact, of the contact's company, and those made in the call. */
export interface CallReach {
  /** Undefined when the call that was named does not exist: then there is nothing. */
  call: number | undefined
  contact: number | undefined
  /** The contact, and the company it belongs to. */
  contacts: readonly number[]
  /** The ticket that is linked to the call. */
  ticket: number | undefined
}

type CallRow = RowOf<typeof callModel, 'id' | 'caller' | 'called' | 'direction' | 'ticket' | 'partner'> & {
  company: number | null
  agent: string | null
  caller_user_partner: number | null
}

const FIND = statement<CallRow, { ids: readonly number[] }>(
  'calls_reach',
  sql`select c.id, c.caller, c.called, c.direction, c.ticket, c.partner,
        ${contactColumn('parent_id', sql`c.partner`)} as company,
        u.partner_id as caller_user_partner, (select v.name from ${VOICE_AGENTS} v where v.id = c.voiceai_agent) as agent
      from ${listed('ids', 'bigint')} as wanted (id)
      cross join lateral (select * from connect_call k where k.id = wanted.id limit 1) c
      left join res_users u on u.id = c.caller_user`,
)

const findCall = gathered(async (db, ids: readonly number[]): Promise<(CallRow | undefined)[]> => {
  const calls = await db.run(FIND, { ids: [...new Set(ids)] })
  const byId = new Map(calls.map((call) => [call.id, call]))
  return ids.map((id) => byId.get(id))
})

const NOTHING: CallReach = { call: undefined, contact: undefined, contacts: [], ticket: undefined }

/**
 * What the agent may touch in the call that its request names. Undefined when no call is named, or when the setting
 * `voiceai_tools_open` is on: then tools reach every record. Anyone who is not known reaches only what was made in the call.
 */
export async function findReach(env: ReadEnv, named: NamedCall | undefined): Promise<CallReach | undefined> {
  return named === undefined || env.settings.voiceaiToolsOpen ? undefined : reachOf(env, named)
}

/** The voice agent of the call that is named, by its name: what a tool writes stands under it. */
export async function findAgentOfCall(
  { db }: Pick<ReadEnv, 'db'>,
  named: NamedCall | undefined,
): Promise<string | undefined> {
  const call = named?.id === undefined ? undefined : await findCall(db, named.id)
  return call?.agent ?? undefined
}

/** The same environment, in which what is written stands under the name of the call's agent. */
export async function asAgent(env: Env, named: NamedCall | undefined): Promise<Env> {
  return { ...env, identity: { ...env.identity, agent: await findAgentOfCall(env, named) } }
}

/** The call that a tool is used in and its caller's contact, whatever else tools reach; undefined where there is none. */
export async function findCaller(
  env: ReadEnv,
  named: NamedCall | undefined,
): Promise<Pick<CallReach, 'call' | 'contact'> | undefined> {
  return named === undefined ? undefined : reachOf(env, named)
}

/** The contact of the call that the platform names, for a request without one; refused with the code that fits. */
export async function requireCaller(
  env: ReadEnv,
  named: NamedCall | undefined,
  { unnamed, unknown }: { unnamed: PlainCode; unknown: PlainCode },
): Promise<number> {
  if (named?.isByHeader !== true) throw new Refusal('malformed', unnamed)
  const { contact } = await reachOf(env, named)
  if (contact === undefined) throw new Refusal('not-found', unknown)
  return contact
}

async function reachOf(env: ReadEnv, named: NamedCall): Promise<CallReach> {
  const call = named.id === undefined ? undefined : await findCall(env.db, named.id)
  if (call === undefined) return NOTHING
  const { id, contact, company } = await withContact(env, call)
  const contacts = [contact, company].filter((each) => each !== undefined)
  return { call: id, contact, contacts, ticket: call.ticket ?? undefined }
}

/** Whether a ticket or an event is one that the call reaches. */
export function reachesRecord(
  reach: CallReach,
  { contacts, madeInCall }: { contacts: readonly (number | null)[]; madeInCall: number | null },
): boolean {
  if (reach.call !== undefined && madeInCall === reach.call) return true
  return contacts.some((id) => id !== null && reach.contacts.includes(id))
}

/** Refuses a `call_id` that is not the call in which the platform says the tool is used. */
export function requireOwnCall(env: Pick<ReadEnv, 'settings'>, named: NamedCall | undefined, callId: number): void {
  if (named?.isByHeader !== true || named.id === callId || env.settings.voiceaiToolsOpen) return
  throw new Refusal('not-found', 'api-call-not-call-we', { callid: callId })
}

/** As the agent was told whom it speaks with: the call's contact, else the one with the number, else the colleague. */
async function withContact(
  env: ReadEnv,
  { id, partner, company, direction, caller, called, caller_user_partner: colleague }: CallRow,
): Promise<{ id: number; contact: number | undefined; company: number | undefined }> {
  if (partner !== null) return { id, contact: partner, company: company ?? undefined }
  const number = direction === 'outgoing' ? called : caller
  const found = await findContactByNumber(env.db, number, env.settings.country)
  if (found !== undefined) return { id, contact: found.id, company: found.parent_id ?? undefined }
  return { id, contact: direction === 'internal' ? (colleague ?? undefined) : undefined, company: undefined }
}

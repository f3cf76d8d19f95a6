import { sql } from '../../../database/drizzle.ts'
import { param, statement } from '../../../database/statement.ts'
import { usernameOf } from '../../../ledger/legs/party.ts'
import type { Env } from '../../../platform/access/env.ts'
import { sipHost } from '../../client/hosts.ts'
import type { SpeechOptions } from '../../markup/voice.ts'
import type { Rendering, RoutedCall } from '../rendering.ts'

/** Who calls, as far as it is one of us, and whom the ledger takes the other side for. */
export interface Parties {
  readonly caller: CallingUser | undefined
  readonly defaultCallerId: string | undefined
  readonly partner: { readonly id: number; readonly name: string } | undefined
  /** The login that the ledger's call was made by. */
  readonly loginName: string | undefined
}

/** A phone user of ours who is calling. */
export interface CallingUser {
  readonly name: string
  readonly extension: string | undefined
  readonly outgoingCallerId: string | undefined
  readonly defaultCallerId: string | undefined
  /** `username@host`, when the user has both. */
  readonly address: string | undefined
  readonly recordsCalls: boolean
  readonly speech: SpeechOptions
}

interface PartiesRow {
  user_id: number | null
  name: string | null
  username: string | null
  subdomain: string | null
  extension: string | null
  own_callerid: string | null
  record_calls: boolean | null
  language: string | null
  voice: string | null
  default_callerid: string | null
  partner_id: number | null
  partner_name: string | null
  login_name: string | null
}

const DEFAULT_CALLER_ID = sql`(select number from connect_telco_outgoing_callerid where is_default order by id limit 1)`

const PARTIES = statement<PartiesRow, { username: string | null; call: number | null }>(
  'routing_parties',
  sql`select u.id as user_id, u.name, u.username, d.subdomain, e.number as extension, o.number as own_callerid, u.record_calls,
        u.language, u.voice,
        ${DEFAULT_CALLER_ID} as default_callerid, p.id as partner_id, p.name as partner_name, l.name as login_name
      from (select 1) one
      left join connect_user u on u.username = ${param('username')} and u.active is not false
      left join connect_telco_domain d on d.id = u.domain
      left join connect_telco_exten e on e.id = u.telco_exten
      left join connect_telco_outgoing_callerid o on o.id = u.telco_outgoing_callerid and o.status is distinct from 'validation failed'
      left join connect_call c on c.id = ${param('call')}
      left join res_partner p on p.id = c.partner
      left join res_users l on l.id = c.caller_user`,
)

export async function findParties({ db }: Pick<Env, 'db'>, call: RoutedCall): Promise<Parties> {
  const [row] = await db.run(PARTIES, { username: usernameOf(call.caller) ?? null, call: call.callId ?? null })
  const defaultCallerId = row?.default_callerid ?? undefined
  return {
    caller: row?.user_id == null ? undefined : callingUser(row),
    defaultCallerId,
    partner: row?.partner_id == null ? undefined : { id: row.partner_id, name: row.partner_name ?? '' },
    loginName: row?.login_name ?? undefined,
  }
}

/** How the colleague speaks who is calling; undefined for a stranger. */
export async function callerSpeech({ env, call }: Rendering): Promise<SpeechOptions | undefined> {
  return usernameOf(call.caller) === undefined ? undefined : (await findParties(env, call)).caller?.speech
}

function callingUser(row: PartiesRow): CallingUser {
  return {
    name: row.name ?? '',
    extension: row.extension ?? undefined,
    outgoingCallerId: row.own_callerid ?? undefined,
    defaultCallerId: row.default_callerid ?? undefined,
    address: row.username && row.subdomain ? `${row.username}@${sipHost(row.subdomain)}` : undefined,
    recordsCalls: row.record_calls === true,
    speech: { language: row.language ?? undefined, voice: row.voice ?? undefined },
  }
}

/**
 * The caller id that a user presents to colleagues (docs/reference/domain.md#caller-id-of-a-user). Empty only for one
 * who cannot register.
 */
export function callerIdOf(
  user: Pick<CallingUser, 'extension' | 'outgoingCallerId' | 'defaultCallerId' | 'address'>,
): string {
  const { extension, outgoingCallerId, defaultCallerId, address } = user
  return extension || outgoingCallerId || defaultCallerId || (address === undefined ? '' : `client:${address}`)
}

/** What the provider has for a withheld number, and shows in the place of what it could not carry. */
export const ANONYMOUS = 'anonymous'

// A blank or quote in a caller id makes the provider refuse the whole dial.
const CARRIED = /^(?:(?:sips?|client):)?[\w+.@:;=-]{1,255}$/i

/** What a called phone shows as the caller; never empty, or the provider puts in a number of its choice. */
export function shownCaller(caller: string, parties: Parties): string {
  const own = parties.caller === undefined ? caller : callerIdOf(parties.caller)
  return CARRIED.test(own) ? own : ANONYMOUS
}

/** The name that a called phone shows, when there is one. */
export function callerName({ caller, partner, loginName }: Parties): string | undefined {
  return caller?.name || partner?.name || loginName
}

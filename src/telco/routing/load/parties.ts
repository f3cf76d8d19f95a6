import { sql } from '../../../database/drizzle.ts'
import { limitOfRows } from '../../../database/listed.ts'
import { param, statement } from '../../../database/statement.ts'
import { usernameOf } from '../../../ledger/legs/party.ts'
import type { Env } from '../../../platform/access/env.ts'
import { phoneAddress } from '../../client/hosts.ts'
import type { RoutedCall } from '../decide/context.ts'
import type { CallingUser, Parties } from '../decide/loaded.ts'

interface PartiesRow {
  at: number
  user_id: number | null
  login: number | null
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

const PARTIES = statement<PartiesRow, { usernames: readonly (string | null)[]; calls: readonly (number | null)[] }>(
  'routing_parties',
  sql`select wanted.at::int as at, u.id as user_id, u."user" as login, u.name, u.username, d.subdomain, e.number as extension, o.number as own_callerid, u.record_calls,
        u.language, u.voice,
        ${DEFAULT_CALLER_ID} as default_callerid, p.id as partner_id, p.name as partner_name, l.name as login_name
      from (select * from unnest(${param('usernames')}::text[], ${param('calls')}::bigint[]) with ordinality ${limitOfRows()})
        as wanted (username, call, at)
      left join connect_user u on u.username = wanted.username and u.active is not false
      left join connect_telco_domain d on d.id = u.domain
      left join connect_telco_exten e on e.id = u.telco_exten
      left join connect_telco_outgoing_callerid o on o.id = u.telco_outgoing_callerid and o.status is distinct from 'validation failed'
      left join connect_call c on c.id = wanted.call
      left join res_partner p on p.id = c.partner
      left join res_users l on l.id = c.caller_user`,
)

/** The parties of each call, in the order given. */
export async function findParties(
  { db }: Pick<Env, 'db'>,
  calls: readonly Pick<RoutedCall, 'caller' | 'callId'>[],
): Promise<Parties[]> {
  const rows = await db.run(PARTIES, {
    usernames: calls.map(({ caller }) => usernameOf(caller) ?? null),
    calls: calls.map(({ callId }) => callId ?? null),
  })
  const byPlace = new Map(rows.map((row) => [row.at, row]))
  return calls.map((_call, at) => toParties(byPlace.get(at + 1)))
}

function toParties(row: PartiesRow | undefined): Parties {
  return {
    caller: row?.user_id == null ? undefined : callingUser(row),
    defaultCallerId: row?.default_callerid ?? undefined,
    partner: row?.partner_id == null ? undefined : { id: row.partner_id, name: row.partner_name ?? '' },
    loginName: row?.login_name ?? undefined,
  }
}

function callingUser(row: PartiesRow): CallingUser {
  return {
    login: row.login ?? undefined,
    name: row.name ?? '',
    extension: row.extension ?? undefined,
    outgoingCallerId: row.own_callerid ?? undefined,
    defaultCallerId: row.default_callerid ?? undefined,
    address: phoneAddress(row),
    recordsCalls: row.record_calls === true,
    speech: { language: row.language ?? undefined, voice: row.voice ?? undefined },
  }
}

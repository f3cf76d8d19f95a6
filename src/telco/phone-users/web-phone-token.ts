import { Type } from 'typebox'
import { sql } from '../../database/drizzle.ts'
import { param, statement } from '../../database/statement.ts'
import type { Env } from '../../platform/access/env.ts'
import { GROUP } from '../../platform/access/identity.ts'
import { type OutsideMethod, outsideMethod } from '../../platform/model/model.ts'
import { callerIdOf } from '../routing/decide/caller-id.ts'
import { findOwnPhone, findOwnPhoneId } from './own-phone.ts'

const TOKEN_SECONDS = 3_600

const WEB_PHONE = statement<
  { client_enabled: boolean | null; edge: string; application: string | null },
  { id: number }
>(
  'web_phone',
  sql`select u.client_enabled, u.telco_edge as edge, m.sid as application from connect_user u
      left join connect_telco_domain d on d.id = u.domain
      left join connect_telco_markup m on m.id = coalesce(u.application, d.application)
      where u.id = ${param('id')}`,
)

const WebPhoneReply = Type.Union([
  Type.Object({ token: Type.Literal(false) }),
  Type.Object({
    token: Type.String(),
    identity: Type.String(),
    expires_in: Type.Integer({ description: 'Seconds.' }),
    edge: Type.Union([Type.String(), Type.Null()]),
    record_calls: Type.Boolean(),
    extension: Type.Union([Type.String(), Type.Null()]),
    caller_id: Type.Union([Type.String(), Type.Null()]),
  }),
])

/** What the web phone of the caller signs in with; `{token: false}` for somebody who has none. */
export const webPhoneToken: OutsideMethod = outsideMethod({
  label: 'Sign in the web phone',
  reply: WebPhoneReply,
  operation: 'any',
  async runOutside(open) {
    const phone = await open(findWebPhone)
    if (phone === undefined) return { token: false }
    const { account, key, secret, region, grant, ...shown } = phone
    return { token: await signToken({ account, key, secret, region, identity: shown.identity, grant }), ...shown }
  },
})

type WebPhone = NonNullable<Awaited<ReturnType<typeof findWebPhone>>>

async function findWebPhone(env: Env) {
  const { groups } = env.identity
  const { accountSid: account, telcoApiKey: key, telcoApiSecret: secret, telcoRegion: region } = env.settings
  const isConnected = groups.has(GROUP.connectUser) || groups.has(GROUP.connectAdmin)
  if (!isConnected || !account || !key || !secret) return undefined
  const id = await findOwnPhoneId(env)
  const phone = id === undefined ? undefined : await findOwnPhone(env, id)
  if (id === undefined || phone?.ringing.address === undefined) return undefined
  const [row] = await env.db.run(WEB_PHONE, { id })
  if (row?.client_enabled !== true) return undefined
  return {
    account,
    key,
    secret,
    region,
    grant: { incomingAllow: true, ...(row.application ? { outgoingApplicationSid: row.application } : {}) },
    identity: phone.ringing.address,
    expires_in: TOKEN_SECONDS,
    edge: row.edge,
    record_calls: phone.calling.recordsCalls,
    extension: phone.calling.extension ?? null,
    caller_id: callerIdOf(phone.calling),
  }
}

type Signed = Pick<WebPhone, 'account' | 'key' | 'secret' | 'region' | 'identity' | 'grant'>

/**
 * The provider's own code signs it; that is loaded when the first web phone signs in. The region stands in the token's
 * header as `twr`, without which a browser phone registers in us1, where calls of another region never arrive
 * (https://www.twilio.com/docs/global-infrastructure/use-the-programmable-voice-javascript-sdk-with-a-non-us-twilio-region).
 */
async function signToken({ account, key, secret, region, identity, grant }: Signed): Promise<string> {
  const { default: AccessToken } = await import('twilio/lib/jwt/AccessToken.js')
  const token = new AccessToken(account, key, secret, { identity, region, ttl: TOKEN_SECONDS })
  token.addGrant(new AccessToken.VoiceGrant(grant))
  return token.toJwt()
}

import type { FastifyInstance } from 'fastify'
import { type Static, Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { sql } from '../../database/drizzle.ts'
import { Refusal } from '../../errors.ts'
import { elevated } from '../access/env.ts'
import { NOBODY } from '../access/identity.ts'
import { type ApiOperation, jsonBody } from '../api/api-operation.ts'
import { ERROR_REPLIES } from '../api/openapi-replies.ts'
import { envOf } from '../api/rpc.ts'
import { type ApiParts, answerJsonErrors } from '../api/rpc-routes.ts'
import { records } from '../records/records.ts'
import { endKeys } from './api-keys.ts'
import { refuseOtherPages } from './authenticate.ts'
import { findOpenLink, type OpenLink, useLink } from './invitation.ts'
import type { MeParts } from './me.ts'

/** Longer ones are not ours, and are not looked up. */
const TOKEN_CHARS_MAX = 200
const TEXT_CHARS_MAX = 200
/** More than a password may have, so that the sentence is the one of passwords. */
const PASSWORD_CHARS_MAX = 10_000

const Nullable = Type.Union([Type.String({ maxLength: TEXT_CHARS_MAX }), Type.Null()])
const Named = Type.Object({ token: Type.String({ description: 'What stands behind `#token=` in the link.' }) })
const Acceptance = Type.Object({
  ...Named.properties,
  password: Type.String({ maxLength: PASSWORD_CHARS_MAX }),
  end_keys: Type.Optional(Type.Boolean()),
  tz: Type.Optional(Nullable),
  lang: Type.Optional(Nullable),
})
const Invitation = Type.Object({
  kind: Type.Union([Type.Literal('invitation'), Type.Literal('reset')]),
  name: Type.String(),
  login: Type.String(),
  tz: Nullable,
  lang: Nullable,
  groups: Type.Array(Type.String()),
  expires_at: Type.String(),
})
const Accepted = Type.Object({ login: Type.String() })
const checkAcceptance = Compile(Acceptance)
const checkNamed = Compile(Named)
const PATH = '/api/invitation'

type Parts = ApiParts & Pick<MeParts, 'findUserFacts'>

/**
 * Who is invited by a link, and what they answer: a password, and in which zone and language they live. The token comes in the
 * body, so that no address has it, and nothing that looks at addresses uses it up.
 */
export function invitationRoutes(app: FastifyInstance, parts: Parts): void {
  app.register((scope, _options, done) => {
    answerJsonErrors(scope, parts.platform)
    scope.post(PATH, { onRequest: refuseOtherPages }, async (request, reply) => {
      reply.header('cache-control', 'no-store')
      return describeLink(parts, await requireLink(parts, request.body))
    })
    scope.post(`${PATH}/accept`, { onRequest: refuseOtherPages }, async (request) => {
      const link = await requireLink(parts, request.body)
      if (!checkAcceptance.Check(request.body)) throw new Refusal('refused', 'api-send-password-tz-lang')
      await accept(parts, link, request.body)
      return { login: link.login }
    })
    done()
  })
}

async function requireLink({ db, platform }: ApiParts, body: unknown): Promise<OpenLink> {
  if (!checkNamed.Check(body)) throw new Refusal('refused', 'api-send-token')
  const { token } = body
  const link = token.length > TOKEN_CHARS_MAX ? undefined : await findOpenLink(db, token, platform.clock())
  if (link === undefined) throw new Refusal('not-found', 'invitation-over')
  return link
}

async function describeLink({ db, findUserFacts }: Parts, link: OpenLink): Promise<Static<typeof Invitation>> {
  const { kind, login, expires_at: end, user_id: userId } = link
  const { name, tz, lang } = await findUserFacts(db, userId)
  const groups = await db.query<{ external_id: string }>(
    sql`select g.external_id from res_groups_users_rel r join res_groups g on g.id = r.group_id
        where r.user_id = ${userId}::bigint order by g.external_id`,
  )
  return { kind, name, login, tz, lang, groups: groups.map((each) => each.external_id), expires_at: end }
}

/** The link is the authority for these values of its user, and for nothing else. A refused password leaves it open. */
async function accept(
  { platform, db }: ApiParts,
  { id, user_id: userId, partner_id: contact }: OpenLink,
  { password, tz, lang, end_keys: endsKeys = false }: Static<typeof Acceptance>,
): Promise<void> {
  const settings = await platform.settings.get()
  await db.transaction(async (tx) => {
    if (!(await useLink(tx, id, platform.clock()))) throw new Refusal('not-found', 'invitation-over')
    const env = elevated(envOf({ platform, settings, identity: { ...NOBODY, userId } }, tx))
    await records(env, 'res.users').write([userId], { password })
    if (endsKeys) await endKeys(tx, userId)
    const place = { ...(tz ? { tz } : {}), ...(lang ? { lang } : {}) }
    if (contact !== null && Object.keys(place).length > 0) await records(env, 'res.partner').write([contact], place)
  })
}

const described = { tag: 'sign-in', proof: 'nobody', method: 'post', others: ERROR_REPLIES } as const

/** These routes, as the API document shows them. */
export const INVITATION_OPERATIONS: readonly ApiOperation[] = [
  {
    ...described,
    path: PATH,
    id: 'invitation',
    summary: 'Whom a link invites, or lets choose a new password; this does not use it up',
    request: jsonBody(Named),
    reply: jsonBody(Invitation),
  },
  {
    ...described,
    path: `${PATH}/accept`,
    id: 'accept_invitation',
    summary: 'Choose the password, once; sign in with it afterwards',
    request: jsonBody(Acceptance),
    reply: jsonBody(Accepted),
  },
]

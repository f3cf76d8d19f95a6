import type { FastifyInstance } from 'fastify'
import type { Static } from 'typebox'
import { Compile } from 'typebox/compile'
import { sql } from '../../database/drizzle.ts'
import { Refusal } from '../../errors.ts'
import { elevated } from '../access/env.ts'
import { GROUP, NOBODY } from '../access/identity.ts'
import { envOf } from '../api/rpc.ts'
import { type ApiParts, answerJsonErrors } from '../api/rpc-routes.ts'
import { records } from '../records/records.ts'
import { equalInConstantTime } from '../secrets/secrets.ts'
import { isSetUp } from '../settings/set-up.ts'
import { endKeys } from './api-keys.ts'
import { authenticatePerson, refuseOtherPages, requireOwnPage, Senders } from './authenticate.ts'
import { dropCookie, readCookie } from './cookies.ts'
import { describeMe, type MeParts } from './me.ts'
import { whoCanHelp } from './membership.ts'
import { openSession } from './open-session.ts'
import { SignIn } from './passwords/sign-in.ts'
import { secondFactorOf } from './second-factor/second-factor.ts'
import { secondFactorRoutes } from './second-factor/second-factor-routes.ts'
import { sealTicket } from './second-factor/ticket.ts'
import { Credentials, FirstAdministrator, PasswordChange, type SignInFacts } from './session-operations.ts'
import { endSession, proofOf } from './sessions.ts'
import { hasSingleSignOn } from './sign-in-settings.ts'
import { signOnRoutes } from './single-sign-on/sign-on-routes.ts'

const checkChange = Compile(PasswordChange)
const checkCredentials = Compile(Credentials)
const checkFirst = Compile(FirstAdministrator)

/** Groups that are for machines, not for a person. */
const MACHINE_GROUPS = [GROUP.webhook, GROUP.public]

/** Sign-in, sign-out, who am I, and the one-time creation of the first administrator. */
export function sessionRoutes(app: FastifyInstance, parts: ApiParts & MeParts): void {
  const signIn = new SignIn(parts.platform.clock)
  const owners = new Senders((request) => authenticatePerson(parts.identities, request))
  app.register((scope, _options, done) => {
    answerJsonErrors(scope, parts.platform)
    scope.get('/api/sign-in', async (_request, reply) => {
      reply.header('cache-control', 'no-store')
      return describeSignIn(parts)
    })
    scope.post('/api/sign-in', { onRequest: refuseOtherPages }, async (request, reply) => {
      if (!checkCredentials.Check(request.body)) throw new Refusal('refused', 'api-send-login-password')
      const { login, password } = request.body
      const signedIn = await signIn.verify(parts.db, { login, password, address: request.ip })
      const { isOn } = await secondFactorOf(parts.db, signedIn.userId)
      if (isOn) return { second_factor: true, ticket: sealTicket(parts.platform, signedIn) }
      await openSession(parts, request, reply, signedIn)
      return { id: signedIn.userId }
    })
    secondFactorRoutes(scope, parts, signIn)
    signOnRoutes(scope, parts, signIn)
    scope.post('/api/sign-out', async (request, reply) => {
      const token = readCookie(request, 'connect_session')
      if (token !== undefined) {
        requireOwnPage(request)
        await endSession(parts.db, token)
      }
      dropCookie(request, reply, 'connect_session')
      return { ok: true }
    })
    scope.post('/api/password', { onRequest: owners.onRequest }, async (request, reply) => {
      const { userId, login, via } = owners.of(request)
      if (!checkChange.Check(request.body)) throw new Refusal('refused', 'api-send-current-next')
      const { current, next, end_keys: endsKeys = false } = request.body
      await signIn.verifyOwn(parts.db, { login, password: current, address: request.ip })
      // A key is no person in front of a page, whatever cookie comes with it; and a session proves what the one before did.
      const proved = via?.kind === 'page' ? await proofOf(parts.db, via.session) : undefined
      const { ended, left } = await changePassword(parts, { userId, password: next, endsKeys })
      if (proved !== undefined) await openSession(parts, request, reply, { userId, ...proved })
      return { id: userId, keys_ended: ended, keys_left: left }
    })
    scope.get('/api/me', async (request) => {
      const identity = await authenticatePerson(parts.identities, request)
      return describeMe(
        parts,
        identity,
        request.headers.authorization ? undefined : readCookie(request, 'connect_session'),
      )
    })
    scope.get('/api/who-can-help', async (request, reply) => {
      await authenticatePerson(parts.identities, request)
      reply.header('cache-control', 'no-store')
      return whoCanHelp(parts.db)
    })
    scope.post('/api/setup', { onRequest: refuseOtherPages }, async (request, reply) => {
      if (!checkFirst.Check(request.body)) throw new Refusal('refused', 'api-send-token-name-login-password')
      const userId = await createFirstAdministrator(parts, request.body)
      await openSession(parts, request, reply, { userId })
      return { id: userId }
    })
    done()
  })
}

/** The token of the one-time link; the same in every process that holds the secret key. */
export function setupToken({ platform }: Pick<ApiParts, 'platform'>): string {
  return platform.cipher.derive('first administrator')
}

/** Gives a person a new password, which ends all of their sessions, and their keys where they want that. */
async function changePassword(
  { platform, db }: ApiParts,
  { userId, password, endsKeys }: { userId: number; password: string; endsKeys: boolean },
): Promise<{ ended: number; left: number }> {
  const settings = await platform.settings.get()
  return db.transaction(async (tx) => {
    // Elevated: their own password is all that this writes, and they have just proved that they know it.
    const env = elevated(envOf({ platform, settings, identity: { ...NOBODY, userId } }, tx))
    await records(env, 'res.users').write([userId], { password })
    const ended = endsKeys ? await endKeys(tx, userId) : 0
    const left = await tx.query(sql`select 1 from res_users_apikeys where user_id = ${userId}::bigint`)
    return { ended, left: left.length }
  })
}

async function describeSignIn({ platform, db }: ApiParts): Promise<Static<typeof SignInFacts>> {
  const settings = await platform.settings.get()
  const { ssoIssuer, ssoLabel } = settings
  return {
    is_set_up: await isSetUp(db),
    sso: hasSingleSignOn(settings) ? { label: ssoLabel ?? new URL(ssoIssuer ?? '').hostname } : null,
    name: settings.companyName ?? null,
  }
}

async function createFirstAdministrator(
  parts: ApiParts,
  { token, name, login, password }: Static<typeof FirstAdministrator>,
): Promise<number> {
  if (!equalInConstantTime(token, setupToken(parts))) {
    throw new Refusal('forbidden', 'link-not-valid-service-prints-when')
  }
  const { platform, db, identities } = parts
  const webhook = await identities.webhook()
  const settings = await platform.settings.get()
  return db.transaction(async (tx) => {
    // Two people with the link at once: the second waits here and then finds the first one.
    await tx.query(sql`select id from connect_settings order by id limit 1 for update`)
    if (await isSetUp(tx)) throw new Refusal('conflict', 'administrator-already-link-has-been-used')
    // Nobody is signed in yet: the one-time link is the authority for this one record.
    const env = elevated(envOf({ platform, settings, identity: { ...webhook, userId: 0 } }, tx))
    const groups = await tx.query<{ id: number }>(
      sql`select id from res_groups where external_id not in (${sql.join(
        MACHINE_GROUPS.map((each) => sql`${each}`),
        sql`, `,
      )})`,
    )
    const [id] = await records(env, 'res.users').create([
      { name, login, password, group_ids: groups.map((group) => group.id) },
    ])
    if (id === undefined) throw new Error('the administrator was not created')
    return id
  })
}

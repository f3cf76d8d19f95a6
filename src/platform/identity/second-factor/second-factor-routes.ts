import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type Static, type TObject, Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { Refusal } from '../../../errors.ts'
import type { Env } from '../../access/env.ts'
import type { Identity } from '../../access/identity.ts'
import { type ApiOperation, jsonBody } from '../../api/api-operation.ts'
import { ERROR_REPLIES } from '../../api/openapi-replies.ts'
import { envOf } from '../../api/rpc.ts'
import type { ApiParts } from '../../api/rpc-routes.ts'
import { authenticatePerson, refuseOtherPages, Senders } from '../authenticate.ts'
import { openSession } from '../open-session.ts'
import { type AttemptLimits, Attempts } from '../passwords/attempts.ts'
import { isKnownThere } from '../passwords/known-networks.ts'
import type { SignedIn, SignIn } from '../passwords/sign-in.ts'
import { isOfNow } from '../ways-in.ts'
import { otpauthAddress } from './one-time-codes.ts'
import { beginSecondFactor, confirmSecondFactor, removeFactors, useCode } from './second-factor.ts'
import { openTicket } from './ticket.ts'

/** Fewer than for passwords: a code has six digits, and only the person who knows the password comes here. */
const ATTEMPTS_MAX: AttemptLimits = { both: 10, network: 50, login: 20, all: 1_000 }
const TEXT_CHARS_MAX = 1_000
const CODE_CHARS_MAX = 40
/** What authenticators show while no company has a name. */
const ISSUER = 'Connect'

const Code = Type.Object({ code: Type.String({ minLength: 1, maxLength: CODE_CHARS_MAX }) })
const SecondStep = Type.Object({
  ticket: Type.String({ minLength: 1, maxLength: TEXT_CHARS_MAX }),
  ...Code.properties,
})
const Password = Type.Object({ password: Type.String({ minLength: 1, maxLength: TEXT_CHARS_MAX }) })
const Begun = Type.Object({
  secret: Type.String(),
  otpauth: Type.String({ description: 'What the QR code says.' }),
})
const RecoveryCodes = Type.Object({ recovery_codes: Type.Array(Type.String()) })

const [checkSecond, checkCode, checkPassword] = [Compile(SecondStep), Compile(Code), Compile(Password)]

/** The second step of a sign-in, and how somebody sets one up for themselves or takes it away. */
export function secondFactorRoutes(app: FastifyInstance, parts: ApiParts, signIn: SignIn): void {
  const attempts = new Attempts(parts.platform.clock, ATTEMPTS_MAX)
  const owners = new Senders((request) => requirePage(parts, request))
  const { onRequest } = owners
  app.post('/api/sign-in/second', { onRequest: refuseOtherPages }, async (request, reply) => {
    if (!checkSecond.Check(request.body)) throw new Refusal('refused', 'api-send-ticket-code')
    const signedIn = await secondStep(parts, attempts, { ...request.body, address: request.ip })
    await openSession(parts, request, reply, { ...signedIn, hasSecondFactor: true })
    return { id: signedIn.userId }
  })
  app.post('/api/totp/begin', { onRequest }, async (request, reply) => {
    const identity = owners.of(request)
    if (!checkPassword.Check(request.body)) throw new Refusal('refused', 'api-send-password')
    await signIn.verifyOwn(parts.db, { ...request.body, login: identity.login, address: request.ip })
    const secret = await inTransaction(parts, identity, beginSecondFactor)
    if (secret === undefined) throw new Refusal('conflict', 'second-factor-on')
    const { companyName: issuer = ISSUER } = await parts.platform.settings.get()
    reply.header('cache-control', 'no-store')
    return { secret, otpauth: await otpauthAddress(secret, { issuer, label: identity.login }) }
  })
  app.post('/api/totp/confirm', { onRequest }, async (request, reply) => {
    const identity = owners.of(request)
    if (!checkCode.Check(request.body)) throw new Refusal('refused', 'api-send-code')
    const { code } = request.body
    const succeed = await beginGuess(parts, attempts, identity, request.ip)
    const codes = await inTransaction(parts, identity, (env) => confirmSecondFactor(env, code))
    if (codes === undefined) throw new Refusal('refused', 'wrong-code')
    succeed()
    reply.header('cache-control', 'no-store')
    return { recovery_codes: codes }
  })
  app.post('/api/totp/remove', { onRequest }, async (request) => {
    const identity = owners.of(request)
    if (!checkPassword.Check(request.body)) throw new Refusal('refused', 'api-send-password')
    await signIn.verifyOwn(parts.db, { ...request.body, login: identity.login, address: request.ip })
    return { removed: await inTransaction(parts, identity, (env) => removeFactors(env, [identity.userId])) }
  })
}

async function secondStep(
  parts: ApiParts,
  attempts: Attempts,
  { ticket, code, address }: Static<typeof SecondStep> & { address: string },
): Promise<SignedIn> {
  const signedIn = openTicket(parts.platform, ticket)
  const identity = signedIn && (await parts.identities.byId(signedIn.userId))
  if (signedIn === undefined || identity === undefined || !(await isOfNow(parts.db, signedIn)))
    throw new Refusal('unauthorized', 'sign-in-took-too-long')
  const succeed = await beginGuess(parts, attempts, identity, address)
  if (!(await useCode(parts, { userId: identity.userId, code })))
    throw new Refusal('unauthorized', 'code-wrong-or-used')
  succeed()
  return signedIn
}

/** Counts a code, before it is looked at. */
async function beginGuess(
  { db, platform }: ApiParts,
  attempts: Attempts,
  { userId, login }: Identity,
  address: string,
): Promise<() => void> {
  const isKnown = await isKnownThere(db, { userId, address, now: platform.clock() })
  return attempts.begin({ login, address, isKnownThere: isKnown })
}

/** A key is no person in front of a page. */
async function requirePage({ identities }: ApiParts, request: FastifyRequest): Promise<Identity> {
  const identity = await authenticatePerson(identities, request)
  if (identity.via?.kind === 'page') return identity
  throw new Refusal('forbidden', 'second-factor-in-browser')
}

async function inTransaction<Result>(
  { platform, db }: ApiParts,
  identity: Identity,
  work: (env: Env) => Promise<Result>,
): Promise<Result> {
  const settings = await platform.settings.get()
  return db.transaction((tx) => work(envOf({ platform, settings, identity }, tx)))
}

const described = { tag: 'sign-in', method: 'post', others: ERROR_REPLIES } as const
const own = (id: string, summary: string, reply: TObject, request?: TObject): ApiOperation => ({
  ...described,
  proof: 'key',
  path: `/api/totp/${id}`,
  id: `totp_${id}`,
  summary,
  ...(request === undefined ? {} : { request: jsonBody(request) }),
  reply: jsonBody(reply),
})

/** These routes, as the API document shows them. */
export const SECOND_FACTOR_OPERATIONS: readonly ApiOperation[] = [
  {
    ...described,
    proof: 'nobody',
    path: '/api/sign-in/second',
    id: 'sign_in_second',
    summary: 'Second step of a sign-in: a code of the authenticator, or a recovery code, each for one time',
    request: jsonBody(SecondStep),
    reply: jsonBody(Type.Object({ id: Type.Integer() })),
  },
  own('begin', 'A secret for an authenticator, shown once; it counts when it is confirmed', Begun, Password),
  own(
    'confirm',
    'Confirm the secret by a code of it; the recovery codes are shown once, and the other sessions end',
    RecoveryCodes,
    Code,
  ),
  own('remove', 'Take the own second factor away', Type.Object({ removed: Type.Integer() }), Password),
]

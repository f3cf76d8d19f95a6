import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Configuration, IDToken } from 'openid-client'
import { Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { asError, Refusal } from '../../../errors.ts'
import { elevated } from '../../access/env.ts'
import { NOBODY } from '../../access/identity.ts'
import { type ApiOperation, jsonBody } from '../../api/api-operation.ts'
import { ERROR_REPLIES } from '../../api/openapi-replies.ts'
import { envOf } from '../../api/rpc.ts'
import type { ApiParts } from '../../api/rpc-routes.ts'
import { equalInConstantTime } from '../../secrets/secrets.ts'
import { authenticate, refuseLookers, Senders } from '../authenticate.ts'
import { dropCookie, giveCookie, readCookie } from '../cookies.ts'
import { openSession } from '../open-session.ts'
import { ownPath } from '../own-path.ts'
import type { SignIn } from '../passwords/sign-in.ts'
import { isSessionOf } from '../sessions.ts'
import { loadClient, Provider } from './provider.ts'
import { openState, type SignOnState, STATE_SECONDS, sealState } from './sign-on-state.ts'
import { type Claims, findOrCreate, linkPerson, type SignOnProblem } from './who-signs-on.ts'

const PATH = '/api/sso'
const CALLBACK = `${PATH}/callback`
const PASSWORD_CHARS_MAX = 200

const Password = Type.Object({ password: Type.String({ minLength: 1, maxLength: PASSWORD_CHARS_MAX }) })
const checkPassword = Compile(Password)

/** Words in the address of the sign-in page, which has the sentences. */
type Problem = SignOnProblem | 'over' | 'declined' | 'failed' | 'unreachable' | 'off'

/** Sign-in at an OpenID provider: the browser is sent there, and comes back with a code. */
export function signOnRoutes(app: FastifyInstance, parts: ApiParts, signIn: SignIn): void {
  const provider = new Provider(parts.platform)
  app.get<{ Querystring: { next?: unknown } }>(`${PATH}/start`, async (request, reply) => {
    const { next } = request.query
    const address = await begin(parts, { provider, request, reply }, { next: ownPath(next) })
    return reply.redirect(typeof address === 'string' ? address : pageOf(address.problem))
  })
  const owners = new Senders((request) => authenticate(parts.identities, request))
  app.post(`${PATH}/link`, { onRequest: owners.onRequest }, async (request, reply) => {
    const { userId, login, via } = owners.of(request)
    if (via?.kind !== 'page') throw new Refusal('forbidden', 'accounts-in-browser')
    if (!checkPassword.Check(request.body)) throw new Refusal('refused', 'api-send-password')
    await signIn.verifyOwn(parts.db, { ...request.body, login, address: request.ip })
    const wish = { next: '/me', linkTo: userId, session: via.session }
    const address = await begin(parts, { provider, request, reply }, wish)
    if (typeof address !== 'string') throw new Refusal('unavailable', 'provider-unreachable')
    return { address }
  })
  app.get(CALLBACK, { onRequest: refuseLookers }, async (request, reply) => {
    const state = openState(parts.platform, readCookie(request, 'connect_sso'))
    dropCookie(request, reply, 'connect_sso')
    reply.headers({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' })
    const found = await comeBack(parts, { provider, request, state })
    if ('problem' in found)
      return reply.redirect(state?.linkTo === undefined ? pageOf(found.problem) : mePage(found.problem))
    if (state?.linkTo === undefined) await openSession(parts, request, reply, { userId: found.userId, via: 'sso' })
    return reply.redirect(ownPath(state?.next))
  })
}

/** The address at the provider; the cookie that goes with it is set. */
async function begin(
  { platform }: ApiParts,
  { provider, request, reply }: { provider: Provider; request: FastifyRequest; reply: FastifyReply },
  wish: { next: string; linkTo?: number; session?: number },
): Promise<string | { problem: Problem }> {
  reply.header('cache-control', 'no-store')
  const settings = await platform.settings.get()
  const configuration = await openProvider(platform, () => provider.open(settings))
  if (configuration === undefined) return { problem: 'off' }
  if ('problem' in configuration) return configuration
  const client = await loadClient()
  const state: SignOnState = {
    ...wish,
    state: client.randomState(),
    nonce: client.randomNonce(),
    verifier: client.randomPKCECodeVerifier(),
    redirect: originOf(request, settings.apiUrl) + CALLBACK,
  }
  const address = client.buildAuthorizationUrl(configuration, {
    redirect_uri: state.redirect,
    scope: 'openid email profile',
    state: state.state,
    nonce: state.nonce,
    code_challenge: await client.calculatePKCECodeChallenge(state.verifier),
    code_challenge_method: 'S256',
  })
  // The browser comes back from another site.
  const value = sealState(platform, state)
  giveCookie(request, reply, { name: 'connect_sso', value, seconds: STATE_SECONDS, sameSite: 'lax' })
  return address.href
}

async function comeBack(
  parts: ApiParts,
  { provider, request, state }: { provider: Provider; request: FastifyRequest; state: SignOnState | undefined },
): Promise<{ userId: number } | { problem: Problem }> {
  const { platform, db } = parts
  const query = new URL(request.url, 'http://here').searchParams
  if (state === undefined || !equalInConstantTime(query.get('state') ?? '', state.state)) return { problem: 'over' }
  if (query.get('error') === 'access_denied') return { problem: 'declined' }
  const settings = await platform.settings.get()
  const configuration = await openProvider(platform, () => provider.open(settings))
  if (configuration === undefined) return { problem: 'off' }
  if ('problem' in configuration) return configuration
  const claims = await redeem(platform, configuration, { state, query, groupClaim: settings.ssoGroupClaim })
  if ('problem' in claims) return claims
  return db.transaction(async (tx) => {
    // Elevated: the provider has said who this is, and the settings say what comes of that.
    const env = elevated(envOf({ platform, settings, identity: NOBODY }, tx))
    const { linkTo: userId, session = 0 } = state
    if (userId === undefined) return findOrCreate(env, claims)
    // What ended the session ended the wish: another password, a second factor, signing out everywhere else.
    const isOpen = await isSessionOf(tx, { id: session, userId })
    return isOpen ? linkPerson(env, claims, userId) : { problem: 'over' as const }
  })
}

/** What the provider says for the code; its signature, issuer, audience, times and the nonce are checked. */
async function redeem(
  platform: ApiParts['platform'],
  configuration: Configuration,
  { state, query, groupClaim }: { state: SignOnState; query: URLSearchParams; groupClaim: string | undefined },
): Promise<Claims | { problem: Problem }> {
  const client = await loadClient()
  try {
    const tokens = await client.authorizationCodeGrant(configuration, new URL(`?${query}`, state.redirect), {
      pkceCodeVerifier: state.verifier,
      expectedState: state.state,
      expectedNonce: state.nonce,
      idTokenExpected: true,
    })
    const claims = tokens.claims()
    return claims === undefined ? { problem: 'failed' } : readClaims(claims, groupClaim)
  } catch (error) {
    platform.log.warn({ err: asError(error) }, 'a single sign-on failed')
    return { problem: 'failed' }
  }
}

function readClaims(claims: IDToken, groupClaim: string | undefined): Claims {
  const { iss: issuer, sub: subject, email, email_verified: isVerified, name } = claims
  const named = groupClaim === undefined ? undefined : claims[groupClaim]
  const groups = typeof named === 'string' ? [named] : named
  return {
    issuer,
    subject,
    email: typeof email === 'string' ? email : undefined,
    isEmailVerified: isVerified === true,
    name: typeof name === 'string' ? name : undefined,
    groups: Array.isArray(groups) ? groups.filter((each) => typeof each === 'string') : undefined,
  }
}

async function openProvider<Opened>(
  { log }: ApiParts['platform'],
  open: () => Promise<Opened>,
): Promise<Opened | { problem: Problem }> {
  try {
    return await open()
  } catch (error) {
    log.warn({ err: asError(error) }, 'the OpenID provider cannot be reached, or is none')
    return { problem: 'unreachable' }
  }
}

/** The provider compares it with what it was given beforehand. A proxy that is not trusted does not say that it is https. */
function originOf({ protocol, host }: FastifyRequest, apiUrl: string | undefined): string {
  const known = apiUrl !== undefined && URL.canParse(apiUrl) ? new URL(apiUrl) : undefined
  return known?.host === host ? known.origin : `${protocol}://${host}`
}

function pageOf(problem: Problem): string {
  return `/sign-in?problem=${problem}`
}

function mePage(problem: Problem): string {
  return `/me?problem=${problem}`
}

const described = { tag: 'sign-in', others: { ...ERROR_REPLIES, 302: 'Found' } } as const
/** Browsers are sent on with 302, and nobody reads it. */
const NOTHING = { contentType: 'text/plain', schema: Type.String() }
const Address = Type.Object({ address: Type.String() })

/** These routes, as the API document shows them. */
export const SIGN_ON_OPERATIONS: readonly ApiOperation[] = [
  {
    ...described,
    method: 'get',
    path: `${PATH}/start`,
    id: 'sso_start',
    proof: 'nobody',
    summary: 'Sends a browser to the OpenID provider; "next" is where it comes to in the end',
    reply: NOTHING,
  },
  {
    ...described,
    method: 'get',
    path: CALLBACK,
    id: 'sso_callback',
    proof: 'nobody',
    summary: 'Where the OpenID provider sends the browser back to; the answer sets the session cookie',
    reply: NOTHING,
  },
  {
    ...described,
    method: 'post',
    path: `${PATH}/link`,
    id: 'sso_link',
    proof: 'key',
    summary: 'Link the own account with the one at the OpenID provider: the address to send the browser to',
    request: jsonBody(Password),
    reply: jsonBody(Address),
  },
]

// Refusals of users, groups, keys, links, sign-ins and second factors: each by its code, its status and its sentence.
import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { GROUP } from '../../../src/platform/access/identity.ts'
import { setupToken } from '../../../src/platform/identity/session-routes.ts'
import { expectRefused, expectRefusedCall, type Refused, type RefusedCall } from '../../support/refusals.ts'
import { type Answer, type Caller, TestApp } from '../../support/test-app.ts'

const PASSWORD = 'ribbon lantern quarry 7'

let app: TestApp
let admin: Caller
/** Works with Connect, and keeps nobody. */
let user: Caller
/** Administers Connect, and is no user manager. */
let keeper: Caller
let manager: Caller

beforeAll(async () => {
  app = await TestApp.start({ env: { SSO_LOCAL_ISSUER: 'off' } })
  admin = app.admin
  user = await app.person([GROUP.connectUser], { login: 'eve' })
  keeper = await app.person([GROUP.connectAdmin])
  manager = await app.person([GROUP.manager])
  await admin.ask('res.users', 'write', { ids: [user.userId], vals: { password: PASSWORD } })
})
afterAll(() => app.stop())

const webhook = async () => (await app.webhookUser()).userId
const group = async (name: string) => (await app.groupIds([name]))[0]

describe('of users, groups and keys', () => {
  const CASES: readonly (readonly [who: 'admin' | 'keeper' | 'user', ...RefusedCall])[] = [
    [
      'keeper',
      'field-res-users-for-managers-only',
      'res.users/write',
      () => ({ ids: [user.userId], vals: { login: 'adam' } }),
      403,
      'Only user managers can change the field "login" of res.users.',
    ],
    [
      'keeper',
      'user-who-manager-kept-by-managers',
      'res.users/write',
      () => ({ ids: [manager.userId], vals: { name: 'x' } }),
      403,
      'Only a user manager can change a user manager.',
    ],
    [
      'admin',
      'webhook-user-belongs-service-cannot-changed',
      'res.users/write',
      async () => ({ ids: [await webhook()], vals: { login: 'x' } }),
      422,
      'The "login" of the webhook user belongs to the service and cannot be changed.',
    ],
    [
      'admin',
      'user-belongs-service-cannot-deleted',
      'res.users/unlink',
      async () => ({ ids: [await webhook()] }),
      422,
      'The user "connect_webhook" belongs to the service and cannot be deleted.',
    ],
    [
      'admin',
      'this-password-one-commonest-made-them',
      'res.users/write',
      () => ({ ids: [user.userId], vals: { password: 'password1234' } }),
      422,
      'This "password" is too common. Choose another one.',
    ],
    [
      'admin',
      'external-id-res-groups-cannot-changed',
      'res.groups/write',
      async () => ({ ids: [await group(GROUP.connectUser)], vals: { external_id: 'x.y' } }),
      422,
      'The "external_id" of res.groups cannot be changed.',
    ],
    [
      'admin',
      'group-belongs-service-cannot-deleted',
      'res.groups/unlink',
      async () => ({ ids: [await group(GROUP.connectUser)] }),
      422,
      'The group "connect.group_user" belongs to the service and cannot be deleted.',
    ],
    [
      'keeper',
      'group-never-calls-of-agents',
      'res.groups/agent_calls',
      async () => ({ ids: [await group(GROUP.agentCalls)], given: true }),
      422,
      'The group "connect.group_agent_calls" cannot have the right to calls of agents.',
    ],
    [
      'user',
      'api-keys-those-exactly-one-user-ids',
      'res.users/api_key_create',
      { ids: [], name: 'x' },
      422,
      'Keys are those of exactly one user: "ids" has one id.',
    ],
    [
      'user',
      'keys-other-users-for-managers-only',
      'res.users/api_keys_end',
      () => ({ ids: [keeper.userId] }),
      403,
      'Only user managers can manage the API keys of other users.',
    ],
    [
      'admin',
      'api-link-for-exactly-one-user-ids',
      'res.users/reset_link',
      () => ({ ids: [user.userId, keeper.userId] }),
      422,
      'A link is for exactly one user: "ids" has one id.',
    ],
    [
      'admin',
      'nobody-signs-user-belongs-service',
      'res.users/reset_link',
      async () => ({ ids: [await webhook()] }),
      422,
      'No one can sign in as a user that belongs to the service.',
    ],
    [
      'admin',
      'this-user-not-active-activate-them',
      'res.users/reset_link',
      async () => ({ ids: [await archived()] }),
      422,
      'This user is deactivated. Activate them first.',
    ],
    [
      'user',
      'unknown-language',
      'res.users/set_preferences',
      { lang: 'xx_XX' },
      422,
      '"lang" is the code of a language of res.lang; xx_XX is none.',
    ],
    [
      'user',
      'preferences-too-long',
      'res.users/set_preferences',
      { preferences: { text: 'x'.repeat(9_000) } },
      422,
      'The "preferences" have at most 8192 characters as JSON.',
    ],
    [
      'admin',
      'sso-issuer-public',
      'connect.settings/write',
      async () => ({
        ids: await admin.ask<number[]>('connect.settings', 'search'),
        vals: { sso_issuer: 'https://10.0.0.1' },
      }),
      422,
      '"sso_issuer" must be a public address: this machine and its network count only with SSO_LOCAL_ISSUER=on.',
    ],
  ]
  it.each(CASES)('%s meets %s: %s', (who, ...refused) => expectRefusedCall({ admin, keeper, user }[who], refused))

  it('a key makes none that lives longer', async () => {
    const expires = '2035-01-01 00:00:00'
    const { key } = await user.ask<{ key: string }>('res.users', 'api_key_create', {
      ids: [user.userId],
      name: 'x',
      expires_at: expires,
    })
    await expectRefusedCall(app.caller(user.userId, key), [
      'api-key-outlives-its-maker',
      'res.users/api_key_create',
      { ids: [user.userId], name: 'y' },
      403,
      'A key makes no key that lives longer than itself: "expires_at" ends by 2035-01-01 00:00:00.',
    ])
  })
})

describe('of the routes of a sign-in', () => {
  const CASES: readonly Posted[] = [
    ['/api/sign-in', 'api-send-login-password', 422, 'Send "login" and "password".', {}],
    [
      '/api/sign-in',
      'browser-signs-from-page-this-service',
      403,
      'You can sign in only from a page of this service.',
      {},
      { 'sec-fetch-site': 'cross-site' },
    ],
    ['/api/sign-in/second', 'api-send-ticket-code', 422, 'Send "ticket" and "code".', {}],
    [
      '/api/sign-in/second',
      'sign-in-took-too-long',
      401,
      'This took too long. Sign in again.',
      { ticket: 'x', code: '123456' },
    ],
    ['/api/setup', 'api-send-token-name-login-password', 422, 'Send "token", "name", "login" and "password".', {}],
    [
      '/api/setup',
      'link-not-valid-service-prints-when',
      403,
      'This link is not valid. The service prints a valid one when it starts.',
      { token: 'x', name: 'x', login: 'x', password: PASSWORD },
    ],
    ['/api/invitation', 'api-send-token', 422, 'Send "token".', {}],
    [
      '/api/invitation',
      'invitation-over',
      404,
      'This link is no longer valid. It works once, for seven days, and can be revoked. Ask the person who sent it for a new one.',
      { token: 'x' },
    ],
    [
      '/api/password',
      'sign-send-api-key-authorization-bearer',
      401,
      'Sign in, or send an API key: "Authorization: bearer <key>".',
      {},
    ],
  ]
  it.each(CASES.map(toCase))('$address: $code', async ({ address, body, headers, refused }) =>
    expectRefused(await app.post(address, body, headers), refused),
  )

  it('a link is answered with all that it takes', async () => {
    const { link } = await admin.ask<{ link: string }>('res.users', 'reset_link', { ids: [user.userId] })
    const token = link.split(/[#=/]/).at(-1)
    expectRefused(await app.post('/api/invitation/accept', { token }), [
      'api-send-password-tz-lang',
      422,
      'Send "password", "tz" and "lang".',
    ])
  })

  it('the first administrator is made once', async () => {
    const first = { token: setupToken({ platform: app.app.platform }), name: 'x', login: 'x', password: PASSWORD }
    expectRefused(await app.post('/api/setup', first), [
      'administrator-already-link-has-been-used',
      409,
      'An administrator already exists, so this link no longer works.',
    ])
  })

  it.each([
    ['works-once', 403, 'This address works once, when it is opened.', { 'sec-purpose': 'prefetch' }],
    [
      'link-not-used',
      403,
      'Another page opened this link, so it was not used. Paste it into the address bar yourself.',
      { 'sec-fetch-site': 'cross-site' },
    ],
    ['one-time-link', 404, 'This link is not valid. It works once, for 15 minutes.', {}],
  ] as const)('an address that signs in once: %s', async (code, status, sentence, headers) => {
    expectRefused(await app.request('/sign-in/once/guessed', { headers: { ...headers } }), [code, status, sentence])
  })
})

describe('of a person who is signed in', () => {
  let cookie = ''
  const post = (address: string, body: unknown, headers: Record<string, string> = {}) =>
    app.post(address, body, { cookie, 'sec-fetch-site': 'same-origin', ...headers })
  beforeAll(async () => {
    cookie = cookieOf(await app.post('/api/sign-in', { login: 'eve', password: PASSWORD }))
  })

  const CASES: readonly Posted[] = [
    ['/api/password', 'api-send-current-next', 422, 'Send "current" and "next".', {}],
    ['/api/password', 'wrong-password', 422, 'Wrong password.', { current: 'x', next: PASSWORD }],
    ['/api/totp/begin', 'api-send-password', 422, 'Send "password".', {}],
    ['/api/totp/confirm', 'api-send-code', 422, 'Send "code".', {}],
    ['/api/totp/confirm', 'wrong-code', 422, "Wrong code. Check that your phone's clock is right.", { code: '000000' }],
    [
      '/api/password',
      'api-request-with-session-cookie-must-application',
      415,
      'A request with a session cookie must be application/json.',
      {},
      { 'content-type': 'text/plain' },
    ],
    [
      '/api/password',
      'api-request-with-session-cookie-must-come',
      403,
      'A request with a session cookie must come from a page of this service.',
      {},
      { 'sec-fetch-site': 'cross-site' },
    ],
  ]
  it.each(CASES.map(toCase))('$address: $code', async ({ address, body, headers, refused }) =>
    expectRefused(await post(address, body, headers), refused),
  )

  it('a key is no person in front of a page', async () => {
    const headers = { authorization: `bearer ${user.key}` }
    const refused = {
      factor: await app.post('/api/totp/begin', { password: PASSWORD }, headers),
      account: await app.post('/api/sso/link', { password: PASSWORD }, headers),
    }
    expectRefused(refused.factor, [
      'second-factor-in-browser',
      403,
      'Two-factor sign-in is set up in a browser, not with an API key.',
    ])
    expectRefused(refused.account, [
      'accounts-in-browser',
      403,
      'Accounts are linked in a browser, not with an API key.',
    ])
    expectRefused(await app.request('/api/live', { headers }), [
      'sign-stream-for-browser-with-session',
      401,
      'Sign in: the stream is for a browser with a session.',
    ])
  })

  it('a second factor is begun once', async () => {
    const { body } = await post('/api/totp/begin', { password: PASSWORD })
    const totp = new TOTP({ secret: Secret.fromBase32((body as { secret: string }).secret), digits: 6, period: 30 })
    expect((await post('/api/totp/confirm', { code: totp.generate() })).status).toBe(200)
    expectRefused(await post('/api/totp/begin', { password: PASSWORD }), [
      'second-factor-on',
      409,
      'Two-factor sign-in is already on. Turn it off first.',
    ])
  })

  it('a person without the second factor that the installation wants reads nothing', async () => {
    await admin.ask('res.users', 'write', { ids: [keeper.userId], vals: { password: PASSWORD } })
    const [{ login } = { login: '' }] = await admin.ask<{ login: string }[]>('res.users', 'read', {
      ids: [keeper.userId],
      fields: ['login'],
    })
    const own = cookieOf(await app.post('/api/sign-in', { login, password: PASSWORD }))
    const [settings] = await admin.ask<number[]>('connect.settings', 'search')
    await admin.ask('connect.settings', 'write', { ids: [settings], vals: { require_second_factor: true } })
    const headers = { cookie: own, 'sec-fetch-site': 'same-origin' }
    expectRefused(await app.post('/json/2/res.partner/search', {}, headers), [
      'second-factor-first',
      403,
      'Two-factor sign-in is required here. Set it up first.',
    ])
    await admin.ask('connect.settings', 'write', { ids: [settings], vals: { require_second_factor: false } })
  })
})

/** What is posted to an address, and how it is refused. */
type Posted = readonly [address: string, ...Refused, body: object, headers?: Record<string, string>]

function toCase([address, code, status, sentence, body, headers]: Posted) {
  const refused: Refused = [code, status, sentence]
  return { address, code, body, headers, refused }
}

function cookieOf(answer: Answer): string {
  return answer.headers.getSetCookie()[0]?.split(';')[0] ?? ''
}

async function archived(): Promise<number> {
  const { userId } = await app.person([GROUP.connectUser])
  await admin.ask('res.users', 'write', { ids: [userId], vals: { active: false } })
  return userId
}

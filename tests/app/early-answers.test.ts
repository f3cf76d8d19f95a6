// Who is answered before the body: strangers, and clients that ask for what is not there or send too much.
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { POST_CALL, TOKEN_ROUTES } from '../fixtures/routes.ts'
import { setUpTelco } from '../support/telco.ts'
import { TestApp } from '../support/test-app.ts'

const CALLSTATUS = '/telco/webhook/callstatus'
const NUMBER = '/telco/webhook/number'
const FORM = 'application/x-www-form-urlencoded'
const JSON_TYPE = 'application/json'
const MEGABYTE = 1024 ** 2

let app: TestApp
let key: string

beforeAll(async () => {
  app = await TestApp.start()
  await setUpTelco(app)
  key = `bearer ${app.admin.key}`
})
afterAll(() => app.stop())

interface Raw {
  method?: string
  target: string
  headers?: Record<string, string>
  /** What is sent of the body before the answer is awaited. */
  part?: string
}

/** Sends the head of a request, and gives the socket with everything that came until the end of an answer. */
async function ask({
  method = 'POST',
  target,
  headers = {},
  part = '',
}: Raw): Promise<{ text: string; socket: Socket }> {
  const { hostname, port } = new URL(app.url)
  const socket = connect(Number(port), hostname)
  await once(socket, 'connect')
  const lines = Object.entries({ host: hostname, 'content-length': '100000', ...headers })
  socket.write(
    `${method} ${target} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}`).join('\r\n')}\r\n\r\n${part}`,
  )
  return { text: await readAnswer(socket), socket }
}

/** Until as many bytes of a body came as the answer says; "100 Continue" is all of it where that comes. */
function readAnswer(socket: Socket): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  let text = ''
  const take = (chunk: Buffer): void => {
    text += chunk.toString('latin1')
    const end = text.indexOf('\r\n\r\n')
    if (end === -1) return
    const length = Number(/^content-length: (\d+)/im.exec(text.slice(0, end))?.[1] ?? 0)
    if (text.length < end + 4 + length) return
    socket.off('data', take)
    resolve(text)
  }
  socket.on('data', take)
  socket.once('error', reject)
  socket.once('close', () => reject(new Error(`closed after: ${text}`)))
  return promise
}

async function answerTo(raw: Raw): Promise<string> {
  const { text, socket } = await ask(raw)
  socket.destroy()
  return text
}

const STRANGERS: [string, Raw, string][] = [
  ...TOKEN_ROUTES.flatMap((target): [string, Raw, string][] => [
    [`${target} without a token`, { target }, '401'],
    [`${target} with a wrong token`, { target, headers: { 'x-voiceai-agent-token': 'wrong' } }, '401'],
  ]),
  ['post_call without a signature', { target: POST_CALL }, '401'],
  ['post_call with a short signature', { target: POST_CALL, headers: { 'voiceai-signature': 't=1' } }, '401'],
  [
    'post_call with an old signature',
    { target: POST_CALL, headers: { 'voiceai-signature': `t=1000000000,v0=${'a'.repeat(64)}` } },
    '401',
  ],
  ['a report of a call without a signature', { target: CALLSTATUS, headers: { 'content-type': FORM } }, '200'],
  ['a call without a signature', { target: NUMBER, headers: { 'content-type': FORM } }, '200'],
  ['the API without a key', { target: '/json/2/res.partner/search_read' }, '401'],
  ['the API with a wrong key', { target: '/json/2/res.partner/create', headers: { authorization: 'bearer x' } }, '401'],
  ['a file of nobody', { target: '/api/attachment' }, '401'],
  ['a search of nobody', { target: '/api/search', headers: { 'content-type': JSON_TYPE } }, '401'],
  ['a password of nobody', { target: '/api/password', headers: { 'content-type': JSON_TYPE } }, '401'],
  ['a second factor of nobody', { target: '/api/totp/begin', headers: { 'content-type': JSON_TYPE } }, '401'],
  ['an account of nobody', { target: '/api/sso/link', headers: { 'content-type': JSON_TYPE } }, '401'],
  ['a webhook that is none', { target: '/connect_voiceai/nothing' }, '404'],
  ['a telephony webhook that is none', { target: '/telco/webhook/nothing' }, '404'],
  ['an address that is none', { target: '/nothing/here', headers: { 'content-type': 'image/png' } }, '404'],
  ['an address of the API that is none', { target: '/api/nothing' }, '404'],
  ['another method', { method: 'PUT', target: CALLSTATUS }, '405'],
  ['another method of a tool', { method: 'PATCH', target: TOKEN_ROUTES[1] }, '405'],
  ['another method of the API', { method: 'PUT', target: '/json/2/res.partner/create' }, '405'],
]

describe('a stranger', () => {
  it.each(STRANGERS)('a stranger is answered before the body: %s', async (_name, raw, status) => {
    expect(await answerTo(raw)).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
    const chunked = { ...raw.headers, 'content-length': '', 'transfer-encoding': 'chunked' }
    const { 'content-length': _none, ...headers } = chunked
    expect(await answerTo({ ...raw, headers, part: '5\r\nhello\r\n' })).toMatch(/^HTTP\/1.1 (?!100)/)
    expect(await answerTo({ ...raw, headers: { ...raw.headers, expect: '100-continue' } })).toMatch(
      new RegExp(`^HTTP/1.1 ${status} `),
    )
    expect(await answerTo({ ...raw, part: 'a=' })).toMatch(/^connection: close\r$/im)
  })

  it.each([
    '/api/sign-in',
    '/api/sign-in/second',
    '/api/sign-out',
    '/api/setup',
    '/api/invitation',
    '/api/invitation/accept',
  ])('a stranger sends 16 KiB at most to %s, and is told so before more is read', async (target) => {
    const headers = { 'content-type': JSON_TYPE }
    const large = { ...headers, 'content-length': String(16 * 1024 + 1) }
    expect(await answerTo({ target, headers: large })).toMatch(/^HTTP\/1.1 413 /)
    expect(await answerTo({ target, headers: { ...large, expect: '100-continue' } })).toMatch(/^HTTP\/1.1 413 /)
    const body = JSON.stringify({ password: 'x'.repeat(17_000) })
    expect((await app.request(target, { method: 'POST', headers, body })).status).toBe(413)
    const small = JSON.stringify({ password: 'x'.repeat(15_000) })
    expect((await app.request(target, { method: 'POST', headers, body: small })).status).not.toBe(413)
  })

  it.each(['/api/password', '/api/totp/begin', '/api/totp/confirm', '/api/totp/remove', '/api/sso/link'])(
    'anyone who is known sends 16 KiB at most to %s',
    async (target) => {
      const headers = { 'content-type': JSON_TYPE, 'content-length': String(16 * 1024 + 1) }
      expect(await answerTo({ target, headers })).toMatch(/^HTTP\/1.1 401 /)
      expect(await answerTo({ target, headers: { ...headers, authorization: key } })).toMatch(/^HTTP\/1.1 (413|403) /)
    },
  )

  it('a stranger hears the sentence of the contract, and of a report False', async () => {
    const headers = { 'content-type': FORM }
    expect(await answerTo({ target: NUMBER, headers })).toContain(
      '<Response><Say>Invalid Telco request!</Say></Response>',
    )
    expect(await answerTo({ target: CALLSTATUS, headers })).toMatch(/\r\n\r\nFalse$/)
  })

  it('a stranger who is still writing sees the answer, and the connection ends in peace', async () => {
    const bytes = 8 * MEGABYTE
    const { text, socket } = await ask({ target: TOKEN_ROUTES[1], headers: { 'content-length': String(bytes) } })
    expect(text).toMatch(/^HTTP\/1.1 401 /)
    let trouble: Error | undefined
    socket.removeAllListeners('error').on('error', (error) => {
      trouble = error
    })
    const ended = once(socket, 'end')
    socket.resume()
    for (let sent = 0; sent < bytes; sent += MEGABYTE) {
      if (!socket.write(Buffer.alloc(MEGABYTE))) await once(socket, 'drain')
    }
    await ended
    expect(trouble).toBeUndefined()
    socket.destroy()
  })

  it('a stranger whose body never comes does not keep the connection', async () => {
    const { socket } = await ask({ target: POST_CALL })
    socket.resume()
    await once(socket, 'end')
    socket.destroy()
  })
})

describe('somebody who is known', () => {
  const JSON_KEY = (): Record<string, string> => ({ 'content-type': JSON_TYPE, authorization: key })

  it('somebody who is known is told of too much before it is sent, and is not asked for it', async () => {
    const tooMuch = { 'content-length': String(300 * MEGABYTE) }
    const token = { 'x-voiceai-agent-token': app.token, 'content-type': JSON_TYPE }
    const sent: Raw[] = [
      { target: TOKEN_ROUTES[1], headers: { ...token, ...tooMuch } },
      { target: '/json/2/res.partner/create', headers: { ...JSON_KEY(), ...tooMuch } },
      { target: '/api/attachment', headers: { ...JSON_KEY(), 'content-type': 'application/octet-stream', ...tooMuch } },
      { target: '/api/search', headers: { ...JSON_KEY(), ...tooMuch } },
    ]
    for (const raw of sent) {
      expect(await answerTo(raw)).toMatch(/^HTTP\/1.1 413 /)
      expect(await answerTo({ ...raw, headers: { ...raw.headers, expect: '100-continue' } })).toMatch(/^HTTP\/1.1 413 /)
    }
  })

  it('somebody who is known is asked for the body, and answered when it is there', async () => {
    const body = '{"domain": [], "fields": ["name"], "limit": 1}'
    const sent: [Raw, string][] = [
      [{ target: '/json/2/res.partner/search_read', headers: JSON_KEY() }, body],
      [{ target: '/connect_voiceai/get_current_date', headers: { 'x-voiceai-agent-token': app.token } }, '{}'],
      [
        { target: '/api/attachment?name=a', headers: { ...JSON_KEY(), 'content-type': 'application/octet-stream' } },
        'a',
      ],
    ]
    for (const [raw, text] of sent) {
      const headers = { ...raw.headers, expect: '100-continue', 'content-length': String(text.length) }
      const { text: interim, socket } = await ask({ ...raw, headers })
      expect(interim).toMatch(/^HTTP\/1.1 100 Continue\r\n\r\n$/)
      const answer = readAnswer(socket)
      socket.write(text)
      expect(await answer).toMatch(/^HTTP\/1.1 200 /)
      socket.destroy()
    }
  })
})

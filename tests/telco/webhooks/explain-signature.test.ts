import webhooks from 'twilio/lib/webhooks/webhooks.js'
import { describe, expect, test } from 'vitest'
import { explainSignature } from '../../../src/telco/webhooks/explain-signature.ts'

const { getExpectedTwilioSignature } = webhooks

const TOKEN = '12345678901234567890123456789012'
const FORM = { CallSid: 'CA1', AccountSid: 'AC1', CallStatus: 'completed' }
const TARGET = '/telco/webhook/connect.user/call_action/7?done_callflows=1,2'

function explain(signedUrl: string, changes: Partial<Parameters<typeof explainSignature>[0]> = {}) {
  return explainSignature({
    authTokens: [TOKEN],
    signature: getExpectedTwilioSignature(TOKEN, signedUrl, FORM),
    form: FORM,
    host: 'inner:8080',
    forwardedHost: undefined,
    trustsProxy: false,
    rawTarget: TARGET,
    apiUrl: 'https://pbx.example.com',
    ...changes,
  })
}

describe('one wrong thing is named', () => {
  const QUERY = '?done_callflows=1,2'
  test.each([
    ['scheme', `http://pbx.example.com${TARGET}`, {}, 'an http:// address. Sync with Twilio'],
    [
      'scheme',
      `http://pbx.example.com${TARGET}`,
      { apiUrl: 'http://pbx.example.com' },
      'Put https:// in the public address',
    ],
    ['port', `https://pbx.example.com:8443${TARGET}`, {}, ':8443'],
    ['host', `https://outer.example.com${TARGET}`, { forwardedHost: 'outer.example.com' }, 'outer.example.com'],
    ['path', `https://pbx.example.com${TARGET}`, { rawTarget: `/inner${TARGET}` }, 'proxy'],
    ['path', `https://pbx.example.com${TARGET.replace('?', '/?')}`, {}, 'slash at the end'],
    ['path', `https://pbx.example.com/${TARGET}`, {}, 'two slashes'],
    [
      'path',
      `https://pbx.example.com/b${TARGET}`,
      { apiUrl: 'https://pbx.example.com/b', rawTarget: `/c${TARGET}` },
      'replaces the path',
    ],
    ['query', `https://pbx.example.com${TARGET.replace(QUERY, '')}`, {}, 'query'],
    [
      'query',
      `https://pbx.example.com${TARGET}`,
      { rawTarget: TARGET.replace('1,2', '1%2C2') },
      'encodes the query again',
    ],
    ['query', `https://pbx.example.com/t?a=b+c`, { rawTarget: '/t?a=b%20c' }, 'encodes the query again'],
  ] as const)('a wrong %s, signed for %s', async (part, url, changes, word) => {
    const explanation = await explain(url, changes)
    expect(explanation).toMatchObject({ url, differs: [part] })
    expect(explanation.sentence).toContain(word)
  })

  test('a query that never reached us is not named, for nobody can guess it', async () => {
    const changes = { rawTarget: TARGET.replace(QUERY, '') }
    expect((await explain(`https://pbx.example.com${TARGET}`, changes)).url).toBeUndefined()
  })

  test('a signature over no fields, or over the query as well', async () => {
    const url = `https://pbx.example.com${TARGET}`
    const over = (form: Record<string, string>) => getExpectedTwilioSignature(TOKEN, url, form)
    expect(await explain(url, { signature: over({}) })).toMatchObject({ differs: ['form'] })
    const merged = await explain(url, { signature: over({ ...FORM, done_callflows: '1,2' }) })
    expect(merged).toMatchObject({ differs: ['form'] })
    expect(merged.sentence).toContain('query as form fields')
  })

  test('a token with blanks around it', async () => {
    const explanation = await explain(`https://pbx.example.com${TARGET}`, { authTokens: [` ${TOKEN}\n`] })
    expect(explanation.sentence).toContain('spaces around it')
    expect(explanation.sentence).not.toContain(TOKEN)
  })

  test('a public address that is not set', async () => {
    const changes = { apiUrl: undefined, forwardedHost: 'outer.example.com' }
    expect((await explain(`https://outer.example.com${TARGET}`, changes)).sentence).toContain('is not set')
  })
})

test('two wrong things are both named', async () => {
  const explanation = await explain(`http://pbx.example.com:8080${TARGET}`)
  expect(explanation.differs.toSorted()).toEqual(['port', 'scheme'])
  expect(explanation.sentence).toMatch(/http:\/\/.*:8080/s)
})

test('a delivery that would be accepted by now is told as such', async () => {
  expect((await explain(`https://pbx.example.com${TARGET}`)).sentence).toContain('would be accepted')
  const trusted = { forwardedHost: 'outer.example.com', trustsProxy: true }
  expect((await explain(`https://outer.example.com${TARGET}`, trusted)).sentence).toContain('would be accepted')
})

test('what is missing is told: the token, the signature', async () => {
  expect((await explain('https://x/', { authTokens: [' '] })).sentence).toContain('No Auth token')
  expect((await explain('https://x/', { signature: '' })).sentence).toContain('no signature')
})

test('when nothing fits, the token is doubted, and never shown', async () => {
  const explanation = await explain('https://somewhere.else/x', { authTokens: ['another token'] })
  expect(explanation).toMatchObject({ url: undefined, differs: [] })
  expect(explanation.sentence).toContain('account AC1')
  expect(explanation.sentence).not.toContain('another token')
})

test('an explanation stays affordable for a large form', async () => {
  const form = { CallSid: 'CA1', Body: 'x'.repeat(60_000) }
  const began = performance.now()
  expect((await explain('https://somewhere.else/x', { form, authTokens: [TOKEN, 'b'] })).url).toBeUndefined()
  expect(performance.now() - began).toBeLessThan(5000)
})

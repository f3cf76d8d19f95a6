import fc from 'fast-check'
import webhooks from 'twilio/lib/webhooks/webhooks.js'
import { describe, expect, test } from 'vitest'
import { type Form, parseForm } from '../../../src/telco/webhooks/form.ts'
import { largeSignatureMatches, signedUrls, telcoSignatureMatches } from '../../../src/telco/webhooks/signature.ts'
import { anyCharacter } from '../../support/any-text.ts'

const { getExpectedTwilioSignature, validateRequest } = webhooks

const TOKEN = 'telco_test_token'
const LONG_TOKEN = '12345678901234567890123456789012'
const HOST = 'voice.example.com'

const T1 =
  'CallSid=CA00000000000000000000000000000001&AccountSid=AC00000000000000000000000000000001&From=%2B14155550100&To=%2B14155550199&CallStatus=completed&CallDuration=42&SequenceNumber=2'
const T3 =
  'Body=%D0%9F%D1%80%D0%B8%D0%B2%D0%B5%D1%82%2C+%D0%BC%D0%B8%D1%80+%E2%98%8E+caf%C3%A9&From=whatsapp%3A%2B380501234567&NumMedia=0&ProfileName=Zo%C3%AB++%CE%94&FromCity='
const T6 = 'CallSid=CA1&From=%2B14155550100'
const GATHER = '/telco/webhook/callflow/7/gather?attempt=2&lang=en-US'

interface Request {
  readonly host?: string
  readonly target: string
  readonly body: string
  readonly signature: string | undefined
  readonly apiUrl?: string
  readonly forwardedHost?: string
  readonly tokens?: readonly string[]
}

function isAccepted({ host = HOST, target, body, signature, apiUrl, forwardedHost, tokens }: Request): boolean {
  return telcoSignatureMatches({
    authTokens: tokens ?? [LONG_TOKEN],
    signature,
    urls: signedUrls({ host, forwardedHost, rawTarget: target, apiUrl }),
    form: parseForm(Buffer.from(body)),
  })
}

// docs/reference/domain.md#vectors-of-the-telephony-signature
describe('the signature of our own test vectors', () => {
  test.each([
    [
      '/telco/webhook/callstatus',
      'CallSid=CA0001&CallStatus=completed&Direction=inbound&Caller=%2B15550100001&Called=%2B15550100002',
      '911BU9zez5C+i03eWN1R/SDve84=',
    ],
    [
      '/telco/webhook/connect.user/call_action/7?done_callflows=1,2',
      'CallSid=CA0002&CallStatus=in-progress&DialCallStatus=no-answer',
      '7HDhftkwSvnUGmSNwF7FPmqWjzU=',
    ],
    ['/telco/webhook/callaction', '', 'Y4GHOVIKWrVi8F+ND6b2w6bwmYM='],
  ])('%s', (target, body, signature) => {
    const request = { host: '127.0.0.1:8080', target, body, signature, tokens: [TOKEN] }
    expect(isAccepted({ ...request, apiUrl: 'https://pbx.example.com' })).toBe(true)
    expect(isAccepted({ ...request, host: 'pbx.example.com' })).toBe(true)
    expect(isAccepted(request)).toBe(false)
    expect(isAccepted({ ...request, host: 'pbx.example.com', tokens: ['telco_test_tokeN'] })).toBe(false)
  })
})

// docs/reference/providers.md#vectors-of-the-request-signature
describe("the signature of vectors made with the provider's SDK", () => {
  test.each([
    ['T1', HOST, '/telco/webhook/callstatus', T1, 'N76QHLGtNxxhoNaUGV1w68GvLzE='],
    [
      'T2 query string',
      HOST,
      GATHER,
      'CallSid=CA00000000000000000000000000000001&Digits=12%23&From=%2B14155550100',
      'wbm1xbxwqjU4sYGq9SLXHiX4UCo=',
    ],
    ['T3 unicode, double space, empty value', HOST, '/telco/webhook/message', T3, 'LkdLzzmh7R3rMkS2JXZVDCbQXYk='],
    [
      'T4 repeated key',
      HOST,
      '/telco/webhook/callstatus',
      'CallSid=CA1&Tag=b&Tag=a&Tag=b',
      'LSwm1B6ZuD82OZy5SB7J5jsvPHI=',
    ],
    ['T6 explicit port', `${HOST}:8443`, '/telco/webhook/number', T6, 'DxIg1of16OgTwUBFbT4UTRetWqI='],
    ['T7 sort order', HOST, '/telco/webhook/number', 'b=1&B=2&a_1=3&a1=4&A=5', 'zpZ2Sfdst3oo2lR8yzO0U5bjVtY='],
    ['T10 portless', HOST, '/telco/webhook/number', T6, 'JQKY0mCwsOgzn8y8l6IVFejnLkE='],
    ['T10 portless, against a port', `${HOST}:8443`, '/telco/webhook/number', T6, 'JQKY0mCwsOgzn8y8l6IVFejnLkE='],
    ['T11 default port', HOST, '/telco/webhook/number', T6, 'BgYjTERTyUvV6zzUTFn6BF9sWK8='],
    ['T11 default port, written out', `${HOST}:443`, '/telco/webhook/number', T6, 'BgYjTERTyUvV6zzUTFn6BF9sWK8='],
    ['T11 behind an inner port', `${HOST}:8080`, '/telco/webhook/number', T6, 'BgYjTERTyUvV6zzUTFn6BF9sWK8='],
  ])('%s is accepted', (_name, host, target, body, signature) => {
    expect(isAccepted({ host, target, body, signature })).toBe(true)
  })

  const T1_SIGNATURE = 'N76QHLGtNxxhoNaUGV1w68GvLzE='
  test.each([
    ['T5, made for http', '/telco/webhook/callstatus', T1, 'ab6Np6GRtyeYz2Y5G8N2SGoOxk8='],
    ['an extra field', '/telco/webhook/callstatus', `${T1}&x=1`, T1_SIGNATURE],
    ['a missing field', '/telco/webhook/callstatus', T1.replace('&SequenceNumber=2', ''), T1_SIGNATURE],
    ['a trailing slash', '/telco/webhook/callstatus/', T1, T1_SIGNATURE],
    ['an added query', '/telco/webhook/callstatus?x=1', T1, T1_SIGNATURE],
    ['a kept repetition', '/telco/webhook/callstatus', 'CallSid=CA1&Tag=b&Tag=a', 'ghpxQoElQnnqOlxDMHPXmZGe+78='],
    ['the query among the fields', GATHER, 'CallSid=CA1&attempt=2&lang=en-US', 'wbm1xbxwqjU4sYGq9SLXHiX4UCo='],
    ['T8, made for JSON', '/telco/webhook/callstatus', '{"hello":"wörld","n":1}', 'UrgXGb8rt+b37hHCOFvA8QGy98A='],
    ['T9, made for a socket', '/media', '', 'OXGAWoXBARgYOQdO2iHke4KK+yQ='],
    ['no signature', '/telco/webhook/callstatus', T1, undefined],
    ['an empty signature', '/telco/webhook/callstatus', T1, ''],
    ['a short signature', '/telco/webhook/callstatus', T1, 'N76Q'],
    ['a longer signature', '/telco/webhook/callstatus', T1, `${T1_SIGNATURE}=`],
    ['other letters', '/telco/webhook/callstatus', T1, T1_SIGNATURE.toLowerCase()],
  ])('%s is refused', (_name, target, body, signature) => {
    expect(isAccepted({ target, body, signature })).toBe(false)
  })

  test('a fragment that reached us is not part of what was signed', () => {
    const target = '/telco/webhook/callstatus#rc=2'
    expect(isAccepted({ target, body: T1, signature: T1_SIGNATURE })).toBe(true)
  })

  test('a signature check without a token accepts nothing, not even what an empty token signed', () => {
    const url = `https://${HOST}/telco/webhook/callaction`
    const signature = getExpectedTwilioSignature('', url, {})
    expect(isAccepted({ target: '/telco/webhook/callaction', body: '', signature, tokens: [''] })).toBe(false)
    expect(isAccepted({ target: '/telco/webhook/callaction', body: '', signature, tokens: [] })).toBe(false)
  })

  test('the second token of a rotation is accepted too', () => {
    const request = { target: '/telco/webhook/callstatus', body: T1, signature: T1_SIGNATURE }
    expect(isAccepted({ ...request, tokens: ['', 'old', LONG_TOKEN] })).toBe(true)
  })
})

describe('the addresses that may have been signed', () => {
  test('the addresses that may have been signed are the own and the public one, in https, without a fragment', () => {
    expect(
      signedUrls({ host: 'inner:8080', rawTarget: '/t?a=http://x#e', apiUrl: 'http://pbx.example.com/base/' }),
    ).toEqual([
      'https://pbx.example.com/base/t?a=http://x',
      'https://pbx.example.com/t?a=http://x',
      'https://inner:8080/t?a=http://x',
      'https://inner/t?a=http://x',
    ])
  })

  test('include the host a trusted proxy was asked for', () => {
    expect(signedUrls({ host: 'inner', forwardedHost: 'outer', rawTarget: '/t', apiUrl: undefined })).toEqual([
      'https://outer/t',
      'https://inner/t',
    ])
  })

  test('keep the raw target, and take the path of an absolute one', () => {
    const of = (rawTarget: string) => signedUrls({ host: 'h', rawTarget, apiUrl: '' })
    expect(of('/a%2Fb?x=%20+y&&z')).toEqual(['https://h/a%2Fb?x=%20+y&&z'])
    expect(of('http://other:1/a?b')).toEqual(['https://h/a?b'])
    expect(of('*')).toEqual(['https://h/*'])
    expect(of('')).toEqual(['https://h/'])
  })

  test.each(['', 'evil.example/path?', 'a b', 'user@host', undefined])('leave out the host %j', (host) => {
    expect(signedUrls({ host, rawTarget: '/t', apiUrl: 'no address' })).toEqual([])
  })

  test('the addresses that may have been signed never throw, and neither does the check, whatever arrives', () => {
    const text = fc.oneof(fc.string({ unit: anyCharacter }), fc.constantFrom('https://', 'https://[', '//x', '::', '%'))
    fc.assert(
      fc.property(text, text, text, text, (host, forwardedHost, rawTarget, apiUrl) => {
        const urls = signedUrls({ host, forwardedHost, rawTarget, apiUrl })
        const signature = 'N76QHLGtNxxhoNaUGV1w68GvLzE='
        expect(telcoSignatureMatches({ authTokens: [TOKEN], signature, urls: [...urls, host], form: {} })).toBe(false)
      }),
    )
  })

  test('a base path of the public address counts, whether the proxy keeps it or not', () => {
    const url = 'https://pbx.example.com/base/telco/webhook/number'
    const signature = getExpectedTwilioSignature(LONG_TOKEN, url, { CallSid: 'CA1' })
    const request = { host: 'inner', body: 'CallSid=CA1', signature, apiUrl: 'https://pbx.example.com/base' }
    expect(isAccepted({ ...request, target: '/telco/webhook/number' })).toBe(true)
    expect(isAccepted({ ...request, target: '/base/telco/webhook/number' })).toBe(true)
  })
})

describe('any form', () => {
  const text = fc.string({ unit: 'grapheme', maxLength: 12 })
  const pairs = fc.array(fc.tuple(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 8 }), text), { maxLength: 6 })
  const target = fc
    .tuple(fc.webPath(), fc.option(fc.webQueryParameters(), { nil: undefined }))
    .map(([path, query]) => (path || '/') + (query === undefined ? '' : `?${query}`))
    .filter((each) => each.startsWith('/'))

  const sign = (url: string, body: string) => getExpectedTwilioSignature(LONG_TOKEN, url, parseForm(Buffer.from(body)))
  const encode = (fields: readonly (readonly [string, string])[]) =>
    new URLSearchParams(fields.map(([name, value]) => [name, value])).toString()

  test('signed by the SDK is accepted', () => {
    fc.assert(
      fc.property(target, pairs, (aTarget, fields) => {
        const body = encode(fields)
        expect(isAccepted({ target: aTarget, body, signature: sign(`https://${HOST}${aTarget}`, body) })).toBe(true)
      }),
      { numRuns: 300 },
    )
  })

  test('any form with a single change is refused', () => {
    const changed = fc.tuple(target, pairs, fc.nat(), fc.constantFrom('value', 'name', 'field', 'target', 'key'))
    fc.assert(
      fc.property(changed, ([aTarget, fields, choice, change]) => {
        const signature = sign(`https://${HOST}${aTarget}`, encode(fields))
        const place = fields.length === 0 ? 0 : choice % fields.length
        const [name = '', value = ''] = fields[place] ?? []
        const rest = fields.filter((_, index) => index !== place)
        const body = {
          value: encode([...rest, [name || 'n', `${value}x`]]),
          name: encode([...rest, [`${name}x`, value]]),
          field: encode([...fields, [`new${choice}`, '']]),
          target: encode(fields),
          key: encode(fields),
        }[change]
        const request = {
          target: change === 'target' ? `${aTarget}x` : aTarget,
          body,
          signature,
          tokens: [change === 'key' ? `${LONG_TOKEN}x` : LONG_TOKEN],
        }
        expect(isAccepted(request)).toBe(false)
      }),
      { numRuns: 500 },
    )
  })
})

test('the form type is what the SDK takes', () => {
  const form: Form = { a: ['1', '2'], b: '3' }
  expect(getExpectedTwilioSignature(TOKEN, 'https://h/', form)).toHaveLength(28)
})

describe("the SDK's validator", () => {
  const host = fc.constantFrom(
    'h.example',
    'h.example:443',
    'h.example:8443',
    'u:p@h.example',
    '[::1]',
    '[::1]:8443',
    'h.example:',
    'H.Example',
  )
  const character = fc.constantFrom(
    'a',
    '/',
    '?',
    '&',
    '=',
    "'",
    '%27',
    '%2B',
    '+',
    ' ',
    '"',
    '%',
    'ü',
    '.',
    '..',
    ';',
    '|',
  )
  const rest = fc.array(character, { maxLength: 12 }).map((characters) => `/${characters.join('')}`)
  const value = fc.string({ unit: 'grapheme', maxLength: 4 })
  const values = fc.oneof(value, fc.array(value, { minLength: 1, maxLength: 4 }))
  const form: fc.Arbitrary<Form> = fc.dictionary(fc.string({ maxLength: 4 }), values, { maxKeys: 6 })
  /** What may have been signed instead of the address as it stands. */
  const spelling = fc.constantFrom(
    (url: string) => url,
    (url: string) => url.replace(/^(https:\/\/[^/]*?)(:\d*)?\//, '$1:443/'),
    (url: string) => url.replace(/^(https:\/\/[^/]*?)(:\d*)?\//, '$1/'),
    (url: string) => (URL.canParse(url) ? new URL(url).toString() : url),
    (url: string) => (URL.canParse(url) ? new URL(url).toString().replaceAll("'", '%27') : url),
    (url: string) => url.replaceAll("'", '%27').replaceAll('+', '%20'),
    (url: string) => `${url}x`,
  )

  test('accepts and refuses the same requests', async () => {
    await fc.assert(
      fc.asyncProperty(host, rest, form, spelling, async (aHost, aRest, fields, spell) => {
        const url = `https://${aHost}${aRest}`
        const signature = getExpectedTwilioSignature(TOKEN, spell(url), fields)
        const request = { authTokens: [TOKEN], signature, urls: [url], form: fields }
        const expected = accepts(url, signature, fields)
        expect(telcoSignatureMatches(request), `${url} as ${spell(url)}`).toBe(expected)
        expect(await largeSignatureMatches(request)).toBe(expected)
      }),
      { numRuns: 2_000 },
    )
  })

  /** It throws for addresses that are none. */
  function accepts(url: string, signature: string, fields: Form): boolean {
    try {
      return validateRequest(TOKEN, signature, url, fields)
    } catch {
      return false
    }
  }
})

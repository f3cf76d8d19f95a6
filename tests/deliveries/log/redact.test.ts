import fc from 'fast-check'
import { expect, it } from 'vitest'
import { redactHeaders, redactText } from '../../../src/deliveries/log/redact.ts'

it('secret headers are masked, others are kept', () => {
  const headers = {
    authorization: 'Bearer x',
    cookie: 'a=b',
    'x-voiceai-agent-token': 'x',
    'user-agent': 'agent',
    'x-list': ['a', 'b'],
    'x-none': undefined,
  }
  expect(redactHeaders(headers, [])).toEqual({
    authorization: '****',
    cookie: '****',
    'x-voiceai-agent-token': '****',
    'user-agent': 'agent',
    'x-list': 'a, b',
  })
})

it('a secret is found wherever it stands', () => {
  const secret = fc.string({ minLength: 8, maxLength: 40 }).filter((text) => !text.includes('*'))
  fc.assert(
    fc.property(secret, fc.string(), fc.string(), (text, before, after) => {
      const whole = `${before}${text}${after}${text}`
      expect(redactText(whole, [text])).not.toContain(text)
      expect(Object.values(redactHeaders({ 'x-any': whole }, [text])).join('')).not.toContain(text)
    }),
  )
})

it('a long header is cut after its secrets are gone', () => {
  const secret = 'sixteen-letters!'
  const header = `${'x'.repeat(995)}${secret}`
  expect(redactHeaders({ 'x-long': header }, [secret])['x-long']).toBe(`${'x'.repeat(995)}****`)
})

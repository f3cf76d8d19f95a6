import fc from 'fast-check'
import { expect, test } from 'vitest'
import { maskSecrets } from '../../../src/platform/secrets/mask-secrets.ts'

const SECRET = 'a-token/that+opens=much'

test.each([
  ['as it is', SECRET],
  ['percent-encoded', encodeURIComponent(SECRET)],
  ['in base64', Buffer.from(SECRET).toString('base64')],
  ['in the header of Basic authentication', Buffer.from(`AC0123:${SECRET}`).toString('base64')],
  ['in base64 for addresses', Buffer.from(`x${SECRET}`).toString('base64url')],
])('a secret is masked %s', (_how, written) => {
  expect(maskSecrets(`refused: ${written}, sorry`, [SECRET])).toBe('refused: ****, sorry')
})

test('a secret is masked in base64 whatever stands around it, and another text is left alone', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 20 }), fc.string({ maxLength: 20 }), (before, after) => {
      const written = Buffer.from(`${before}${SECRET}${after}`).toString('base64')
      expect(maskSecrets(`(${written})`, [SECRET])).toBe('(****)')
    }),
  )
  const innocent = `The record ${Buffer.from('nothing of ours is in here').toString('base64')} is unknown.`
  expect(maskSecrets(innocent, [SECRET, ''])).toBe(innocent)
})

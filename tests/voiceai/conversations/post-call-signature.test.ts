import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isTimely, readSignature, SignatureCheck } from '../../../src/voiceai/conversations/post-call-signature.ts'
import { digestOf } from '../../fixtures/post-call.ts'
import { anyCharacter } from '../../support/any-text.ts'

const parse = (header: string) => readSignature({ 'voiceai-signature': header })

const digest = fc.stringMatching(/^[0-9a-f]{64}$/)
const seconds = fc.integer({ min: 0, max: 999_999_999_999 })
const spaces = fc.stringMatching(/^ {0,3}$/)
/** A pair that means nothing to us. */
const otherPair = fc
  .stringMatching(/^[a-su-z][a-z0-9]{0,5}=?[a-z0-9=]{0,10}$/)
  .filter((pair) => !/^(t|v0)(=|$)/.test(pair))

describe('the signature header', () => {
  it('reads the time and every digest, in any order and with anything beside them', () => {
    fc.assert(
      fc.property(
        seconds,
        fc.array(digest, { minLength: 1, maxLength: 4 }),
        fc.array(otherPair, { maxLength: 4 }),
        spaces,
        fc.infiniteStream(fc.nat()),
        (time, digests, others, space, order) => {
          const pairs = [`t=${time}`, ...digests.map((each) => `v0=${each}`), ...others]
          const shuffled = pairs.map((pair) => ({ pair, at: order.next().value ?? 0 })).toSorted((a, b) => a.at - b.at)
          const header = shuffled.map(({ pair }) => `${space}${pair}${space}`).join(',')
          const parsed = parse(header)
          if (typeof parsed === 'string') throw new Error(`${header}: ${parsed}`)
          expect([parsed.timestamp, parsed.seconds]).toEqual([String(time), time])
          expect(parsed.digests.map((each) => each.toString('hex')).toSorted()).toEqual(digests.toSorted())
        },
      ),
    )
  })

  it('a signature header of anything is read or refused, never thrown over, and what is read is whole', () => {
    const header = fc.oneof(
      fc.string({ maxLength: 300 }),
      fc.string({ unit: anyCharacter, maxLength: 300 }),
      fc.stringMatching(/^[tv01=,; a-f]{0,200}$/),
    )
    fc.assert(
      fc.property(header, (text) => {
        const parsed = parse(text)
        if (typeof parsed === 'string') {
          expect(parsed).not.toBe('')
          return
        }
        expect(parsed.timestamp).toMatch(/^\d{1,12}$/)
        expect(parsed.digests.length).toBeGreaterThan(0)
        for (const each of parsed.digests) expect(each).toHaveLength(32)
      }),
    )
  })

  it('finds no digest in one that was changed by a single character', () => {
    fc.assert(
      fc.property(
        digest,
        fc.integer({ min: 0, max: 63 }),
        fc.constantFrom('g', 'A', ' ', '=', '-', ''),
        (hex, at, other) => {
          expect(typeof parse(`t=1,v0=${hex.slice(0, at)}${other}${hex.slice(at + 1)}`)).toBe('string')
        },
      ),
    )
  })

  it('a very long signature header is given up at once', () => {
    expect(parse('t=1,'.repeat(1_000_000))).toBe('The signature header is too long.')
  })
})

describe('readSignature', () => {
  it("prefers the contract's header and takes the provider's where that is not there or blank", () => {
    const [own, other] = ['a'.repeat(64), 'b'.repeat(64)]
    const read = (headers: Record<string, string | string[]>) => {
      const signature = readSignature(headers)
      return typeof signature === 'string' ? signature : signature.digests[0]?.toString('hex')
    }
    expect(read({ 'voiceai-signature': `t=1,v0=${own}`, 'elevenlabs-signature': `t=1,v0=${other}` })).toBe(own)
    expect(read({ 'elevenlabs-signature': `t=1,v0=${other}` })).toBe(other)
    expect(read({ 'voiceai-signature': ' ', 'elevenlabs-signature': `t=1,v0=${other}` })).toBe(other)
    expect(read({ 'voiceai-signature': [`t=1,v0=${own}`] })).toBe('The signature header is missing.')
    expect(read({})).toBe('The signature header is missing.')
  })
})

describe('isTimely', () => {
  it('holds exactly within the tolerance, to both sides', () => {
    fc.assert(
      fc.property(seconds, fc.integer({ min: -4_000_000, max: 4_000_000 }), (time, offMs) => {
        const signature = { timestamp: String(time), seconds: time, digests: [] }
        const now = new Date(time * 1_000 + offMs)
        expect(isTimely(signature, now)).toBe(Math.abs(Math.floor(offMs / 1_000)) <= 30 * 60)
      }),
    )
  })
})

describe('SignatureCheck', () => {
  it('SignatureCheck is right for the digest of the bytes under one of the secrets, however they are cut, and for no other', () => {
    fc.assert(
      fc.property(
        fc.array(fc.uint8Array({ maxLength: 50 }), { maxLength: 5 }),
        fc.array(fc.string({ minLength: 1 }), { minLength: 1, maxLength: 3 }),
        seconds,
        fc.nat(),
        (pieces, secrets, time, chosen) => {
          const body = Buffer.concat(pieces)
          const timestamp = String(time)
          const secret = secrets[chosen % secrets.length] ?? ''
          const right = Buffer.from(digestOf(body, secret, timestamp), 'hex')
          const wrong = Buffer.from(right)
          wrong[chosen % 32] = (wrong[chosen % 32] ?? 0) ^ 1
          const verdict = (digests: Buffer[]): boolean => {
            const check = new SignatureCheck({ timestamp, seconds: time, digests }, secrets)
            for (const piece of pieces) check.update(Buffer.from(piece))
            return check.isRight()
          }
          expect([verdict([right]), verdict([wrong]), verdict([wrong, right]), verdict([right, wrong])]).toEqual([
            true,
            false,
            true,
            true,
          ])
        },
      ),
    )
  })

  it('no signature is right without a secret', () => {
    const digests = [Buffer.from(digestOf('', '', '1'), 'hex')]
    expect(new SignatureCheck({ timestamp: '1', seconds: 1, digests }, []).isRight()).toBe(false)
  })
})

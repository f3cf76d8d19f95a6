import { expect, test } from 'vitest'
import { isTooComplex } from '../src/json.ts'

const LIMITS = { colons: 100, marks: 1_000 }
const long = (text: string): Buffer => Buffer.from(text + ' '.repeat(40_000))

test('a long text with more names or values than the limits is too complex to be parsed', () => {
  for (const mark of [',', '[', '{', '\\']) {
    expect(isTooComplex(long(mark.repeat(1_000)), LIMITS)).toBe(false)
    expect(isTooComplex(long(mark.repeat(1_001)), LIMITS)).toBe(true)
  }
  expect(isTooComplex(long(':'.repeat(100)), LIMITS)).toBe(false)
  expect(isTooComplex(long(':'.repeat(101)), LIMITS)).toBe(true)
})

test('a short text never is', () => {
  expect(isTooComplex(Buffer.from('['.repeat(32 * 1024)), LIMITS)).toBe(false)
})

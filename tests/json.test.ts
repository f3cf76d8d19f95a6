import { expect, test } from 'vitest'
import { isTooComplex, isTooDeep, parseJson } from '../src/json.ts'

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

test('nesting is counted in the structure of a text only, not in its words', () => {
  const deep = (levels: number): Buffer => Buffer.from(`${'[{"a":'.repeat(levels / 2)}1${'}]'.repeat(levels / 2)}`)
  expect(isTooDeep(deep(100), 100)).toBe(false)
  expect(isTooDeep(deep(102), 100)).toBe(true)
  expect(isTooDeep(Buffer.from(JSON.stringify(['[{'.repeat(200), '\\"[[[', '\\', '[['.repeat(200)])), 2)).toBe(false)
  expect(isTooDeep(Buffer.from('[[],[],[[]]]'), 2)).toBe(true)
})

test('a byte order mark before a text is none of it', () => {
  expect(parseJson('\ufeff{"a":1}')).toEqual({ a: 1 })
  expect(parseJson('\ufeff\ufeff{}', 'none')).toBe('none')
})

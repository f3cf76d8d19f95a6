import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { firstValues, hasTooManyFields, one, parseForm } from '../../../src/telco/webhooks/form.ts'

/** What the provider's SDK is at home with (docs/reference/providers.md#signed-forms). */
const FORM_FIELDS_MAX = 1000

const parse = (body: string) => parseForm(Buffer.from(body))

describe('a form is read exactly', () => {
  test.each([
    ['a=1&b=2', { a: '1', b: '2' }],
    ['', {}],
    ['a=&b', { a: '', b: '' }],
    ['Tag=b&Tag=a&Tag=b', { Tag: ['b', 'a', 'b'] }],
    ['Body=a+b%2Bc%20d', { Body: 'a b+c d' }],
    ['Body=%D0%9F%D1%80+%E2%98%8E', { Body: 'Пр ☎' }],
    ['Body=Пр', { Body: 'Пр' }],
    ['ProfileName=Zo%C3%AB++%CE%94', { ProfileName: 'Zoë  Δ' }],
    ['a=%&b=%zz&c=%4', { a: '%', b: '%zz', c: '%4' }],
    ['a=%FF', { a: '\uFFFD' }],
    ['a[]=1&a[b]=2', { 'a[]': '1', 'a[b]': '2' }],
    ['a=b=c&=d', { a: 'b=c', '': 'd' }],
    ['&&a=1&', { a: '1' }],
    ['?a=1', { '?a': '1' }],
    [' a = 1 ', { ' a ': ' 1 ' }],
  ])('%j', (body, expected) => {
    expect({ ...parse(body) }).toEqual(expected)
  })
})

test('a field may have any name, and changes nothing else', () => {
  const form = parse('__proto__=x&constructor=y&__proto__=z&hasOwnProperty=1')
  expect(Object.getPrototypeOf(form)).toBeNull()
  expect(Object.entries(form)).toEqual([
    ['__proto__', ['x', 'z']],
    ['constructor', 'y'],
    ['hasOwnProperty', '1'],
  ])
  expect(one(form, '__proto__')).toBe('x')
  expect(one(parse(''), '__proto__')).toBe('')
  expect(Object.getPrototypeOf({})).toBe(Object.prototype)
})

test('more fields than the provider can send are counted from the bytes', () => {
  const fields = (count: number) => Buffer.from(Array.from({ length: count }, (_, index) => `f${index}=1`).join('&'))
  expect(hasTooManyFields(fields(FORM_FIELDS_MAX))).toBe(false)
  expect(Object.keys(parseForm(fields(FORM_FIELDS_MAX)))).toHaveLength(FORM_FIELDS_MAX)
  expect(hasTooManyFields(fields(FORM_FIELDS_MAX + 1))).toBe(true)
  expect(hasTooManyFields(Buffer.from('&'.repeat(FORM_FIELDS_MAX)))).toBe(true)
  expect(hasTooManyFields(Buffer.from(''))).toBe(false)
})

test('rules see the first value of a field', () => {
  const form = parse('a=1&a=2&b=3')
  expect([one(form, 'a'), one(form, 'b'), one(form, 'c')]).toEqual(['1', '3', ''])
  expect({ ...firstValues(form) }).toEqual({ a: '1', b: '3' })
})

test('whatever was encoded comes back, and any bytes are read without an error', () => {
  const pairs = fc.array(fc.tuple(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' })), { maxLength: 8 })
  fc.assert(
    fc.property(pairs, (sent) => {
      const form = parse(new URLSearchParams(sent).toString())
      for (const [name] of sent) {
        const values = sent.filter(([other]) => other === name).map(([, value]) => value)
        expect([form[name]].flat()).toEqual(values)
      }
    }),
    { numRuns: 300 },
  )
  fc.assert(fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => typeof parseForm(Buffer.from(bytes)) === 'object'))
})

test('any text is read as the parser of the web platform reads it', () => {
  // Plain ASCII, as it is sent: Node's parser cuts other characters short where a wrong percent-encoding follows.
  const unit = fc.constantFrom(
    'a',
    'B',
    '=',
    '&',
    '+',
    '%',
    '%4',
    '%41',
    '%e2',
    '%82',
    '%AC',
    '%zz',
    '%2',
    '?',
    '%C3%BC',
    '%00',
    '%EF%BB%BF',
  )
  fc.assert(
    fc.property(fc.array(unit, { maxLength: 40 }), (units) => {
      const text = units.join('')
      const expected: [string, string[]][] = []
      for (const [name, value] of new URLSearchParams(`&${text}`)) {
        const known = expected.find(([other]) => other === name)
        if (known === undefined) expected.push([name, [value]])
        else known[1].push(value)
      }
      expect(Object.entries(parse(text)).map(([name, values]) => [name, [values].flat()])).toEqual(expected)
    }),
    { numRuns: 2_000 },
  )
})

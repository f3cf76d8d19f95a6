import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cleanText, ID_MAX, isAbsent, readFlag, readId, readText } from '../src/lenient-values.ts'

const absent = { kind: 'absent' }
const invalid = { kind: 'invalid' }
const present = (value: unknown) => ({ kind: 'present', value })
const codeUnits = fc.array(fc.integer({ min: 0, max: 0xffff })).map((units) => String.fromCharCode(...units))
const anything = fc.anything({ withBigInt: true, withDate: true, withNullPrototype: true })

describe('isAbsent', () => {
  it.each([[null], [undefined], [''], ['  \t\n'], ['None'], ['none'], [' NONE '], ['null'], ['NULL'], ['undefined']])(
    'counts %j as nothing sent',
    (value) => {
      expect(isAbsent(value)).toBe(true)
    },
  )

  it.each([[0], [true], ['0'], ['nobody'], ['nonexistent'], [{}], [[]], [Number.NaN]])('counts %j as sent', (value) => {
    expect(isAbsent(value)).toBe(false)
  })
})

describe('readId', () => {
  it.each([
    [7, 7],
    ['7', 7],
    [' 7 ', 7],
    ['007', 7],
    [7.0, 7],
    ['7.0', 7],
    ['7.000', 7],
    [1, 1],
    [ID_MAX, ID_MAX],
    [String(ID_MAX), ID_MAX],
  ])('reads %j as %d', (value, id) => {
    expect(readId(value)).toEqual(present(id))
  })

  it.each([[''], [' '], ['None'], ['null'], [null], [undefined], [false]])('reads %j as absent', (value) => {
    expect(readId(value)).toEqual(absent)
  })

  it.each([
    [0],
    ['0'],
    [-1],
    ['-1'],
    [1.5],
    ['1.5'],
    ['7.01'],
    ['7.'],
    [ID_MAX + 1],
    [String(ID_MAX + 1)],
    ['99999999999999999999'],
    [1e21],
    [Number.NaN],
    [Number.POSITIVE_INFINITY],
    ['1e3'],
    ['0x7'],
    ['+7'],
    ['7 8'],
    ['7; drop table'],
    ['seven'],
    ['٧'],
    [true],
    [{}],
    [[7]],
    [7n],
  ])('refuses %s', (value) => {
    expect(readId(value)).toEqual(invalid)
  })

  it('reads back every id, as number and as text', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: ID_MAX }), (id) => {
        expect(readId(id)).toEqual(present(id))
        expect(readId(` ${id} `)).toEqual(present(id))
      }),
    )
  })

  it('readId never throws, and only ever yields ids that the database can hold', () => {
    fc.assert(
      fc.property(anything, (value) => {
        const reading = readId(value)
        if (reading.kind !== 'present') return
        expect(Number.isInteger(reading.value)).toBe(true)
        expect(reading.value).toBeGreaterThan(0)
        expect(reading.value).toBeLessThanOrEqual(ID_MAX)
      }),
    )
  })
})

describe('readText', () => {
  it.each([
    ['hello', 'hello'],
    ['  hello \n', 'hello'],
    [101, '101'],
    [14155550100, '14155550100'],
    [-0, '0'],
    ['a\u0000b', 'ab'],
    ['two\nlines\tand a tab', 'two\nlines\tand a tab'],
    ['0', '0'],
    ['Nonee', 'Nonee'],
    ['x'.repeat(20), 'x'.repeat(20)],
  ])('reads %j', (value, text) => {
    expect(readText(value, 25)).toEqual(present(text))
  })

  it.each([[''], ['   '], ['None'], [null], [undefined], [false], ['\u0000'], ['\u0000 None']])(
    'reads %j as absent',
    (value) => {
      expect(readText(value, 10)).toEqual(absent)
    },
  )

  it.each([[{}], [['a']], [true], [5n]])('refuses %s', (value) => {
    expect(readText(value, 10)).toEqual(invalid)
  })

  it('refuses text over the limit and keeps text at the limit', () => {
    expect(readText('x'.repeat(10), 10)).toEqual(present('x'.repeat(10)))
    expect(readText('x'.repeat(11), 10)).toEqual(invalid)
    expect(readText(`  ${'x'.repeat(10)}  `, 10)).toEqual(present('x'.repeat(10)))
  })

  it('readText never throws, and yields trimmed text within the limit', () => {
    fc.assert(
      fc.property(fc.oneof(anything, codeUnits), (value) => {
        const reading = readText(value, 12)
        if (reading.kind !== 'present') return
        expect(reading.value).toBe(reading.value.trim())
        expect(reading.value.length).toBeGreaterThan(0)
        expect(reading.value.length).toBeLessThanOrEqual(12)
      }),
    )
  })
})

describe('readFlag', () => {
  it.each([[true], [1], ['1'], ['1.0'], ['true'], ['True'], [' YES ']])('reads %j as yes', (value) => {
    expect(readFlag(value)).toBe(true)
  })

  it.each([
    [false],
    [0],
    [2],
    ['0'],
    ['false'],
    ['no'],
    [''],
    ['None'],
    [null],
    [undefined],
    [{}],
    [[true]],
    ['truely'],
  ])('reads %j as no', (value) => {
    expect(readFlag(value)).toBe(false)
  })
})

describe('cleanText', () => {
  it('drops control characters but keeps tab and line ends', () => {
    expect(cleanText('a\u0000b\u0007c\u001bd\te\r\nf\u007fg\u0085h')).toBe('abcd\te\r\nfgh')
  })

  it('replaces lone surrogates and keeps whole pairs', () => {
    expect(cleanText('a\ud800b')).toBe('a\ufffdb')
    expect(cleanText('\udc00\ud83d')).toBe('\ufffd\ufffd')
    expect(cleanText('grüezi 👋🏽 שלום')).toBe('grüezi 👋🏽 שלום')
  })

  it('makes any text storable, and changes nothing the second time', () => {
    fc.assert(
      fc.property(codeUnits, (text) => {
        const clean = cleanText(text)
        expect(clean.isWellFormed()).toBe(true)
        expect(clean.includes('\u0000')).toBe(false)
        expect(cleanText(clean)).toBe(clean)
      }),
    )
  })
})

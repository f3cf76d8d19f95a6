import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { recordId, text } from '../../../src/deliveries/tools/tool-arguments.ts'
import { Refusal } from '../../../src/errors.ts'
import { anyCharacter } from '../../support/any-text.ts'

const ID_MAX = Number.MAX_SAFE_INTEGER

const required = { required: 'agent-ticket-id-required' } as const

function refusalOf(work: () => unknown): string {
  try {
    work()
  } catch (error) {
    if (error instanceof Refusal && error.kind === 'malformed') return error.message
    throw error
  }
  throw new Error('it was not refused')
}

describe('ids', () => {
  it('ids are read from numbers and from texts alike', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: ID_MAX }), (id) => {
        for (const given of [id, String(id), ` ${id} `, `${id}.0`, `0${id}`.slice(-10)]) {
          if (Number(given) === id) expect(recordId(required).read(given, 'call_id')).toBe(id)
        }
      }),
    )
  })

  it('ids read from anything else are missing or refused, never something else', () => {
    fc.assert(
      fc.property(fc.anything(), (value) => {
        const id = recordId({ isLenient: true }).read(value, 'call_id')
        if (id === undefined) return
        expect(Number.isInteger(id) && id >= 1 && id <= ID_MAX).toBe(true)
        expect(Number(value)).toBe(id)
      }),
    )
  })

  it('ids that are missing and that are wrong get different sentences', () => {
    for (const value of [undefined, null, '', ' ', 'None', false, 'False']) {
      expect(refusalOf(() => recordId(required).read(value, 'a'))).toBe('Ticket ID is required')
      expect(recordId({}).read(value, 'a')).toBeUndefined()
    }
    for (const value of ['x', 0, -1, 1.5, ID_MAX + 1, [], {}]) {
      expect(refusalOf(() => recordId(required).read(value, 'a'))).toBe('The a must be a number.')
      expect(refusalOf(() => recordId({}).read(value, 'a'))).toBe('The a must be a number.')
      expect(recordId({ isLenient: true }).read(value, 'a')).toBeUndefined()
    }
  })
})

describe('texts', () => {
  it('texts that may be cut lose their end, and no half of a character is left', () => {
    const said: string[] = []
    const cut = text({ charsMax: 5, isCut: true }).read('abc🔥efg', 'a', (sentence) => said.push(sentence))
    expect([cut, said]).toEqual(['abc…', ['The a was cut to 5 characters.']])
  })

  it('texts are trimmed, and refused past their length, never cut', () => {
    expect(text({}).read(' x ', 'a')).toBe('x')
    expect(text({}).read('x'.repeat(1_000), 'a')).toHaveLength(1_000)
    expect(refusalOf(() => text({}).read('x'.repeat(1_001), 'a'))).toBe(
      'The a must be a text of at most 1000 characters.',
    )
    for (const value of [undefined, null, ' ', 'None', false, 'false']) {
      expect(refusalOf(() => text(required).read(value, 'a'))).toBe('Ticket ID is required')
      expect(text({}).read(value, 'a')).toBeUndefined()
    }
  })

  it('texts read from anything are missing, refused, or can be stored', () => {
    fc.assert(
      fc.property(fc.oneof(fc.anything(), fc.string({ unit: anyCharacter })), (value) => {
        let found: string | undefined
        try {
          found = text({}).read(value, 'a')
        } catch (error) {
          expect(error).toBeInstanceOf(Refusal)
        }
        if (found === undefined) return
        expect(found).toBe(found.trim())
        expect(found.isWellFormed()).toBe(true)
        expect(found).not.toContain('\0')
      }),
    )
  })
})

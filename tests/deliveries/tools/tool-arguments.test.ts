import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  optionalIdArgument,
  requireIdArgument,
  requireTextArgument,
  textArgument,
} from '../../../src/deliveries/tools/tool-arguments.ts'
import { Refusal } from '../../../src/errors.ts'
import { anyCharacter } from '../../support/any-text.ts'

const ID_MAX = Number.MAX_SAFE_INTEGER

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
  it('are read from numbers and from texts alike', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: ID_MAX }), (id) => {
        for (const given of [id, String(id), ` ${id} `, `${id}.0`, `0${id}`.slice(-10)]) {
          if (Number(given) === id) expect(requireIdArgument({ call_id: given }, 'call_id', 'missing')).toBe(id)
        }
      }),
    )
  })

  it('of anything else are missing or refused, never something else', () => {
    fc.assert(
      fc.property(fc.anything(), (value) => {
        const id = optionalIdArgument({ call_id: value }, 'call_id', true)
        if (id === undefined) return
        expect(Number.isInteger(id) && id >= 1 && id <= ID_MAX).toBe(true)
        expect(Number(value)).toBe(id)
      }),
    )
  })

  it('that are missing and that are wrong get different sentences', () => {
    for (const value of [undefined, null, '', ' ', 'None', false]) {
      expect(refusalOf(() => requireIdArgument({ a: value }, 'a', 'It is missing.'))).toBe('It is missing.')
      expect(optionalIdArgument({ a: value }, 'a')).toBeUndefined()
    }
    for (const value of ['x', 0, -1, 1.5, ID_MAX + 1, [], {}]) {
      expect(refusalOf(() => requireIdArgument({ a: value }, 'a', 'It is missing.'))).toBe('The a must be a number.')
      expect(refusalOf(() => optionalIdArgument({ a: value }, 'a'))).toBe('The a must be a number.')
      expect(optionalIdArgument({ a: value }, 'a', true)).toBeUndefined()
    }
  })

  it('are not found in what objects have by nature', () => {
    expect(refusalOf(() => requireIdArgument({}, 'constructor', 'It is missing.'))).toMatch(/number|missing/)
  })
})

describe('texts', () => {
  it('are trimmed, and refused past their length, never cut', () => {
    expect(textArgument({ a: ' x ' }, 'a')).toBe('x')
    expect(textArgument({ a: 'x'.repeat(1_000) }, 'a')).toHaveLength(1_000)
    expect(refusalOf(() => textArgument({ a: 'x'.repeat(1_001) }, 'a'))).toBe(
      'The a must be a text of at most 1000 characters.',
    )
    expect(refusalOf(() => requireTextArgument({ a: ' ' }, 'a', 'It is missing.'))).toBe('It is missing.')
  })

  it('of anything are missing, refused, or can be stored', () => {
    fc.assert(
      fc.property(fc.oneof(fc.anything(), fc.string({ unit: anyCharacter })), (value) => {
        let text: string | undefined
        try {
          text = textArgument({ a: value }, 'a')
        } catch (error) {
          expect(error).toBeInstanceOf(Refusal)
        }
        if (text === undefined) return
        expect(text).toBe(text.trim())
        expect(text.isWellFormed()).toBe(true)
        expect(text).not.toContain('\0')
      }),
    )
  })
})

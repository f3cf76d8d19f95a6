import fc from 'fast-check'

const SURROGATES = { first: 0xd800, last: 0xdfff }
const CODE_POINT_MAX = 0x10ffff

/**
 * Any character but half a surrogate pair, as the unit of a text: what fast-check calls 'binary', without the table of all
 * 1.1 million of them, which takes a second to make.
 */
export const anyCharacter: fc.Arbitrary<string> = fc
  .oneof(
    fc.integer({ min: 0, max: SURROGATES.first - 1 }),
    fc.integer({ min: SURROGATES.last + 1, max: CODE_POINT_MAX }),
  )
  .map((codePoint) => String.fromCodePoint(codePoint))

import { expect, test } from 'vitest'
import { countWords, shortened, wordDifference } from '../../web/agents/word-difference.ts'

const marked = (before: string, after: string) =>
  wordDifference(before, after)
    .map(({ kind, text }) => ({ same: text, added: `+${text}+`, removed: `-${text}-` })[kind])
    .join('')

test.each([
  ['You help callers.', 'You help callers.', 'You help callers.'],
  ['You help callers.', 'You help callers well.', 'You help -callers.-+callers well.+'],
  ['', 'New text', '+New text+'],
  ['Old text', '', '-Old text-'],
  ['one two three four', 'one 2 three 4', 'one -two -+2 +three -four-+4+'],
  ['# A\nsay hello\n', '# A\n\nsay hello\n', '# A\n\nsay hello\n'],
])('the words of %j that come and go in %j are marked', (before, after, wanted) => {
  expect(marked(before, after)).toBe(wanted)
  const pieces = wordDifference(before, after)
  const without = (kind: string) => pieces.filter((piece) => piece.kind !== kind).map(({ text }) => text)
  expect(without('removed').join('')).toBe(after)
  expect(without('added').join('').replaceAll(/\s+/g, ' ')).toBe(before.replaceAll(/\s+/g, ' '))
})

test('the words of a difference are counted', () => {
  expect(countWords(wordDifference('one two three', 'one 2 3 three'))).toEqual({ added: 2, removed: 1 })
})

test('long runs of words that stay are left out of a shown difference', () => {
  const many = Array.from({ length: 100 }, (_, at) => `w${at}`).join(' ')
  const shown = shortened(wordDifference(`${many} old ${many}`, `${many} new ${many}`))
  expect(shown.map((piece) => piece?.kind)).toEqual([undefined, 'same', 'removed', 'added', 'same', undefined])
})

test('texts of many thousand words are compared by lines', () => {
  const lines = (word: string) => Array.from({ length: 3_000 }, (_, at) => `line ${at} ${word}${at}\n`).join('')
  const before = lines('a')
  const after = before.replace('a0', 'b0').replace('a2999', 'b2999')
  expect(countWords(wordDifference(before, after))).toEqual({ added: 6, removed: 6 })
})

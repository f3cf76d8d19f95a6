// Texts by language or name, which a person writes in rows and the service stores as one value.
import { expect, test } from 'vitest'
import { rowsOfTexts, shownRows, textsOfRows } from '../../web/records/texts.ts'

test('rows are saved by their names, and one that is not filled in yet is not', () => {
  const rows = [
    { name: 'de', text: 'Guten Tag!' },
    { name: '', text: 'Bonjour' },
    { name: 'it', text: '' },
  ]
  expect(textsOfRows('texts_by_language', rows)).toEqual({ de: 'Guten Tag!' })
  expect(textsOfRows('texts_by_language', rows.slice(1))).toBeNull()
  expect(textsOfRows('texts', [{ name: '', text: 'https://example.com/{{1}}' }])).toEqual(['https://example.com/{{1}}'])
  expect(rowsOfTexts({ de: 'Guten Tag!' })).toEqual(rows.slice(0, 1))
  expect([rowsOfTexts(null), rowsOfTexts(['one'])]).toEqual([[], [{ name: '', text: 'one' }]])
})

test('rows stay while they are typed, and follow a value that was set elsewhere', () => {
  const typed = [
    { name: 'fr', text: 'Bonjour' },
    { name: 'de', text: 'Guten Tag!' },
    { name: '', text: '' },
  ]
  expect(shownRows('texts_by_language', typed, { de: 'Guten Tag!', fr: 'Bonjour' })).toBe(typed)
  expect(shownRows('texts_by_language', typed, null)).toEqual([])
  expect(shownRows('texts_by_language', [{ name: 'de', text: '' }], {})).toEqual([{ name: 'de', text: '' }])
})

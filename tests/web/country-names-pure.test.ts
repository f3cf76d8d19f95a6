// Countries are found by what people call them, in German and in English.
import { expect, it } from 'vitest'
import { countriesIn, countriesMatching } from '../../web/records/country-names.ts'

const COUNTRIES = [
  { id: 1, name: 'Austria', code: 'AT' },
  { id: 2, name: 'Germany', code: 'DE' },
  { id: 3, name: 'Switzerland', code: 'CH' },
  { id: 4, name: 'United Kingdom', code: 'GB' },
  { id: 5, name: 'Ukraine', code: 'UA' },
]
const found = (language: string, wanted: string) =>
  countriesMatching(countriesIn(language, COUNTRIES), wanted).map(({ name }) => name)

it.each([
  ['de', 'schweiz', ['Schweiz']],
  ['de', 'Osterr', ['Österreich']],
  ['de', 'Switz', ['Schweiz']],
  ['de', 'ch', ['Schweiz', 'Deutschland', 'Österreich', 'Vereinigtes Königreich']],
  ['en', 'Switz', ['Switzerland']],
  ['en', 'AT', ['Austria']],
  ['en', 'Schweiz', []],
])('a country looked for in %s as "%s" is found: %s', (language, wanted, names) => {
  expect(found(language, wanted).toSorted()).toEqual(names.toSorted())
})

it.each(['UK', 'gb', 'Great Britain', 'England'])('somebody in Britain finds it first as "%s"', (wanted) => {
  expect(found('en', wanted)[0]).toBe('United Kingdom')
  expect(found('de', wanted)[0]).toBe('Vereinigtes Königreich')
})

it('countries stand in the order of the language', () => {
  expect(countriesIn('de', COUNTRIES).map(({ name }) => name)).toEqual([
    'Deutschland',
    'Österreich',
    'Schweiz',
    'Ukraine',
    'Vereinigtes Königreich',
  ])
})

// Languages are chosen by name, wherever the page has a field for one.
import { expect, test } from 'vitest'
import { addMethods, createModels } from '../../src/app/models.ts'
import { widgetOf } from '../../src/platform/api/field-places.ts'
import { LANGUAGES } from '../../src/platform/geography/geography-data.ts'
import { telcoOperations } from '../../src/telco/described-routes.ts'
import { phoneDirectory } from '../../src/telco/routing/phone-directory.ts'
import { languageChoices, languageName, languagesMatching, languageTitle } from '../../web/words/languages.ts'

const models = addMethods(createModels(), [telcoOperations({ client: {} as never, directory: phoneDirectory })])

test('the language of a contact is chosen from the list of languages', () => {
  const lang = models.get('res.partner')?.fields.lang
  expect(lang && widgetOf('lang', lang)).toEqual({ widget: 'language' })
})

test('a language is called by its name in the language of the reader, and an unknown code stays', () => {
  expect([languageName('fr_FR', 'en'), languageName('de_CH', 'de')]).toEqual([
    'French (France)',
    'Schweizer Hochdeutsch',
  ])
  expect(languageName('not a code', 'en')).toBe('not a code')
})

test('a language that the service names in English is called as in the list of languages', () => {
  const names = LANGUAGES.map(({ name }) => languageTitle(name, 'de'))
  expect(names.toSorted()).toEqual(
    languageChoices(null, 'de')
      .map(({ label }) => label)
      .toSorted(),
  )
  expect(languageTitle('Swiss High German', 'de')).toBe('Schweizer Hochdeutsch')
  expect(languageTitle('Klingon', 'de')).toBe('Klingon')
})

test.each([
  ['german', 'de_DE'],
  ['Deutsch', 'de_DE'],
  ['de', 'de_DE'],
  ['pt-br', 'pt_BR'],
])('what is typed as %s finds the language %s', (wanted, code) => {
  const reader = wanted === 'Deutsch' ? 'de' : 'en'
  expect(languagesMatching(languageChoices(null, reader), wanted).map(({ value }) => value)).toContain(code)
})

test('a language that is chosen and not among those of the service is kept in the list', () => {
  expect(languageChoices('is_IS', 'en')).toContainEqual({ value: 'is_IS', label: 'Icelandic (Iceland)' })
  expect(languageChoices('de_DE', 'en').filter(({ value }) => value === 'de_DE')).toHaveLength(1)
})

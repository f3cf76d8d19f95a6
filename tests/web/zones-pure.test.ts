// Time zones are chosen from the list of them, wherever the page has a field for one.
import { expect, test } from 'vitest'
import { addMethods, createModels } from '../../src/app/models.ts'
import { widgetOf } from '../../src/platform/api/field-places.ts'
import { telcoOperations } from '../../src/telco/described-routes.ts'
import { phoneDirectory } from '../../src/telco/routing/phone-directory.ts'
import { columnsOf, csvOf } from '../../web/records/export-rows.ts'
import { zoneCity, zoneName } from '../../web/words/zones.ts'
import { zonesMatching } from '../../web/words/zones-matching.ts'
import { readSources } from '../support/source-files.ts'

const ZONES = Intl.supportedValuesOf('timeZone')
const models = addMethods(createModels(), [telcoOperations({ client: {} as never, directory: phoneDirectory })])

test('a field that is a time zone is chosen from the list of zones, in settings, users, schedules, hours and contacts', () => {
  const zones = [...models].flatMap(({ name, fields }) =>
    Object.entries(fields)
      .filter(([, field]) => /time zone/i.test(field.label))
      .map(([field, declared]) => [`${name}.${field}`, widgetOf(field, declared).widget]),
  )
  expect(Object.fromEntries(zones)).toEqual({
    'res.partner.tz': 'time_zone',
    'res.users.tz': 'time_zone',
    'connect.settings.tz': 'time_zone',
    'resource.calendar.tz': 'time_zone',
    'calendar.event.tz': 'time_zone',
    'connect.telco.business_hours.tz': 'time_zone',
  })
})

test.each([
  ['Zurich', 'Europe/Zurich'],
  ['zürich', 'Europe/Zurich'],
  ['new york', 'America/New_York'],
  ['New_York', 'America/New_York'],
  ['america/new', 'America/New_York'],
  ['sao p', 'America/Sao_Paulo'],
])('the time zone %s finds %s first', (wanted, zone) => {
  expect(zonesMatching(ZONES, wanted, 'en-GB')[0]).toBe(zone)
})

test('a time zone that does not exist finds nothing, and one is shown without underscores', () => {
  expect(zonesMatching(ZONES, 'Nowhere', 'en-GB')).toEqual([])
  expect(zonesMatching(ZONES, ' ', 'en-GB')).toEqual(ZONES)
  expect(zoneName('America/New_York', 'en-GB')).toBe('America/New York')
})

test('a time zone is called as in German on a German page, and is found by either name', () => {
  expect(zoneName('Europe/Zurich', 'de-CH')).toBe('Europa/Zürich')
  expect(zoneName('America/Argentina/Buenos_Aires', 'de')).toBe('Amerika/Argentina/Buenos Aires')
  expect([zoneCity('Europe/Vienna', 'de-AT'), zoneCity('Europe/Vienna', 'en-GB')]).toEqual(['Wien', 'Vienna'])
  for (const wanted of ['wien', 'vienna', 'europa/wien']) {
    expect(zonesMatching(ZONES, wanted, 'de-AT')[0]).toBe('Europe/Vienna')
  }
})

test('a file names zones, and languages, in the language of its reader', () => {
  const field = (name: string, widget: string) => ({ name, type: 'char', string: name, widget }) as never
  const manner = { zone: 'Europe/Zurich', language: 'de-CH', yes: 'Ja', no: 'Nein' }
  const at = { name: 'start', type: 'datetime', string: 'Beginn' } as never
  const columns = columnsOf([at, field('tz', 'time_zone'), field('lang', 'language')], manner)
  const row = { start: '2026-01-15 11:00:00', tz: 'Europe/Vienna', lang: 'fr_FR' }
  const [labels, said] = csvOf(columns, [row]).split('\r\n')
  expect(labels).toBe('Beginn (Europa/Zürich),tz,lang')
  expect(said).toMatch(/,Europa\/Wien,Französisch/)
})

test('every list of time zones on the page is the one of the searchable picker', () => {
  const pages = readSources((file) => /^web\/.*\.tsx?$/.test(file))
  const lists = [...pages].filter(([, text]) => text.includes("supportedValuesOf('timeZone')")).map(([file]) => file)
  expect(lists).toEqual(['web/design/zone-select.tsx'])
})

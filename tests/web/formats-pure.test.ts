// How times, numbers and sizes are shown and read.
import { describe, expect, test } from 'vitest'
import {
  bytes,
  count,
  duration,
  groupNumbersBy,
  instantOfWall,
  phonesIn,
  plain,
  readerOf,
  readInstant,
  shortTime,
  startOfToday,
  wallTime,
  withDots,
} from '../../web/words/formats.ts'
import { money, moneyIn } from '../../web/words/money.ts'
import { decimal } from '../../web/words/numerals.ts'
import { asWrittenIn } from '../../web/words/swiss.ts'

const NOW = new Date('2026-11-22T21:00:00Z')
const ZURICH = { language: 'en-GB', zone: 'Europe/Zurich' }

describe('what is typed as a time', () => {
  test.each([
    ['2026-07-02 00:30', 'Europe/Zurich', '2026-07-01 22:30:00'],
    ['2026-12-02T09:00:05', 'America/New_York', '2026-12-02 14:00:05'],
    ['2026-03-29 03:30', 'Europe/Zurich', '2026-03-29 01:30:00'],
  ])('%s in %s is %s', (text, zone, instant) => {
    expect(instantOfWall(text, zone)).toBe(instant)
    expect(wallTime(instant, zone).startsWith(text.replace('T', ' '))).toBe(true)
  })
  test.each(['30.11.2026 10:00', '30.11.2026, 10:00', '30.11.2026 um 10:00', '2026-11-30 10:00'])(
    '%s is one moment',
    (text) => {
      expect(instantOfWall(text, 'Europe/Zurich')).toBe('2026-11-30 09:00:00')
      expect(withDots('2026-11-30 10:00:05')).toBe('30.11.2026 10:00:05')
      expect(instantOfWall('1.2.2026 9:05:07', 'UTC')).toBe('2026-02-01 09:05:07')
      expect(instantOfWall('30.13.2026 10:00', 'Europe/Zurich')).toBeUndefined()
    },
  )
  test('a word that is no time is nothing', () => expect(instantOfWall('tomorrow', 'Europe/Zurich')).toBeUndefined())
})

describe('formats', () => {
  test.each([
    [0, '0:00'],
    [23, '0:23'],
    [61.6, '1:02'],
    [3_723, '1:02:03'],
    [-5, '0:00'],
  ])('%d seconds are %s', (seconds, shown) => expect(duration(seconds)).toBe(shown))

  test.each([
    ['2026-11-22 20:45:06', '21:45'],
    ['2026-11-21 08:22:00', '21 Nov, 09:22'],
    ['2025-11-21 08:22:00', '21 Nov 2025, 09:22'],
  ])('%s is %s to a reader in Zurich', (at, shown) => expect(shortTime(readInstant(at), NOW, ZURICH)).toBe(shown))

  test.each([
    ['2026-11-22T21:00:00Z', 'Europe/Zurich', '2026-11-21 23:00:00'],
    ['2026-11-22T23:30:00Z', 'Europe/Zurich', '2026-11-22 23:00:00'],
    ['2026-11-22T03:30:00Z', 'America/New_York', '2026-11-21 05:00:00'],
    ['2026-10-25T22:59:59Z', 'Europe/Zurich', '2026-10-24 22:00:00'],
    ['2026-03-29T12:00:00Z', 'Europe/Zurich', '2026-03-28 23:00:00'],
  ])('the day of %s in %s began at %s', (now, zone, start) => expect(startOfToday(new Date(now), zone)).toBe(start))

  test.each([
    ['en', ['de-CH', 'de', 'en-US', 'en'], '21:45', 'Nov 21, 09:22'],
    ['en', ['en', 'de-DE'], '21:45', 'Nov 21, 09:22'],
    ['en', ['en-US', 'en', 'de-CH'], '09:45 PM', 'Nov 21, 09:22 AM'],
    ['en', ['en-GB', 'en'], '21:45', '21 Nov, 09:22'],
    ['de', ['en-US'], '21:45', '21. Nov., 09:22'],
    ['de', ['de-CH', 'de'], '21:45', '21. Nov., 09:22'],
    ['de', ['de'], '21:45', '21. Nov., 09:22'],
    ['en', ['C', 'en'], '09:45 PM', 'Nov 21, 09:22 AM'],
  ])('a page in %s in a browser of %j has the clock of its country: %s', (page, spoken, time, day) => {
    const reader = readerOf(page, { spoken, zone: 'Europe/Zurich' })
    const shown = (at: string) => shortTime(readInstant(at), NOW, reader).replace('\u202f', ' ')
    expect([shown('2026-11-22 20:45:06'), shown('2026-11-21 08:22:00')]).toEqual([time, day])
  })

  test('numbers are those of the language, and of its country where the browser speaks the same', () => {
    const numbersOf = (page: string, spoken: string[]) => {
      const { language } = readerOf(page, { spoken, zone: 'Europe/Zurich' })
      return [decimal(8.5, language), count(1_234, language), bytes(2_400_000, language)]
    }
    expect(numbersOf('en', ['de-DE', 'en'])).toEqual(['8.5', '1,234', '2.4 MB'])
    expect(numbersOf('de', ['en-US'])).toEqual(['8,5', '1.234', '2,4 MB'])
    expect(numbersOf('de', ['en-US', 'de-CH'])).toEqual(['8.5', "1'234", '2.4 MB'])
    expect(numbersOf('en', ['de-CH', 'en-GB'])).toEqual(['8.5', '1,234', '2.4 MB'])
  })

  test('the numbers of a line are grouped, and nothing else in it', () => {
    groupNumbersBy((number) => `${number.slice(0, 3)} ${number.slice(3)}`)
    expect(phonesIn('+41313808316 · zoe@example.com').replaceAll('\u00a0', ' ')).toBe('+41 313808316 · zoe@example.com')
    groupNumbersBy(() => undefined)
  })

  test('what was not counted to its end says so', () => {
    expect([count(412, 'en'), count(10_001, 'en')]).toEqual(['412', '10,000+'])
  })

  test('a turned direction of writing is seen', () => expect(plain('+41\u202e31')).toBe('+41␣31'))
})

test.each([
  ['$12.30 USD', '$12.30', '12,30 $'],
  ['-$0.50 USD', '-$0.50', '-0,50 $'],
  ['$1,234.50 USD', '$1,234.50', '1.234,50 $'],
  ['CHF 12.30', 'CHF 12.30', '12,30 CHF'],
  ['n/a USD', 'n/a USD', 'n/a USD'],
])('a balance that the service writes as %j is read in one form by language', (written, english, german) => {
  const shown = ['en', 'de'].map((language) => moneyIn(written, language).replaceAll(/\s/g, ' '))
  expect(shown).toEqual([english, german])
})

test('a price of parts of a cent keeps them, and one of a currency that is not known has it behind', () => {
  expect(money(-0.0085, 'usd', 'en')).toBe('-$0.0085')
  expect(money(0.012, 'USD', 'de').replaceAll(/\s/g, ' ')).toBe('0,012 $')
  expect(money(3, '', 'de')).toBe('3,00')
})

test.each([
  ['de-CH', 'Begrüssung'],
  ['de-LI', 'Begrüssung'],
  ['de', 'Begrüßung'],
  ['de-AT', 'Begrüßung'],
])('German in %s is written %j', (language, written) => {
  expect(asWrittenIn(language, { greeting: 'Begrüßung' })).toEqual({ greeting: written })
})

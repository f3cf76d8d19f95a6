import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseZone, spokenZone } from '../src/time.ts'

describe('parseZone', () => {
  it.each([
    ['Europe/Chisinau', 'Europe/Chisinau'],
    ['europe/chisinau', 'Europe/Chisinau'],
    [' AMERICA/NEW_YORK ', 'America/New_York'],
    ['America/New York', 'America/New_York'],
    ['Etc/GMT+5', 'Etc/GMT+5'],
    ['utc', 'UTC'],
    ['CET', 'CET'],
    [2, '+02:00'],
    ['2', '+02:00'],
    ['02', '+02:00'],
    [-5, '-05:00'],
    ['-5', '-05:00'],
    ['\u22125', '-05:00'],
    ['+2', '+02:00'],
    ['UTC+2', '+02:00'],
    ['utc + 2', '+02:00'],
    ['GMT-5', '-05:00'],
    ['GMT+05:45', '+05:45'],
    ['5.5', '+05:30'],
    [5.5, '+05:30'],
    [-3.5, '-03:30'],
    [5.75, '+05:45'],
    ['+05:30', '+05:30'],
    ['5:30', '+05:30'],
    ['0530', '+05:30'],
    ['-0330', '-03:30'],
    [14, '+14:00'],
    [-14, '-14:00'],
    [0, 'UTC'],
    [-0, 'UTC'],
    ['+00:00', 'UTC'],
    ['GMT+0', 'UTC'],
  ])('reads %j as %s', (value, zone) => {
    expect(parseZone(value)).toBe(zone)
  })

  it.each([
    [15],
    ['-15'],
    ['+14:15'],
    [99],
    ['530'],
    ['5.30'],
    ['+05:07'],
    ['+05:75'],
    ['0575'],
    [1e300],
    [Number.NaN],
    [Number.POSITIVE_INFINITY],
    ['Europe/Nowhere'],
    ['local time'],
    ['2026-01-01T00:00Z'],
    ['2026-01-01T00:00[Europe/Berlin]'],
    ['Europe/Berlin]'],
    ['+-2'],
    ['+05:30:00'],
    ['+2026-01-01'],
    ['2h'],
    [''],
    ['None'],
    [null],
    [undefined],
    [true],
    [{}],
    [[2]],
    ['x'.repeat(99)],
  ])('finds %s unusable', (value) => {
    expect(parseZone(value)).toBeUndefined()
  })

  it('yields only zones that Temporal can use and that read back as themselves', () => {
    const written = fc.oneof(
      fc.anything(),
      fc.string({ unit: fc.constantFrom(...'0123456789+-:. UTCGMT') }),
      fc.double(),
      fc.constantFrom(...Intl.supportedValuesOf('timeZone')),
    )
    fc.assert(
      fc.property(written, (value) => {
        const zone = parseZone(value)
        if (zone === undefined) return
        expect(new Temporal.ZonedDateTime(0n, zone).timeZoneId).toBe(zone)
        expect(parseZone(zone)).toBe(zone)
        if (/^[+-]/.test(zone)) expect(zone).toMatch(/^[+-](0\d|1[0-4]):(00|15|30|45)$/)
        expect(spokenZone(zone)).toMatch(/time$|^UTC/)
      }),
      { numRuns: 300 },
    )
  })
})

describe('spokenZone', () => {
  it.each([
    ['Europe/Chisinau', 'Chisinau time'],
    ['America/Argentina/Buenos_Aires', 'Buenos Aires time'],
    ['CET', 'CET time'],
    ['UTC', 'UTC'],
    ['GMT', 'UTC'],
    ['Etc/UTC', 'UTC'],
    ['Etc/GMT+5', 'UTC minus 5'],
    ['+02:00', 'UTC plus 2'],
    ['+10:00', 'UTC plus 10'],
    ['+05:30', 'UTC plus 5:30'],
    ['-03:30', 'UTC minus 3:30'],
    ['-00:30', 'UTC minus 0:30'],
  ])('says the zone %s', (zone, spoken) => {
    expect(spokenZone(zone)).toBe(spoken)
  })
})

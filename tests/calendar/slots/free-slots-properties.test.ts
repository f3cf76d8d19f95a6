import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { freeSlots, type Interval, nextDayWithSlots, slotSearchSpan } from '../../../src/calendar/slots/free-slots.ts'

type SlotSearch = Parameters<typeof freeSlots>[0]

const MINUTE_MS = 60_000
const STEP_MINUTES = 15

// Each zone with days on or beside a change of its clock, and one ordinary day.
const DAYS_BY_ZONE: Record<string, string[]> = {
  'Europe/Berlin': ['2026-03-28', '2026-03-29', '2026-10-25', '2026-10-26', '2026-06-10'],
  'America/New_York': ['2026-03-08', '2026-11-01', '2026-10-31', '2026-06-10'],
  'Australia/Lord_Howe': ['2026-04-05', '2026-10-04', '2026-10-03', '2026-06-10'],
  'Pacific/Apia': ['2011-12-29', '2011-12-30', '2011-12-31', '2026-06-10'],
  'Asia/Kathmandu': ['1985-12-31', '1986-01-01', '2026-06-10'],
  '+05:45': ['2026-06-10'],
}
const ZONES = Object.keys(DAYS_BY_ZONE)
const DAYS = ZONES.flatMap((zone) => (DAYS_BY_ZONE[zone] ?? []).map((day) => ({ zone, day })))

const instant = (ms: number) => Temporal.Instant.fromEpochMilliseconds(ms)
const dayStartMs = (day: Temporal.PlainDate) => day.toZonedDateTime('UTC').epochMilliseconds

// Shifts keep clear of the small hours: what a boundary inside a repeated hour means is told by an example elsewhere.
const shift = fc
  .record({ weekday: fc.integer({ min: 1, max: 7 }), from: fc.integer({ min: 16, max: 95 }), length: fc.nat(60) })
  .map(({ weekday, from, length }) => ({
    weekday,
    from: from * STEP_MINUTES,
    to: Math.min(from + length, 96) * STEP_MINUTES,
  }))

const fullHours = [1, 2, 3, 4, 5, 6, 7].map((weekday) => ({ weekday, from: 0, to: 1440 }))

const search: fc.Arbitrary<SlotSearch> = fc
  .record({
    asked: fc.constantFrom(...DAYS),
    organiserZone: fc.constantFrom(...ZONES),
    sameZone: fc.boolean(),
    workingHours: fc.oneof(fc.array(shift, { maxLength: 20 }), fc.constant(fullHours)),
    // In steps around the asked day; some reversed or empty.
    busy: fc.array(fc.tuple(fc.integer({ min: -80, max: 200 }), fc.integer({ min: -4, max: 40 })), { maxLength: 8 }),
    nowMinutes: fc.oneof(fc.constant(-3000), fc.integer({ min: -900, max: 2400 })),
  })
  .map(({ asked, organiserZone, sameZone, workingHours, busy, nowMinutes }) => {
    const day = Temporal.PlainDate.from(asked.day)
    const base = dayStartMs(day)
    const step = (count: number) => instant(base + count * STEP_MINUTES * MINUTE_MS)
    return {
      day,
      zone: asked.zone,
      organiserZone: sameZone ? asked.zone : organiserZone,
      workingHours,
      busy: busy.map(([start, length]) => ({ start: step(start), stop: step(start + length) })),
      now: instant(base + nowMinutes * MINUTE_MS),
    }
  })

const contains = ({ start, stop }: Interval, ms: number) => start.epochMilliseconds <= ms && ms < stop.epochMilliseconds

function isWorking({ organiserZone, workingHours }: SlotSearch, ms: number): boolean {
  const local = instant(ms).toZonedDateTimeISO(organiserZone)
  const minute = local.hour * 60 + local.minute
  return workingHours.some(({ weekday, from, to }) => weekday === local.dayOfWeek && from <= minute && minute < to)
}

/** The same question asked of a single quarter of an hour, by the wall clocks alone. */
function isFree(asked: SlotSearch, ms: number): boolean {
  const local = instant(ms).toZonedDateTimeISO(asked.zone)
  if (!local.toPlainDate().equals(asked.day)) return false
  return isWorking(asked, ms) && !asked.busy.some((busy) => contains(busy, ms))
}

/** The quarters of an hour that may lie in the asked day, wherever it is asked. */
function quarters({ day }: SlotSearch): number[] {
  const base = dayStartMs(day) - 15 * 60 * MINUTE_MS
  return Array.from({ length: 54 * 4 }, (_, index) => base + index * STEP_MINUTES * MINUTE_MS)
}

const turnsBack = ({ zone, day }: SlotSearch) => {
  const start = day.toZonedDateTime(zone)
  return start.until(day.add({ days: 1 }).toZonedDateTime(zone)).total({ unit: 'hours' }) > 24
}

const told = ({ start, stop }: Interval) => `${start} - ${stop}`
const startMs = (slot: Interval) => slot.start.epochMilliseconds
const stopMs = (slot: Interval) => slot.stop.epochMilliseconds

describe('freeSlots, for any search', () => {
  it('gives slots that are in order, apart, not empty, not past and not busy', () => {
    fc.assert(
      fc.property(search, (asked) => {
        let previous = asked.now.epochMilliseconds
        for (const slot of freeSlots(asked)) {
          expect(startMs(slot)).toBeGreaterThanOrEqual(previous)
          expect(stopMs(slot)).toBeGreaterThan(startMs(slot))
          for (const busy of asked.busy.filter((interval) => startMs(interval) < stopMs(interval))) {
            expect(startMs(slot) < stopMs(busy) && startMs(busy) < stopMs(slot)).toBe(false)
          }
          previous = stopMs(slot) + 1
        }
      }),
      { numRuns: 300 },
    )
  })

  it('gives all of the working hours of that day that are not busy, and nothing else', () => {
    fc.assert(
      fc.property(search, (past) => {
        const asked = { ...past, now: instant(0) }
        const slots = freeSlots(asked)
        for (const ms of quarters(asked)) {
          const isOffered = slots.some((slot) => contains(slot, ms))
          const isExpected = isFree(asked, ms)
          // A slot within a repeated hour may be left out, because its wall-clock times are in the wrong order.
          if (isOffered !== isExpected)
            expect({ isExpected, turnsBack: turnsBack(asked) }).toEqual({ isExpected: true, turnsBack: true })
        }
      }),
      { numRuns: 150 },
    )
  })

  it('freeSlots depends neither on the order of busy times and shifts, nor on how busy times are cut', () => {
    fc.assert(
      fc.property(search, (asked) => {
        const halves = asked.busy.flatMap(({ start, stop }) => {
          const middle = instant((start.epochMilliseconds + stop.epochMilliseconds) / 2)
          return [
            { start: middle, stop },
            { start, stop: middle },
          ]
        })
        const slots = freeSlots(asked).map(told)
        expect(freeSlots({ ...asked, busy: asked.busy.toReversed() }).map(told)).toEqual(slots)
        expect(freeSlots({ ...asked, busy: halves }).map(told)).toEqual(slots)
        expect(freeSlots({ ...asked, workingHours: asked.workingHours.toReversed() }).map(told)).toEqual(slots)
      }),
    )
  })

  it('only ever shortens what it offers as time goes by', () => {
    fc.assert(
      fc.property(search, fc.nat(2000), (asked, minutes) => {
        const before = freeSlots(asked)
        for (const slot of freeSlots({ ...asked, now: asked.now.add({ minutes }) })) {
          const isInside = before.some((wide) => startMs(wide) <= startMs(slot) && stopMs(slot) <= stopMs(wide))
          expect(isInside).toBe(true)
        }
      }),
    )
  })

  it('leaves what it was given untouched', () => {
    fc.assert(
      fc.property(search, (asked) => {
        const before = JSON.stringify(asked)
        freeSlots(asked)
        expect(JSON.stringify(asked)).toBe(before)
      }),
      { numRuns: 50 },
    )
  })
})

describe('nextDayWithSlots, for any search', () => {
  it('gives the slots of a later day, within the span that was told', () => {
    fc.assert(
      fc.property(search, (asked) => {
        const next = nextDayWithSlots(asked)
        if (!next) return
        const span = slotSearchSpan(asked)
        expect(Temporal.PlainDate.compare(next.day, asked.day)).toBe(1)
        expect(next.slots.map(told)).toEqual(freeSlots({ ...asked, day: next.day }).map(told))
        for (const slot of next.slots) {
          expect(startMs(slot)).toBeGreaterThanOrEqual(startMs(span))
          expect(stopMs(slot)).toBeLessThanOrEqual(stopMs(span))
        }
      }),
      { numRuns: 50 },
    )
  })
})

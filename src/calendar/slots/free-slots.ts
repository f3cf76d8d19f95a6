import { formatLocal, spokenClock, spokenDate, spokenZone } from '../../time.ts'

/** From `start` up to, not including, `stop`. */
export type Interval = { start: Temporal.Instant; stop: Temporal.Instant }

/** One stretch of work on an ISO weekday (Monday is 1), in minutes after midnight on the organiser's wall clock. */
type WorkingShift = { weekday: number; from: number; to: number }
export type WorkingHours = readonly WorkingShift[]

type SlotSearch = {
  day: Temporal.PlainDate
  /** The zone in which `day` is meant. */
  zone: string
  organiserZone: string
  workingHours: WorkingHours
  /** In any order; overlaps are fine. */
  busy: readonly Interval[]
  now: Temporal.Instant
}

type DaySlots = { day: Temporal.PlainDate; slots: Interval[] }

export const DEFAULT_WORKING_HOURS: WorkingHours = [1, 2, 3, 4, 5].map((weekday) => ({
  weekday,
  from: 8 * 60,
  to: 18 * 60,
}))
const LOOK_AHEAD_DAYS_MAX = 31
const SPOKEN_SLOTS_MAX = 6

const MINUTES_PER_DAY = 24 * 60
const SLOT_STEP_MINUTES = 5

/** When the organiser is free on the asked day: inside their working hours, not busy, not past; in order. */
export function freeSlots(search: SlotSearch): Interval[] {
  const day = wholeDay(search.day, search.zone)
  const wanted = { start: later(day.start, nextStep(search.now)), stop: day.stop }
  const open = merge(workingShifts(day, search).map((shift) => intersect(shift, wanted)))
  const busy = merge(search.busy.map((interval) => intersect(interval, wanted)))
  return subtract(open, busy).filter((slot) => isSayable(slot, search.zone))
}

/** The first day after the asked one, and not past, with free slots; `busy` must reach as far as `slotSearchSpan`. */
export function nextDayWithSlots(search: SlotSearch): DaySlots | undefined {
  const first = firstDayAhead(search)
  for (let days = 0; days < LOOK_AHEAD_DAYS_MAX; days += 1) {
    const day = first.add({ days })
    const slots = freeSlots({ ...search, day })
    if (slots.length > 0) return { day, slots }
  }
  return undefined
}

/** Whether all of the span is working time of the organiser. */
export function isWorkingTime(span: Interval, hours: Pick<SlotSearch, 'organiserZone' | 'workingHours'>): boolean {
  return subtract([span], merge(workingShifts(span, hours))).length === 0
}

/** All the time that `freeSlots` and `nextDayWithSlots` may look at: load the busy times overlapping it. */
export function slotSearchSpan(search: Pick<SlotSearch, 'day' | 'zone' | 'now'>): Interval {
  const last = firstDayAhead(search).add({ days: LOOK_AHEAD_DAYS_MAX - 1 })
  return { start: later(wholeDay(search.day, search.zone).start, search.now), stop: wholeDay(last, search.zone).stop }
}

/** The day meant when none is asked for: tomorrow in the asked zone, or the next day on which the organiser works. */
export function defaultDay(search: Omit<SlotSearch, 'day' | 'busy'>): Temporal.PlainDate {
  const today = localDate(search.now, search.zone)
  return nextDayWithSlots({ ...search, day: today, busy: [] })?.day ?? today.add({ days: 1 })
}

/** The slots as wall-clock texts of the zone. */
export function localSlots(slots: readonly Interval[], zone: string): { start: string; stop: string }[] {
  return slots.map(({ start, stop }) => ({
    start: formatLocal(start.toZonedDateTimeISO(zone)),
    stop: formatLocal(stop.toZonedDateTimeISO(zone)),
  }))
}

/** What an agent says about a day: its free times, or that it is past or has none, and which next day has some. */
export function slotsSentence(
  answer: DaySlots & { zone: string; next: DaySlots | undefined; now: Temporal.Instant },
): string {
  const { day, slots, zone, next, now } = answer
  if (slots.length > 0) return `Free on ${spokenDate(day)}: ${spokenSlots(slots, zone)}.`
  const isPast = Temporal.PlainDate.compare(day, localDate(now, zone)) < 0
  const nothing = isPast ? `${spokenDate(day)} is in the past` : `Nothing is free on ${spokenDate(day)}`
  if (!next) {
    return isPast ? `${nothing}.` : `${nothing}, nor in the ${LOOK_AHEAD_DAYS_MAX} days that follow.`
  }
  return `${nothing}. The next day with free times is ${spokenDate(next.day)}: ${spokenSlots(next.slots, zone)}.`
}

function spokenSlots(slots: readonly Interval[], zone: string): string {
  const spoken = slots.slice(0, SPOKEN_SLOTS_MAX).map((slot) => spokenSlot(slot, zone))
  const more = slots.length - spoken.length
  const parts = more > 0 ? [...spoken, `${more} more later that day`] : spoken
  const list = parts.length > 1 ? `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}` : parts.join('')
  return `${list}, ${spokenZone(zone)}`
}

function spokenSlot({ start, stop }: Interval, zone: string): string {
  const from = spokenClock(start.toZonedDateTimeISO(zone))
  const to = spokenClock(stop.toZonedDateTimeISO(zone))
  return `${from} to ${to === '00:00' ? 'midnight' : to}`
}

/**
 * Whether the slot still ends after it starts once only the wall clock is said, to the minute. A slot inside the hour
 * that comes twice when the clock is turned back may not, and could not be booked by its wall clock either.
 */
function isSayable({ start, stop }: Interval, zone: string): boolean {
  return Temporal.PlainDateTime.compare(clockMinute(start, zone), clockMinute(stop, zone)) < 0
}

function clockMinute(instant: Temporal.Instant, zone: string): Temporal.PlainDateTime {
  const clock = instant.toZonedDateTimeISO(zone).toPlainDateTime()
  return clock.round({ smallestUnit: 'minute', roundingMode: 'floor' })
}

/** The organiser's shifts on every one of their own days that the asked day touches. */
function workingShifts(
  asked: Interval,
  { organiserZone, workingHours }: Pick<SlotSearch, 'organiserZone' | 'workingHours'>,
): Interval[] {
  const last = localDate(asked.stop, organiserZone)
  const shifts: Interval[] = []
  let day = localDate(asked.start, organiserZone)
  while (Temporal.PlainDate.compare(day, last) <= 0) {
    for (const { weekday, from, to } of workingHours) {
      if (weekday !== day.dayOfWeek) continue
      shifts.push({ start: clockReaches(day, from, organiserZone), stop: clockReaches(day, to, organiserZone) })
    }
    day = day.add({ days: 1 })
  }
  return shifts
}

/** The first instant at which the wall clock stands at, or has jumped past, so many minutes after midnight. */
function clockReaches(day: Temporal.PlainDate, minutes: number, zone: string): Temporal.Instant {
  const clamped = Math.min(Math.max(minutes, 0), MINUTES_PER_DAY)
  const wanted = day.toPlainDateTime().add({ minutes: clamped })
  const found = wanted.toZonedDateTime(zone, { disambiguation: 'compatible' })
  if (found.toPlainDateTime().equals(wanted)) return found.toInstant()
  // The clock jumped over the wanted time; Temporal lands as far behind the jump as the time was into it.
  return (found.add({ nanoseconds: 1 }).getTimeZoneTransition('previous') ?? found).toInstant()
}

// Not 24 hours: a day on which the clock changes is shorter or longer, and one may be missing altogether.
function wholeDay(day: Temporal.PlainDate, zone: string): Interval {
  return { start: clockReaches(day, 0, zone), stop: clockReaches(day, MINUTES_PER_DAY, zone) }
}

function firstDayAhead({ day, zone, now }: Pick<SlotSearch, 'day' | 'zone' | 'now'>): Temporal.PlainDate {
  const today = localDate(now, zone)
  const following = day.add({ days: 1 })
  return Temporal.PlainDate.compare(following, today) < 0 ? today : following
}

function localDate(instant: Temporal.Instant, zone: string): Temporal.PlainDate {
  return instant.toZonedDateTimeISO(zone).toPlainDate()
}

function nextStep(now: Temporal.Instant): Temporal.Instant {
  return now.round({ smallestUnit: 'minute', roundingIncrement: SLOT_STEP_MINUTES, roundingMode: 'ceil' })
}

/** The same time as ordered intervals that neither touch nor overlap; reversed and empty ones count for nothing. */
function merge(intervals: readonly Interval[]): Interval[] {
  const ordered = intervals.filter(isReal).toSorted((a, b) => Temporal.Instant.compare(a.start, b.start))
  const merged: Interval[] = []
  for (const interval of ordered) {
    const last = merged.at(-1)
    if (last && !isBefore(last.stop, interval.start)) last.stop = later(last.stop, interval.stop)
    else merged.push({ ...interval })
  }
  return merged
}

/** What of `open` is not in `busy`; both merged. */
function subtract(open: readonly Interval[], busy: readonly Interval[]): Interval[] {
  return open.flatMap(({ start, stop }) => {
    const free: Interval[] = []
    let freeFrom = start
    for (const block of busy) {
      if (!isReal(intersect(block, { start, stop }))) continue
      free.push({ start: freeFrom, stop: block.start })
      freeFrom = block.stop
    }
    free.push({ start: freeFrom, stop })
    return free.filter(isReal)
  })
}

function intersect(a: Interval, b: Interval): Interval {
  return { start: later(a.start, b.start), stop: isBefore(a.stop, b.stop) ? a.stop : b.stop }
}

function isReal({ start, stop }: Interval): boolean {
  return isBefore(start, stop)
}

function isBefore(a: Temporal.Instant, b: Temporal.Instant): boolean {
  return Temporal.Instant.compare(a, b) < 0
}

function later(a: Temporal.Instant, b: Temporal.Instant): Temporal.Instant {
  return isBefore(a, b) ? b : a
}

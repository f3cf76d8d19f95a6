import {
  defaultDay,
  freeSlots,
  localSlots,
  nextDayWithSlots,
  slotSearchSpan,
  slotsSentence,
} from '../../calendar/free-slots.ts'
import { type Booking, book, listMeetingsOf, type Meeting } from '../../calendar/meetings.ts'
import { getOrganiser, listBusy } from '../../calendar/organiser.ts'
import { findContactById } from '../../contacts/find-by-number.ts'
import { sql } from '../../database/drizzle.ts'
import { answerOnce } from '../../deliveries/tool-answers.ts'
import {
  optionalIdArgument,
  requireIdArgument,
  requireTextArgument,
  textArgument,
} from '../../deliveries/tool-arguments.ts'
import { type ToolArguments, ToolRefusal } from '../../deliveries/tool-table.ts'
import type { Arrival } from '../../deliveries/webhook-table.ts'
import { Refusal } from '../../errors.ts'
import { findCallById, type LedgerCall } from '../../ledger/find-call.ts'
import type { Env, ReadEnv } from '../../platform/env.ts'
import { records } from '../../platform/records.ts'
import { parseLocal, parseLocalDate, parseWire, parseZone, spokenTime } from '../../time.ts'
import { isAbsent } from '../../wire.ts'

/** What a meeting is called when the agent gave no name (domain reference 2.1). */
const NAME_DEFAULT = 'Unknowns'
/** Nobody plans further; a date beyond it was misheard. */
const AHEAD_YEARS_MAX = 10

/** Free business-hours slots of an organiser on a day. */
export async function freeSlotsTool(env: ReadEnv, args: ToolArguments): Promise<object> {
  return calendarAnswer(async () => {
    const organiser = await getOrganiser(env.db, requireIdArgument(args, 'user_id', 'The user_id is required.'))
    const zone = readZone(args) ?? organiser.zone
    const now = Temporal.Instant.fromEpochMilliseconds(env.now.getTime())
    const base = { zone, organiserZone: organiser.zone, workingHours: organiser.workingHours, now }
    const day = readDay(args, now) ?? defaultDay(base)
    const busy = await listBusy(env.db, organiser, slotSearchSpan({ day, zone, now }))
    const search = { ...base, day, busy }
    const slots = freeSlots(search)
    const next = slots.length === 0 ? nextDayWithSlots(search) : undefined
    return { slots: localSlots(slots, zone), timezone: zone, say: slotsSentence({ day, slots, zone, next }) }
  })
}

/** Books a meeting; the caller's contact attends it, so that it is found among their meetings. */
export async function bookMeeting(env: Env, args: ToolArguments, about: Arrival['about']): Promise<object> {
  return calendarAnswer(async () => {
    const organiser = await getOrganiser(env.db, requireIdArgument(args, 'user_id', 'The user_id is required.'))
    const zone = readZone(args) ?? organiser.zone
    const { start, stop } = readSpan(args, zone, env.now)
    const attendeeId = await findAttendee(env, args, about)
    const name = textArgument(args, 'name') ?? NAME_DEFAULT
    const { id, isNew } = await book(env, { organiser, name, start, stop, attendeeId })
    if (!isNew) {
      const say = `That meeting with ${organiser.name} is booked already.`
      return { status: 200, detail: 'Event already exist!', event_id: id, say }
    }
    const say = `The meeting with ${organiser.name} is booked for ${spokenTime(start)}.`
    return { status: 201, detail: 'Event successfully created', event_id: id, say }
  })
}

/** The server's date and time, in UTC. */
export async function tellDate(env: ReadEnv): Promise<object> {
  const microseconds = `${env.now.toISOString().slice(0, -1).replace('T', ' ')}000`
  const zoned = Temporal.Instant.fromEpochMilliseconds(env.now.getTime()).toZonedDateTimeISO('UTC')
  return { current_date: microseconds, timezone: 'UTC', say: `It is ${spokenTime(zoned)}.` }
}

/** Meetings that a contact attends, newest start first; when the call is named, those of its own contact only. */
export async function listMeetings(env: ReadEnv, args: ToolArguments, about: Arrival['about']): Promise<object> {
  return calendarAnswer(async () => {
    const asked = requireIdArgument(args, 'partner_id', 'partner_id is required')
    const partnerId = (await callOf(env, args, about))?.partner ?? asked
    const [meetings, contact] = await Promise.all([
      listMeetingsOf(env.db, partnerId),
      findContactById(env.db, partnerId),
    ])
    const zone = parseZone(contact?.tz ?? '') ?? 'UTC'
    return { status: 200, meetings: meetings.map(toWireMeeting), say: meetingsSentence(meetings, zone, env.now) }
  })
}

/** Cancels a meeting; of a caller who is known, only one that they attend. */
export async function removeMeeting(env: Env, args: ToolArguments, about: Arrival['about']): Promise<object> {
  return calendarAnswer(async () => {
    const eventId = requireIdArgument(args, 'event_id', 'event_id is required')
    const attendeeId = await findAttendee(env, args, about)
    return answerOnce(env, ['remove_meeting', eventId], async () => {
      const domain = [['id', '=', eventId], ...(attendeeId === undefined ? [] : [['partner_ids', 'in', [attendeeId]]])]
      const [found] = await records(env, 'calendar.event').search(domain)
      if (found === undefined) throw new Refusal('not-found', 'Event not found')
      await records(env, 'calendar.event').unlink([found])
      return { status: 200, detail: 'Event successfully removed', say: 'The meeting is cancelled.' }
    })
  })
}

/** The calendar tools have always carried `status` and `detail`; a refusal carries them beside its sentence. */
async function calendarAnswer(work: () => Promise<object>): Promise<object> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Refusal) || error instanceof ToolRefusal) throw error
    throw new ToolRefusal(error.kind, error.message, { status: error.status, detail: error.message })
  }
}

function readZone(args: ToolArguments): string | undefined {
  if (isAbsent(args.timezone)) return undefined
  const zone = parseZone(args.timezone)
  if (zone === undefined)
    throw new Refusal('malformed', 'The timezone must be a name such as Europe/Zurich or an offset such as +2.')
  return zone
}

function readDay(args: ToolArguments, now: Temporal.Instant): Temporal.PlainDate | undefined {
  const text = textArgument(args, 'start')
  if (text === undefined) return undefined
  const day = parseLocalDate(text)
  if (day === undefined) throw new Refusal('malformed', 'The start must be a date written YYYY-MM-DD.')
  requireNear(day, now)
  return day
}

function readSpan(args: ToolArguments, zone: string, at: Date): Pick<Booking, 'start' | 'stop'> {
  const [start, stop] = [readMoment(args, 'start', zone), readMoment(args, 'stop', zone)]
  if (Temporal.ZonedDateTime.compare(stop, start) <= 0)
    throw new Refusal('malformed', 'The stop must be after the start.')
  if (start.epochMilliseconds < at.getTime()) throw new Refusal('malformed', 'The start is in the past.')
  requireNear(stop.toPlainDate(), Temporal.Instant.fromEpochMilliseconds(at.getTime()))
  return { start, stop }
}

function requireNear(day: Temporal.PlainDate, now: Temporal.Instant): void {
  const last = now.toZonedDateTimeISO('UTC').toPlainDate().add({ years: AHEAD_YEARS_MAX })
  if (Temporal.PlainDate.compare(day, last) > 0)
    throw new Refusal('malformed', `The date is more than ${AHEAD_YEARS_MAX} years away.`)
}

function readMoment(args: ToolArguments, name: 'start' | 'stop', zone: string): Temporal.ZonedDateTime {
  const text = requireTextArgument(args, name, `The ${name} is required, written YYYY-MM-DD HH:MM:SS.`)
  const moment = parseLocal(text, zone)
  if (moment === undefined)
    throw new Refusal('malformed', `The ${name} must be a local time written YYYY-MM-DD HH:MM:SS.`)
  return moment
}

/** The caller's contact: the call's, else the one that was sent and exists. */
async function findAttendee(env: Env, args: ToolArguments, about: Arrival['about']): Promise<number | undefined> {
  const call = await callOf(env, args, about)
  if (call?.partner !== undefined && call.partner !== null) return call.partner
  const partnerId = optionalIdArgument(args, 'partner_id', true)
  if (partnerId === undefined) return undefined
  const known = await env.db.query<{ id: number }>(sql`select id from res_partner where id = ${partnerId}::int`)
  return known[0]?.id
}

async function callOf(env: ReadEnv, args: ToolArguments, about: Arrival['about']): Promise<LedgerCall | undefined> {
  const callId = optionalIdArgument(args, 'call_id', true)
  const call = callId === undefined ? undefined : await findCallById(env.db, callId)
  about.call = call?.id
  return call
}

function toWireMeeting({ user_id: userId, user_name: userName, ...meeting }: Meeting): object {
  return {
    ...meeting,
    user_id: userId === null ? null : [userId, userName ?? ''],
    location: meeting.location ?? '',
    description: meeting.description ?? '',
  }
}

/** What the agent says: the meetings still to come, soonest first. */
function meetingsSentence(meetings: readonly Meeting[], zone: string, now: Date): string {
  const coming = meetings
    .map(({ name, start }) => ({ name, at: parseWire(start) ?? now }))
    .filter(({ at }) => at >= now)
    .toSorted((a, b) => a.at.getTime() - b.at.getTime())
  if (coming.length === 0) return 'There are no meetings to come.'
  const spoken = coming.map(({ name, at }) => {
    const local = Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(zone)
    return `${name} on ${spokenTime(local)}`
  })
  return `Meetings to come: ${spoken.join('; ')}.`
}

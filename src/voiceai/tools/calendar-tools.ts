import { type Booking, book, listMeetingsOf, type Meeting } from '../../calendar/events/meetings.ts'
import {
  defaultDay,
  freeSlots,
  localSlots,
  nextDayWithSlots,
  slotSearchSpan,
  slotsSentence,
} from '../../calendar/slots/free-slots.ts'
import { getOrganiser, listBusy } from '../../calendar/slots/organiser.ts'
import { findContactById } from '../../contacts/find-by-number.ts'
import { sql } from '../../database/drizzle.ts'
import { answerOnce } from '../../deliveries/tools/tool-answers.ts'
import {
  optionalIdArgument,
  requireIdArgument,
  requireTextArgument,
  textArgument,
} from '../../deliveries/tools/tool-arguments.ts'
import { type ToolArguments, ToolRefusal, type ToolUse } from '../../deliveries/tools/tool-table.ts'
import { Refusal } from '../../errors.ts'
import { type CallReach, findReach } from '../../ledger/calls/call-reach.ts'
import { findCallById } from '../../ledger/calls/find-call.ts'
import { isAbsent } from '../../lenient-values.ts'
import { type Env, elevated, type ReadEnv } from '../../platform/access/env.ts'
import { records } from '../../platform/records/records.ts'
import { clockChangeSentence, parseLocal, parseLocalDate, parseWire, parseZone, spokenTime } from '../../time.ts'

/** What a meeting is called when the agent gave no name (docs/reference/domain.md#meetings). */
const NAME_DEFAULT = 'Unknowns'
/** Said to a caller who is not known and whose meetings are asked for. */
const NOT_KNOWN = 'I do not know who is calling, so I cannot look up meetings.'
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
export async function bookMeeting(env: Env, args: ToolArguments, use: ToolUse): Promise<object> {
  return calendarAnswer(async () => {
    const organiser = await getOrganiser(env.db, requireIdArgument(args, 'user_id', 'The user_id is required.'))
    const namedZone = readZone(args)
    const zone = namedZone ?? organiser.zone
    const { start, stop, changes } = readSpan(args, zone, env.now)
    const attendeeId = await findAttendee(env, args, use)
    const name = textArgument(args, 'name') ?? NAME_DEFAULT
    const booking = { organiser, name, start, stop, namedZone, attendeeId, call: use.about.call }
    const { id, isNew } = await book(env, booking)
    if (!isNew) {
      const say = sentences(...changes, `That meeting with ${organiser.name} is booked already.`)
      return { status: 200, detail: 'Event already exist!', event_id: id, say }
    }
    const say = sentences(...changes, `The meeting with ${organiser.name} is booked for ${spokenTime(start)}.`)
    return { status: 201, detail: 'Event successfully created', event_id: id, say }
  })
}

/** The server's date and time, in UTC. */
export async function tellDate(env: ReadEnv): Promise<object> {
  const microseconds = `${env.now.toISOString().slice(0, -1).replace('T', ' ')}000`
  const zoned = Temporal.Instant.fromEpochMilliseconds(env.now.getTime()).toZonedDateTimeISO('UTC')
  return { current_date: microseconds, timezone: 'UTC', say: `It is ${spokenTime(zoned)}.` }
}

/**
 * Meetings that a contact attends, newest start first; when a call is named, those of its own contact or their company
 * only, and none of a caller who is not known. Times are spoken in the zone that is named now, else in the one that was
 * named when the meeting was booked, else in that of the contact.
 */
export async function listMeetings(env: ReadEnv, args: ToolArguments, { named, about }: ToolUse): Promise<object> {
  return calendarAnswer(async () => {
    const asked = {
      contact: requireIdArgument(args, 'partner_id', 'partner_id is required'),
      // Only what is said depends on it: one that is unusable is no reason to answer nothing.
      zone: parseZone(args.timezone),
    }
    const reach = await findReach(env, named)
    about.call = reach?.call
    const partnerId = contactToList(reach, asked.contact)
    const [meetings, contact] = await Promise.all([
      listMeetingsOf(env.db, partnerId),
      findContactById(env.db, partnerId),
    ])
    const ofContact = parseZone(contact?.tz ?? '') ?? 'UTC'
    const zoneOf = ({ tz }: Meeting): string => asked.zone ?? tz ?? ofContact
    return { status: 200, meetings: meetings.map(toWireMeeting), say: meetingsSentence(meetings, zoneOf, env.now) }
  })
}

/**
 * Cancels a meeting; in a call that is named, only one that its contact or their company attends, or that was booked in
 * it.
 */
export async function removeMeeting(env: Env, args: ToolArguments, { named, about }: ToolUse): Promise<object> {
  return calendarAnswer(async () => {
    const eventId = requireIdArgument(args, 'event_id', 'event_id is required')
    const reach = await findReach(env, named)
    about.call = reach?.call
    const owned = reach === undefined ? await ownedBySent(env, args) : ownedBy(reach)
    // Another call is another answer: what one did is nobody else's to know.
    return answerOnce(env, ['remove_meeting', eventId, ...(reach === undefined ? [] : [reach.call])], async () => {
      // Elevated, because people do not search by the call a meeting was booked in.
      const [found] = await records(elevated(env), 'calendar.event').search([['id', '=', eventId], ...owned])
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

interface Span extends Pick<Booking, 'start' | 'stop'> {
  /** What clock changes do to these times, in sentences. */
  changes: string[]
}

function readSpan(args: ToolArguments, zone: string, at: Date): Span {
  const [start, stop] = [readMoment(args, 'start', zone), readMoment(args, 'stop', zone)]
  if (Temporal.ZonedDateTime.compare(stop, start) <= 0)
    throw new Refusal('malformed', 'The stop must be after the start.')
  if (start.epochMilliseconds < at.getTime()) throw new Refusal('malformed', 'The start is in the past.')
  requireNear(stop.toPlainDate(), Temporal.Instant.fromEpochMilliseconds(at.getTime()))
  const texts = [textArgument(args, 'start'), textArgument(args, 'stop')]
  const changes = texts.flatMap((text) => clockChangeSentence(text ?? '', zone) ?? [])
  return { start, stop, changes }
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

/** The caller's contact: the call's; without a call the one that was sent and exists. */
async function findAttendee(env: Env, args: ToolArguments, { named, about }: ToolUse): Promise<number | undefined> {
  const reach = await findReach(env, named)
  const call = reach === undefined && named?.id !== undefined ? await findCallById(env.db, named.id) : undefined
  about.call = reach?.call ?? call?.id
  if (reach !== undefined) return reach.contact
  return call?.partner ?? (await findSentContact(env, args))
}

async function findSentContact(env: Env, args: ToolArguments): Promise<number | undefined> {
  const partnerId = optionalIdArgument(args, 'partner_id', true)
  if (partnerId === undefined) return undefined
  const known = await env.db.query<{ id: number }>(sql`select id from res_partner where id = ${partnerId}::bigint`)
  return known[0]?.id
}

function contactToList(reach: CallReach | undefined, asked: number): number {
  if (reach === undefined || reach.contacts.includes(asked)) return asked
  if (reach.contact === undefined) throw new Refusal('not-found', NOT_KNOWN)
  return reach.contact
}

/** Meetings that the call reaches, as a search domain. */
function ownedBy({ contacts, call }: CallReach): unknown[] {
  return ['|', ['partner_ids', 'in', [...contacts]], ['made_in_call', '=', call ?? 0]]
}

/** Without a call: when a contact is sent, only what they attend. */
async function ownedBySent(env: Env, args: ToolArguments): Promise<unknown[]> {
  const contact = await findSentContact(env, args)
  return contact === undefined ? [] : [['partner_ids', 'in', [contact]]]
}

function toWireMeeting({ user_id: userId, user_name: userName, tz: _tz, ...meeting }: Meeting): object {
  return {
    ...meeting,
    user_id: userId === null ? null : [userId, userName ?? ''],
    location: meeting.location ?? '',
    description: meeting.description ?? '',
  }
}

function sentences(...all: readonly string[]): string {
  return [...new Set(all)].join(' ')
}

/** What the agent says: the meetings still to come, soonest first. */
function meetingsSentence(meetings: readonly Meeting[], zoneOf: (meeting: Meeting) => string, now: Date): string {
  const coming = meetings
    .map((meeting) => ({ name: meeting.name, at: parseWire(meeting.start) ?? now, zone: zoneOf(meeting) }))
    .filter(({ at }) => at >= now)
    .toSorted((a, b) => a.at.getTime() - b.at.getTime())
  if (coming.length === 0) return 'There are no meetings to come.'
  const spoken = coming.map(({ name, at, zone }) => {
    const local = Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(zone)
    return `${name} on ${spokenTime(local)}`
  })
  return `Meetings to come: ${spoken.join('; ')}.`
}

import { Type } from 'typebox'
import { type ToolUse, tool, toolReply } from '../../deliveries/tools/tool.ts'
import { recordId, text } from '../../deliveries/tools/tool-arguments.ts'
import { Refusal } from '../../errors.ts'
import { findCaller, findReach } from '../../ledger/calls/call-reach.ts'
import type { Env } from '../../platform/access/env.ts'
import { clockChangeSentence, parseLocalSpan, spokenClock, spokenTime } from '../../time.ts'
import { book } from '../events/meetings.ts'
import { getOrganiser } from '../slots/organiser.ts'
import { findSentContact, organiserId, requireNear, timezone } from './arguments.ts'

const LOCAL_TIME = 'Local time, written YYYY-MM-DD HH:MM:SS.'

/** Books a meeting; the caller's contact attends it, so that it is found among their meetings. */
export const createEventTool = tool({
  path: '/create_event',
  name: 'calendar_create_event',
  summary: 'Book a meeting',
  description:
    'Books a meeting with a colleague. Use it only for a time that is free and that the caller agreed to. ' +
    "A time that overlaps the caller's own meeting with that colleague moves that meeting: so it is made longer, or later.",
  timeoutSeconds: 10,
  input: {
    user_id: organiserId,
    name: text({ isCut: true, from: { agent: 'What the meeting is about.' } }),
    start: text({
      required: 'agent-start-required',
      says: LOCAL_TIME,
      from: { agent: 'Start, local time, written YYYY-MM-DD HH:MM:SS.' },
    }),
    stop: text({
      required: 'agent-stop-required',
      says: LOCAL_TIME,
      from: { agent: 'End, local time, written YYYY-MM-DD HH:MM:SS.' },
    }),
    timezone,
    call_id: recordId({ isLenient: true, from: 'variable' }),
    partner_id: recordId({ isLenient: true, from: 'variable' }),
  },
  reply: toolReply({ status: Type.Integer(), detail: Type.String(), event_id: Type.Integer() }),
  refuses: [400, 404, 409],
  access: 'write',
  async run(env, args, { named, setSubject }) {
    const organiser = await getOrganiser(env.db, args.user_id)
    const namedZone = args.timezone
    const zone = namedZone ?? organiser.zone
    const { start, stop, changes } = parseSpan(args, zone, env.now)
    const { call, attendeeId } = await findAttendee(env, args.partner_id, named)
    setSubject({ call })
    const booking = { organiser, name: args.name, start, stop, namedZone, attendeeId, call }
    const { id, what } = await book(env, booking)
    if (what === 'moved') {
      const times = `${spokenTime(start)} until ${spokenClock(stop)}`
      const say = sentences(...changes, `Your meeting with ${organiser.name} is now on ${times}.`)
      return { status: 200, detail: 'Event successfully changed', event_id: id, say }
    }
    if (what === 'known') {
      const say = sentences(...changes, `That meeting with ${organiser.name} is booked already.`)
      return { status: 200, detail: 'Event already exist!', event_id: id, say }
    }
    const say = sentences(...changes, `The meeting with ${organiser.name} is booked for ${spokenTime(start)}.`)
    return { status: 201, detail: 'Event successfully created', event_id: id, say }
  },
})

/** When it is; `changes` says what clock changes do to these times. */
function parseSpan(args: Readonly<Record<'start' | 'stop', string>>, zone: string, at: Date) {
  const { start, stop } = readSpan(args, zone)
  if (Temporal.ZonedDateTime.compare(stop, start) <= 0) throw misordered(args, start)
  // Nobody means a shorter one: the stop was misheard, as is one a day later.
  if (Temporal.ZonedDateTime.compare(stop, start.add({ minutes: 1 })) < 0)
    throw new Refusal('malformed', 'agent-meeting-too-short')
  if (start.epochMilliseconds < at.getTime()) throw new Refusal('malformed', 'agent-start-past')
  requireNear(stop.toPlainDate(), Temporal.Instant.fromEpochMilliseconds(at.getTime()))
  if (Temporal.ZonedDateTime.compare(stop, start.add({ days: 1 })) > 0)
    throw new Refusal('malformed', 'agent-meeting-too-long')
  return { start, stop, changes: changeSentences(args, { start, stop }) }
}

/** What clock changes do to a span: start and stop in the same skipped or doubled hour are on one side, and said once. */
function changeSentences(
  args: Readonly<Record<'start' | 'stop', string>>,
  { start, stop }: Readonly<Record<'start' | 'stop', Temporal.ZonedDateTime>>,
): string[] {
  const atStart = clockChangeSentence(args.start, start)
  const isSameChange = atStart !== undefined && start.toPlainDate().equals(stop.toPlainDate())
  const atStop = isSameChange ? undefined : clockChangeSentence(args.stop, stop)
  return [atStart, atStop].filter((each) => each !== undefined)
}

/** A time that a clock change leaves out is read as a later one, which may be past the stop. */
function misordered(args: Readonly<Record<'start' | 'stop', string>>, start: Temporal.ZonedDateTime): Refusal {
  const written = readSpan(args, 'UTC')
  const change = clockChangeSentence(args.start, start)
  const next = start.add({ nanoseconds: 1 }).getTimeZoneTransition('previous')
  if (Temporal.ZonedDateTime.compare(written.stop, written.start) <= 0 || change === undefined || next === null) {
    return new Refusal('malformed', 'agent-stop-before-start')
  }
  return new Refusal('malformed', 'agent-start-skipped', { change, next: spokenClock(next) })
}

function readSpan(args: Readonly<Record<'start' | 'stop', string>>, zone: string) {
  const { start, stop } = parseLocalSpan(args, zone)
  return { start: wellWritten('start', start), stop: wellWritten('stop', stop) }
}

function wellWritten(name: string, moment: Temporal.ZonedDateTime | undefined): Temporal.ZonedDateTime {
  if (moment === undefined) throw new Refusal('malformed', 'agent-local-time', { name })
  return moment
}

/** The call, and the caller's contact: the call's; without a call the one that was sent and exists. */
async function findAttendee(
  env: Env,
  sentContact: number | undefined,
  named: ToolUse['named'],
): Promise<{ call: number | undefined; attendeeId: number | undefined }> {
  const reach = await findReach(env, named)
  if (reach !== undefined) return { call: reach.call, attendeeId: reach.contact }
  const caller = await findCaller(env, named)
  return { call: caller?.call, attendeeId: caller?.contact ?? (await findSentContact(env.db, sentContact)) }
}

function sentences(...all: readonly string[]): string {
  return [...new Set(all)].join(' ')
}

import { Type } from 'typebox'
import { findContactById } from '../../contacts/find-by-number.ts'
import { tool, toolReply } from '../../deliveries/tools/tool.ts'
import { recordId } from '../../deliveries/tools/tool-arguments.ts'
import { Refusal } from '../../errors.ts'
import { type CallReach, findReach, requireCaller } from '../../ledger/calls/call-reach.ts'
import { cleanName, nameForAgents } from '../../names.ts'
import { parsePublishedTime, parseZone, spokenDate, spokenTime } from '../../time.ts'
import { dayIn, listMeetingsOf, type Meeting } from '../events/meetings.ts'
import { zoneToSpeak } from './arguments.ts'

/** Said where no contact is named: by a request outside of a call, and to a caller who is not known. */
const NO_CONTACT = { unnamed: 'agent-meetings-contact-required', unknown: 'agent-meetings-of-whom' } as const

/**
 * Meetings that a contact attends, the next one first and those that are over at the end; when a call is named, those of its own contact or their company
 * only, and none of a caller who is not known. In a call that the platform names, a contact that is left out is the
 * caller. Times are spoken in the zone that is named now, else in the one that was
 * named when the meeting was booked, else in that of the contact.
 */
export const getMeetingsTool = tool({
  path: '/get_meetings',
  name: 'calendar_get_meetings',
  summary: 'Meetings of a contact',
  description: "Lists the caller's meetings. Use it when the caller asks about or wants to change a meeting.",
  timeoutSeconds: 10,
  input: {
    partner_id: recordId({ isAlwaysFilled: true, from: 'variable' }),
    // Only what is said depends on it: one that is unusable is no reason to answer nothing.
    timezone: zoneToSpeak,
  },
  reply: toolReply({
    status: Type.Integer(),
    meetings: Type.Array(
      Type.Object({
        id: Type.Integer(),
        name: Type.String(),
        start: Type.String(),
        stop: Type.String(),
        user_id: Type.Union([
          Type.Unsafe<[id: number, name: string]>({
            type: 'array',
            prefixItems: [{ type: 'integer' }, { type: 'string' }],
            minItems: 2,
            maxItems: 2,
          }),
          Type.Null(),
        ]),
        location: Type.String(),
        description: Type.String(),
      }),
    ),
  }),
  refuses: [400, 404],
  access: 'read',
  async run(env, args, { named, setSubject }) {
    const { partner_id: asked, timezone } = args
    const reach = await findReach(env, named)
    setSubject({ call: reach?.call })
    const contactId = asked ?? (await requireCaller(env, named, NO_CONTACT))
    const partnerId = contactToList(reach, contactId)
    const ofCompany = parseZone(env.settings.zone ?? '') ?? 'UTC'
    const [meetings, contact] = await Promise.all([
      listMeetingsOf(env.db, partnerId, { now: env.now, zone: timezone ?? ofCompany }),
      findContactById(env.db, partnerId),
    ])
    const ofContact = parseZone(contact?.tz ?? '') ?? ofCompany
    const zoneOf = ({ tz }: Meeting): string => timezone ?? tz ?? ofContact
    return { status: 200, meetings: meetings.map(toApiMeeting), say: meetingsSentence(meetings, zoneOf, env.now) }
  },
})

function contactToList(reach: CallReach | undefined, asked: number): number {
  if (reach === undefined || reach.contacts.includes(asked)) return asked
  if (reach.contact === undefined) throw new Refusal('not-found', 'agent-meetings-of-whom')
  return reach.contact
}

function toApiMeeting({ user_id: userId, user_name: userName, tz: _tz, allday: _allday, ...meeting }: Meeting) {
  return {
    ...meeting,
    name: cleanName(meeting.name),
    user_id: userId === null ? null : ([userId, nameForAgents(userName ?? '')] satisfies [number, string]),
    location: cleanName(meeting.location ?? ''),
    description: meeting.description ?? '',
  }
}

/** What the agent says: the meetings that are not over, soonest first. */
function meetingsSentence(meetings: readonly Meeting[], zoneOf: (meeting: Meeting) => string, now: Date): string {
  const coming = meetings.filter((meeting) => !isOver(meeting, zoneOf(meeting), now))
  if (coming.length === 0) return 'There are no meetings to come.'
  const spoken = coming.map((meeting) => `${nameForAgents(meeting.name)} ${spokenWhen(meeting, zoneOf(meeting), now)}`)
  return `Meetings to come: ${spoken.join('; ')}.`
}

/** An all-day meeting has days and no hours: it is on the same days in every zone. */
function isOver({ stop, allday }: Meeting, zone: string, now: Date): boolean {
  if (allday === true) return Temporal.PlainDate.compare(dayOf(stop), dayIn(zone, now)) < 0
  return (parsePublishedTime(stop) ?? now) <= now
}

function spokenWhen({ start, stop, allday }: Meeting, zone: string, now: Date): string {
  if (allday === true) {
    const [first, last] = [dayOf(start), dayOf(stop)]
    return first.equals(last)
      ? `on ${spokenDate(first)}, all day`
      : `from ${spokenDate(first)} to ${spokenDate(last)}, all day`
  }
  const at = Temporal.Instant.fromEpochMilliseconds((parsePublishedTime(start) ?? now).getTime())
  return `on ${spokenTime(at.toZonedDateTimeISO(zone))}`
}

function dayOf(stored: string): Temporal.PlainDate {
  return Temporal.PlainDate.from(stored.slice(0, 10))
}

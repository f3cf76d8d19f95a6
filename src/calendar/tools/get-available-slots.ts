import { Type } from 'typebox'
import { tool, toolReply } from '../../deliveries/tools/tool.ts'
import { text } from '../../deliveries/tools/tool-arguments.ts'
import { Refusal } from '../../errors.ts'
import { parseLocalDate } from '../../time.ts'
import { listBusy } from '../events/busy-times.ts'
import {
  defaultDay,
  freeSlots,
  localSlots,
  nextDayWithSlots,
  slotSearchSpan,
  slotsSentence,
} from '../slots/free-slots.ts'
import { getOrganiser } from '../slots/organiser.ts'
import { organiserId, requireNear, timezone } from './arguments.ts'

/** Free business-hours slots of an organiser on a day. */
export const getAvailableSlotsTool = tool({
  path: '/get_available_slots',
  name: 'calendar_get_available_slots',
  summary: 'Free slots of a day',
  description: 'Tells when a colleague is free on a day. Use it before you offer or book a meeting.',
  timeoutSeconds: 10,
  input: {
    user_id: organiserId,
    start: text({
      says: 'The day, written YYYY-MM-DD.',
      from: { agent: 'The day, written YYYY-MM-DD. Leave out for the next working day.' },
    }),
    timezone,
  },
  reply: toolReply({
    slots: Type.Array(Type.Object({ start: Type.String(), stop: Type.String() })),
    timezone: Type.String(),
  }),
  refuses: [400, 404],
  access: 'read',
  async run(env, args) {
    const organiser = await getOrganiser(env.db, args.user_id)
    const zone = args.timezone ?? organiser.zone
    const now = Temporal.Instant.fromEpochMilliseconds(env.now.getTime())
    const base = { zone, organiserZone: organiser.zone, workingHours: organiser.workingHours, now }
    const day = parseDay(args.start, now) ?? defaultDay(base)
    const busy = await listBusy(env.db, organiser, slotSearchSpan({ day, zone, now }))
    const search = { ...base, day, busy }
    const slots = freeSlots(search)
    const next = slots.length === 0 ? nextDayWithSlots(search) : undefined
    return { slots: localSlots(slots, zone), timezone: zone, say: slotsSentence({ day, slots, zone, next, now }) }
  },
})

function parseDay(sent: string | undefined, now: Temporal.Instant): Temporal.PlainDate | undefined {
  if (sent === undefined) return undefined
  const day = parseLocalDate(sent)
  if (day === undefined) throw new Refusal('malformed', 'agent-date')
  requireNear(day, now)
  return day
}

import { Type } from 'typebox'
import { findContactById } from '../../contacts/find-by-number.ts'
import type { Queryable } from '../../database/database.ts'
import { type Argument, recordId } from '../../deliveries/tools/tool-arguments.ts'
import { Refusal } from '../../errors.ts'
import { isAbsent } from '../../lenient-values.ts'
import { parseZone } from '../../time.ts'

/** Nobody plans further; a date beyond it was misheard. */
const AHEAD_YEARS_MAX = 10

/** The colleague whose calendar it is. */
export const organiserId = recordId({
  required: 'agent-user-id-required',
  from: { agent: 'Id of the colleague whose calendar it is, as the instructions give it.' },
})

const ZONE = Type.Union([Type.String(), Type.Number()], {
  description: 'A name such as Europe/Zurich, or an offset from UTC in hours.',
})

/** The zone in which a caller speaks of times. */
export const timezone: Argument<string | undefined> = {
  type: 'string',
  schema: ZONE,
  isRequired: false,
  from: {
    agent: "The caller's time zone, such as Europe/Zurich, or an offset from UTC in hours. Leave out when unknown.",
  },
  read(sent) {
    if (isAbsent(sent)) return undefined
    const zone = parseZone(sent)
    if (zone !== undefined) return zone
    throw new Refusal('malformed', 'agent-timezone')
  },
}

/** The zone in which times are spoken; what is no zone counts as left out. */
export const zoneToSpeak: Argument<string | undefined> = {
  type: 'string',
  schema: ZONE,
  isRequired: false,
  read: (sent) => parseZone(sent),
}

/** The contact that was sent, when there is one with that id. */
export async function findSentContact(db: Queryable, id: number | undefined): Promise<number | undefined> {
  return id === undefined ? undefined : (await findContactById(db, id))?.id
}

/** Refuses a day that nobody means. */
export function requireNear(day: Temporal.PlainDate, now: Temporal.Instant): void {
  const today = now.toZonedDateTimeISO('UTC').toPlainDate()
  const [first, last] = [today.subtract({ years: AHEAD_YEARS_MAX }), today.add({ years: AHEAD_YEARS_MAX })]
  if (Temporal.PlainDate.compare(day, first) < 0 || Temporal.PlainDate.compare(day, last) > 0)
    throw new Refusal('malformed', 'agent-date-far', { years: AHEAD_YEARS_MAX })
}

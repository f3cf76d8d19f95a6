import type { Area } from '../area.ts'
import { FULL, rightsOf } from '../platform/access/access.ts'
import { GROUP } from '../platform/access/identity.ts'
import { calendarSettings } from './events/calendar-settings.ts'
import { eventModel } from './events/event.ts'
import { attendanceModel, workingHoursModel } from './slots/working-hours.ts'
import { CALENDAR_TOOLS } from './tools/tools.ts'

const HOURS = { ...rightsOf('r', FULL, 'r', '-'), [GROUP.internal]: 'r' }

/** Meetings, and the hours in which they can be. */
export const calendarArea = {
  models: [
    [workingHoursModel, HOURS],
    [attendanceModel, HOURS],
    [eventModel, rightsOf(FULL, FULL, FULL, '-')],
  ],
  settings: [{ fields: calendarSettings }],
  writers: { 'connect.settings': { calendar_outside_hours: 'administrators' } },
  tools: { area: 'voiceai', prefix: '/connect_voiceai', tools: CALENDAR_TOOLS },
} satisfies Area

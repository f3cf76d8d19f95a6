import { Type } from 'typebox'
import { tool, toolReply } from '../../deliveries/tools/tool.ts'
import { spokenTime, storedTime } from '../../time.ts'

/** The server's date and time, in UTC. */
export const getCurrentDateTool = tool({
  path: '/get_current_date',
  name: 'calendar_get_current_date',
  summary: 'Current date and time',
  description: 'Tells the current date and time. Use it before you work out what "tomorrow" or "next week" means.',
  timeoutSeconds: 5,
  input: {},
  ignoresBody: true,
  reply: toolReply({ current_date: Type.String(), timezone: Type.String() }),
  refuses: [],
  access: 'read',
  async run({ now }) {
    const zoned = Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO('UTC')
    return { current_date: `${storedTime(now)}000`, timezone: 'UTC', say: `It is ${spokenTime(zoned)}.` }
  },
})

import { boolean } from '../../platform/model/fields.ts'
import { type ReadOf, setting } from '../../platform/settings/setting.ts'

/** What administrators decide about meetings. */
export const calendarSettings = {
  calendar_outside_hours: setting(
    'booksOutsideHours',
    boolean('Agents can book outside working hours', {
      help: "Off: only within a colleague's working hours.",
    }),
  ),
}

declare module '../../platform/settings/settings.ts' {
  interface SettingsSnapshot extends ReadOf<typeof calendarSettings> {}
}

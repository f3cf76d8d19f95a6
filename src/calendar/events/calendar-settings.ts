import { boolean } from '../../platform/model/fields.ts'
import { type ReadOf, setting } from '../../platform/settings/setting.ts'

/** What administrators decide about meetings. */
export const calendarSettings = {
  calendar_outside_hours: setting(
    'booksOutsideHours',
    boolean('Book outside working hours', {
      help: 'On: agents book meetings at any time. Off: only inside the working hours of a colleague who has some.',
    }),
  ),
}

declare module '../../platform/settings/settings.ts' {
  interface SettingsSnapshot extends ReadOf<typeof calendarSettings> {}
}

import { integer } from '../../platform/model/fields.ts'
import { type ReadOf, setting } from '../../platform/settings/setting.ts'

const CALL_SECONDS_DEFAULT = 7_200
const CALL_SECONDS_MAX = 86_400

/** What administrators decide about calls. */
export const callSettings = {
  call_duration_limit: setting(
    'callDurationLimitSeconds',
    integer('Longest outgoing call (seconds)', {
      default: CALL_SECONDS_DEFAULT,
      min: 1,
      max: CALL_SECONDS_MAX,
    }),
    { read: (seconds) => seconds ?? 0 },
  ),
}

declare module '../../platform/settings/settings.ts' {
  interface SettingsSnapshot extends ReadOf<typeof callSettings> {}
}

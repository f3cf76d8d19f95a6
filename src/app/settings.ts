import type { Queryable } from '../database/database.ts'
import { SETTINGS_FILE, SettingsFile } from '../deliveries/inbox/settings-file.ts'
import { hasSingleSignOn } from '../platform/identity/sign-in-settings.ts'
import { withWriters } from '../platform/model/writers.ts'
import { SealedFile } from '../platform/secrets/sealed-file.ts'
import type { Cipher } from '../platform/secrets/secrets.ts'
import { readFieldsOf } from '../platform/settings/setting.ts'
import { Settings, type SettingsSnapshot } from '../platform/settings/settings.ts'
import { settingsWith } from '../platform/settings/settings-model.ts'
import { AREAS, writersOf } from './areas.ts'

/** The settings: what each area adds, in the order in which saving them sets things off. */
export const settingsModel = withWriters(
  settingsWith(...AREAS.flatMap(({ settings = [] }) => settings)),
  writersOf('connect.settings') ?? {},
)

const readFields = readFieldsOf(settingsModel)

export function openSettings(db: Queryable, cipher: Cipher): Settings {
  return new Settings(db, cipher, readFields)
}

/** What is set up, as pages need to know it. */
export function featuresOf(settings: SettingsSnapshot): Record<string, boolean> {
  const { accountSid, telcoApiKey, telcoApiSecret, voiceaiApiKey } = settings
  return {
    telco: accountSid !== undefined,
    // A web phone signs in with a token that the API key of the account signs.
    web_phones: Boolean(accountSid && telcoApiKey && telcoApiSecret),
    voiceai: voiceaiApiKey !== undefined,
    sso: hasSingleSignOn(settings),
  }
}

/** The file of the settings that deliveries are verified with; `database` says where their database is. */
export function settingsFileOf(parts: { dataDir: string; cipher: Cipher; database: string }): SettingsFile {
  const names = readFields.filter(({ verifies }) => verifies).map(({ as }) => as)
  return new SettingsFile(new SealedFile({ ...parts, name: SETTINGS_FILE }), names)
}

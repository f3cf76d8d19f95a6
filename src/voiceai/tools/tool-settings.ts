import { boolean } from '../../platform/model/fields.ts'
import { type ReadOf, setting } from '../../platform/settings/setting.ts'

/** Whether there are voice agents, and what their tools reach. */
export const toolSettings = {
  voiceai_enabled: setting('voiceaiEnabled', boolean('Use voice agents', { default: false })),
  voiceai_tools_open: setting(
    'voiceaiToolsOpen',
    boolean('Agents can reach all contacts, tickets and meetings', {
      help: 'Off: only those of the caller and their company.',
    }),
  ),
}

declare module '../../platform/settings/settings.ts' {
  interface SettingsSnapshot extends ReadOf<typeof toolSettings> {}
}

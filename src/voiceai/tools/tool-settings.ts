import { boolean } from '../../platform/model/fields.ts'
import { type ReadOf, setting } from '../../platform/settings/setting.ts'

/** Whether there are voice agents, and what their tools reach. */
export const toolSettings = {
  voiceai_enabled: setting('voiceaiEnabled', boolean('Voice agents enabled', { default: false })),
  voiceai_tools_open: setting(
    'voiceaiToolsOpen',
    boolean('Agents reach every record', {
      help:
        'Off: in a call, agents reach tickets, meetings and contacts of its contact and company, and what was made in it. ' +
        'On: every ticket and meeting whose number a caller names.',
    }),
  ),
}

declare module '../../platform/settings/settings.ts' {
  interface SettingsSnapshot extends ReadOf<typeof toolSettings> {}
}

import { Type } from 'typebox'
import type { Config } from '../../config.ts'
import { GROUP } from '../../platform/access/identity.ts'
import { type Operations, outsideMethod } from '../../platform/model/model.ts'
import { isEmulated } from '../emulation.ts'
import { checkAddress } from './check-address.ts'
import { playCallFromOutside } from './play-call.ts'
import { SET_UP_METHODS } from './set-up-agent.ts'

/** What each step of the set-up proves itself with, where no synchronisation does. */
export function setUpOperations(config: Pick<Config, 'telcoBaseUrl'>): Operations {
  const emulator = isEmulated(config) ? config.telcoBaseUrl : undefined
  return {
    'connect.voiceai_agent': SET_UP_METHODS,
    'connect.settings': {
      check_address: outsideMethod({
        label: 'Check the public address',
        operation: 'write',
        groups: [GROUP.connectAdmin],
        // Pages ask by themselves whenever they are opened, and nothing is changed by it.
        isAudited: false,
        reply: Type.Object({ reaches: Type.Boolean(), sentence: Type.String(), ms: Type.Integer() }),
        async runOutside(open) {
          const { apiUrl } = await open(async ({ settings }) => settings)
          return checkAddress(apiUrl, { isPlayed: emulator !== undefined })
        },
      }),
      play_call: outsideMethod({
        label: 'Try a call',
        operation: 'write',
        groups: [GROUP.connectAdmin],
        args: Type.Object({ number: Type.String({ minLength: 1, maxLength: 32 }) }),
        reply: Type.Object({ since: Type.Integer({ description: 'The newest call before it.' }) }),
        runOutside: (open, _ids, { number }) => playCallFromOutside(open, { number, emulator }),
      }),
    },
  }
}

import { Type } from 'typebox'
import { type OutsideMethod, outsideMethod } from '../../platform/model/model.ts'
import { ProviderRefused, type TelcoClient } from '../../ports/telco-client.ts'
import { askProvider } from './ask-provider.ts'
import { requireLiveLegs, requireOne } from './live-legs.ts'

/** Ends a live call for everybody. The provider reports the end of each leg by itself. */
export function hangUpMethod(client: TelcoClient): OutsideMethod {
  return outsideMethod({
    label: 'Hang up',
    operation: 'write',
    args: Type.Object({}),
    reply: Type.Literal(true),
    confirm: 'End the call for everyone?',
    danger: true,
    async runOutside(open, ids) {
      const [first, ...others] = await open((env) => requireLiveLegs(env, requireOne(ids)))
      if (first !== undefined) await askProvider(() => client.endCall(first.sid))
      // What the first leg had dialled ends with it; what was joined to it in another way does not.
      for (const { sid } of others) await askProvider(() => client.endCall(sid)).catch(passOver)
      return true
    },
  })
}

/** A leg that has ended meanwhile needs no ending. */
function passOver(error: unknown): void {
  if (!(error instanceof ProviderRefused) || error.kind !== 'conflict') throw error
}

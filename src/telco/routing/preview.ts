import { sqlState } from '../../database/database.ts'
import { asError } from '../../errors.ts'
import type { Env } from '../../platform/access/env.ts'
import type { Row } from '../../platform/model/model.ts'
import type { RoutedCall } from './decide/context.ts'
import { orFallback, routeToExtension } from './decide/destination.ts'
import { decideCall } from './decide-calls.ts'
import type { DialPlan } from './dial-plan.ts'
import { loadDialPlan } from './load-dial-plan.ts'

/** Extensions whose preview one answer holds: each is rendered by itself. */
const PREVIEWS_MAX = 50
/** In the place of markup that cannot be rendered; the reason is in the log. */
const PLACEHOLDER = '<!-- No preview is available. -->'

/** Before what an agent is reached by when its platform does not take the call. */
const REGISTERED =
  '<!-- The call is registered at the voice-agent platform, whose own markup answers it. Only if that fails: -->'

/** Nobody calls nobody. */
const NO_CALL: RoutedCall = {
  sid: '',
  callId: undefined,
  caller: '',
  called: '',
  isOutbound: false,
  fields: {},
  dialled: '',
  dialledLeg: '',
  // It begins no call.
  isCounted: true,
}

/** The markup that a call to each extension would get, as nobody would hear it; it changes nothing. */
export async function extensionPreviews(env: Env, rows: readonly Row[]): Promise<(string | null)[]> {
  const previews: (string | null)[] = []
  const plan = await loadDialPlan(env.db)
  for (const row of rows.slice(0, PREVIEWS_MAX)) previews.push(await preview(env, plan, row))
  return rows.map((_row, at) => previews[at] ?? null)
}

async function preview(
  env: Env,
  dialPlan: DialPlan,
  { id, number, model, res_id: resId, mobile_number: mobile }: Row,
): Promise<string> {
  const extension = {
    id,
    number: String(number),
    model: typeof model === 'string' ? model : null,
    res_id: typeof resId === 'number' ? resId : null,
    mobile_number: typeof mobile === 'string' ? mobile : null,
  }
  try {
    // As a live call: what cannot be rendered is replaced by what stands in for it.
    const plan = await decideCall(env, dialPlan, {
      call: NO_CALL,
      decide: (context) => orFallback(context, () => routeToExtension(context, extension)),
    })
    return plan.kind === 'markup' ? plan.markup : registeredPreview(env, plan.otherwise)
  } catch (thrown) {
    if (sqlState(thrown) !== undefined) throw thrown
    env.platform.log.warn({ err: asError(thrown), extension: number }, 'the preview of an extension failed')
    return PLACEHOLDER
  }
}

/** A live call is registered first, for which its platform would have to be asked. */
function registeredPreview({ settings }: Env, otherwise: string): string {
  return settings.voiceaiApiKey === undefined ? otherwise : `${REGISTERED}\n${otherwise}`
}

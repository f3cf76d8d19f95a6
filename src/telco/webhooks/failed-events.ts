import type { Consumer, Inbox } from '../../deliveries/inbox/inbox.ts'
import type { Arrival } from '../../deliveries/webhooks/webhook-table.ts'
import { parseCallEvent } from '../../ledger/legs/leg-event.ts'
import type { Env } from '../../platform/access/env.ts'
import { readForm } from './authentication.ts'
import { firstValues } from './form.ts'
import type { TelcoEffects } from './parts.ts'
import { recordReport } from './record-report.ts'
import { rawQuery, type TelcoRequest } from './request.ts'

/** Kind under which reports that could not be worked on wait in the inbox. */
export const TELCO_EVENT = 'telco.event'

interface KeptEvent {
  path: string
  form: Record<string, string>
  /** The raw query, which names our own message in reports of its status. */
  query: string
}

/** Keeps a report whose work failed, so that it is worked on again with back-off. */
export async function keepForLater(inbox: Inbox, path: string, arrival: Arrival): Promise<void> {
  const event: KeptEvent = { path, form: firstValues(readForm(arrival) ?? {}), query: rawQuery(arrival.target) }
  await inbox.receive({
    kind: TELCO_EVENT,
    conversation: undefined,
    payload: JSON.stringify(event),
    mediaRef: undefined,
  })
}

/** Works on reports that failed at first; for calls that means the ledger, because their caller is long gone. */
export function telcoConsumers(effects: TelcoEffects): Record<string, Consumer> {
  return {
    [TELCO_EVENT]: async (env, { payload }) => {
      const { path, form, query } = JSON.parse(payload) as KeptEvent
      const request: TelcoRequest = {
        form,
        query: new URLSearchParams(query),
        event: parseCallEvent(form),
        callId: undefined,
      }
      await repeat(env, effects, path, request)
      return 'done'
    },
  }
}

async function repeat(env: Env, effects: TelcoEffects, path: string, request: TelcoRequest): Promise<void> {
  switch (path) {
    case '/recordingstatus':
      return effects.recordRecordings(env, [request])
    case '/vm_recordingstatus':
      return effects.recordVoicemails(env, [request])
    case '/message':
      return effects.receiveMessages(env, [request])
    case '/message_status':
      return effects.recordMessageStatuses(env, [request])
    case '/outgoing_callerid':
      await effects.recordCallerIdResult(env, request)
      return
    default:
      await recordReport(env, request)
  }
}

import type { Reply } from '../../deliveries/webhooks/webhook-table.ts'
import { readSid } from '../../ledger/legs/provider-form.ts'
import {
  agentCallAction,
  callflowCallAction,
  extensionCallAction,
  userCallAction,
} from '../routing/decide/call-actions.ts'
import { isOfMobile, mobileScreening } from '../routing/decide/mobile.ts'
import type { Route } from '../routing/decide-calls.ts'
import type { AnswerParts } from './answering.ts'
import { FALSE, HANGUP_REPLY, NO_CALL, type SpokenReply, TRUE, textReply } from './replies.ts'
import type { TelcoRequest } from './request.ts'

export function always(reply: Reply): () => Reply {
  return () => reply
}

export function callIdOrFalse({ recorded: { callId } }: AnswerParts): Reply {
  return callId === undefined ? FALSE : textReply(String(callId))
}

export function isKnown({ recorded }: AnswerParts): Reply {
  return recorded.isKnown === true ? TRUE : FALSE
}

/** What follows a dial, by the model that was dialled; connect.callflow is the legacy name of call flows. */
const CALL_ACTIONS: ReadonlyMap<string, Route> = new Map([
  ['connect.user', userCallAction],
  ['connect.telco.callflow', callflowCallAction],
  ['connect.callflow', callflowCallAction],
  ['connect.telco.exten', extensionCallAction],
  ['connect.voiceai_agent', agentCallAction],
])

export function withoutCall<Otherwise extends Reply | SpokenReply>(
  reply: Otherwise,
): (request: TelcoRequest) => Otherwise | undefined {
  return ({ event }) => (event === undefined ? reply : undefined)
}

/** A recording of a conference names no leg. */
export function withoutCallOrConference<Otherwise extends Reply | SpokenReply>(
  reply: Otherwise,
): (request: TelcoRequest) => Otherwise | undefined {
  return ({ event, form }) => (event === undefined && readSid(form.ConferenceSid) === '' ? reply : undefined)
}

export function withoutCallAction(request: TelcoRequest): Reply | SpokenReply | undefined {
  return callActionOf(request) === undefined ? HANGUP_REPLY : withoutCall(NO_CALL)(request)
}

/** A closed list (docs/reference/domain.md#call-actions): anything else ends the call. */
export function callActionOf(request: TelcoRequest): Route | undefined {
  const action = CALL_ACTIONS.get(request.params.model ?? '')
  return action !== undefined && isOfMobile(request) ? mobileScreening : action
}

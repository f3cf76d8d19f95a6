import type { OpenEnv } from '../../deliveries/webhooks/webhook-table.ts'
import type { Env } from '../../platform/access/env.ts'
import type { TelcoRequest } from './request.ts'

/** Where calls go. Each answers finished markup and opens its own transactions, so that it can ask others in between. */
export interface CallRouting {
  number(open: OpenEnv, request: TelcoRequest): Promise<string>
  domain(open: OpenEnv, request: TelcoRequest): Promise<string>
  userCallAction(open: OpenEnv, userId: number, request: TelcoRequest): Promise<string>
  callflowCallAction(open: OpenEnv, flowId: number, request: TelcoRequest): Promise<string>
  agentCallAction(open: OpenEnv, agentId: number, request: TelcoRequest): Promise<string>
  gatherResult(open: OpenEnv, flowId: number, request: TelcoRequest): Promise<string>
  markupApplication(open: OpenEnv, markupId: number, request: TelcoRequest): Promise<string>
}

/** What reports that steer no call do to our records. */
export interface TelcoEffects {
  recordRecordings(env: Env, requests: readonly TelcoRequest[]): Promise<void>
  recordVoicemails(env: Env, requests: readonly TelcoRequest[]): Promise<void>
  receiveMessages(env: Env, requests: readonly TelcoRequest[]): Promise<void>
  recordMessageStatuses(env: Env, requests: readonly TelcoRequest[]): Promise<void>
  /** False when the number is not one of ours to validate. */
  recordCallerIdResult(env: Env, request: TelcoRequest): Promise<boolean>
}

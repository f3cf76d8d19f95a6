import { createHash, timingSafeEqual } from 'node:crypto'
import type { SettingsSnapshot } from '../platform/settings.ts'
import type { Arrival, Authentication } from './webhook-table.ts'

export const AGENT_TOKEN_HEADER = 'x-voiceai-agent-token'

/** The agent token check of the contract (5.1): header and setting present and equal, compared in constant time. */
export function checkToolToken(arrival: Arrival, settings: SettingsSnapshot | undefined): Authentication {
  const given = arrival.headers[AGENT_TOKEN_HEADER]
  const wanted = settings?.voiceaiAgentToken
  if (typeof given !== 'string' || given === '') {
    return { ok: false, reason: `the header ${AGENT_TOKEN_HEADER} is missing`, isSigned: false }
  }
  if (wanted === undefined || wanted === '') {
    return { ok: false, reason: 'no agent token is configured', isSigned: true }
  }
  if (!equalInConstantTime(given, wanted)) return { ok: false, reason: 'the agent token differs', isSigned: true }
  return { ok: true }
}

/** Whether two secrets are the same, in a time that tells nothing of either, not even a length. */
export function equalInConstantTime(a: string, b: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(a), digest(b))
}

import { equalInConstantTime } from '../../platform/secrets/secrets.ts'
import type { VerificationSettings } from '../../platform/settings/settings.ts'
import type { Authentication, IncomingRequest } from '../webhooks/webhook-table.ts'

export const AGENT_TOKEN_HEADER = 'x-voiceai-agent-token'

// What an administrator reads: which setting is wrong, and what to do about it.
const MISSING = `The header ${AGENT_TOKEN_HEADER} is missing. The request is not from ElevenLabs, or a proxy removed the header.`
const NOT_SET = 'No agent token is set. Change the agent token, then sync with ElevenLabs.'
const DIFFERS = 'The agent token is not the one in the settings. Sync with ElevenLabs to send it to every tool.'

/**
 * The agent token check (docs/reference/contract.md#agent-token): header and setting present and equal, in constant
 * time.
 */
export function checkToolToken(arrival: IncomingRequest, settings: VerificationSettings | undefined): Authentication {
  const given = arrival.headers[AGENT_TOKEN_HEADER]
  const wanted = settings?.voiceaiAgentToken
  if (typeof given !== 'string' || given === '') {
    return { ok: false, reason: MISSING, isSigned: false }
  }
  if (wanted === undefined || wanted === '') {
    return { ok: false, reason: NOT_SET, isSigned: true }
  }
  if (!equalInConstantTime(given, wanted)) return { ok: false, reason: DIFFERS, isSigned: true }
  return { ok: true }
}

import { AGENT_TOKEN_HEADER } from '../../deliveries/tools/agent-token.ts'
import { CALL_HEADER } from '../../deliveries/tools/named-call.ts'
import { equalInConstantTime } from '../../platform/secrets/secrets.ts'
import type { ProviderAddress } from '../client/sdk-workspace.ts'

/** How an address that the platform asks differs from the one it is to ask; undefined when it does not. */
export function addressProblem(
  there: ProviderAddress | undefined,
  wanted: { url: string; headers: Readonly<Record<string, unknown>> },
): string | undefined {
  if (there === undefined) return 'ElevenLabs has no address for it.'
  if (there.url !== wanted.url) return `ElevenLabs has the address ${there.url}.`
  const token = wanted.headers[AGENT_TOKEN_HEADER]
  if (typeof token !== 'string') return undefined
  const shown = there.headers[AGENT_TOKEN_HEADER]
  if (shown === undefined) return 'ElevenLabs sends no agent token.'
  if (!equalInConstantTime(shown, token)) return 'ElevenLabs sends another agent token.'
  const isBound = !(CALL_HEADER in wanted.headers) || CALL_HEADER in there.headers
  return isBound ? undefined : 'ElevenLabs does not say which call the tool is used in.'
}

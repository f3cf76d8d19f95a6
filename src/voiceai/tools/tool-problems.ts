import type { SettingsSnapshot } from '../../platform/settings/settings.ts'
import type { Difference } from '../../sync/provider.ts'
import type { ProviderTool, ToolConfig } from '../client/sdk-workspace.ts'
import { addressProblem } from '../workspace/address-problem.ts'
import { requireReady } from '../workspace/readiness.ts'
import { toolUrl } from './tool-payload.ts'
import type { ToolRow } from './tool-rows.ts'

export const TOOL_ABSENT = 'ElevenLabs does not have it.'

/** How what the platform shows of a tool differs from what it is to hold. */
export function toolProblem(wanted: ToolConfig, there: ProviderTool): string | undefined {
  if (there.name !== wanted.name) return `ElevenLabs calls it "${there.name}".`
  if (wanted.type !== 'webhook') return undefined
  const { url, requestHeaders: headers = {} } = wanted.apiSchema
  return addressProblem(there.address, { url, headers })
}

export function sayToolProblem(problem: string): string {
  return `${problem} Sync the tools.`
}

/** Tools that ask this service and that we know nothing of: left by a synchronisation that was cut off, or made by hand. */
export function findDoubles(
  theirs: readonly ProviderTool[],
  ours: readonly ToolRow[],
  settings: SettingsSnapshot,
): Difference[] {
  const { apiUrl } = requireReady(settings)
  const known = new Set(ours.map((tool) => tool.tool_id))
  const urls = new Set(ours.map((tool) => toolUrl(tool, apiUrl)))
  const doubles = theirs.filter((tool) => !known.has(tool.id) && urls.has(tool.address?.url ?? ''))
  return doubles.map(({ id, name }) => ({
    what: 'tool',
    name,
    message: `ElevenLabs has another tool with the address of one of ours (${id}). Remove it there.`,
  }))
}

import type { ProviderDocument } from '../client/sdk-knowledge.ts'
import type { KnowledgeRow } from './knowledge-rows.ts'

export const KNOWLEDGE_ABSENT = 'ElevenLabs does not have it, so no agent knows it.'

/** How what the platform shows of a document differs from what it is to hold. */
export function documentProblem(
  { name, kind, url }: Pick<KnowledgeRow, 'name' | 'kind' | 'url'>,
  there: ProviderDocument,
): string | undefined {
  if (there.name !== name) return `Expected the name "${name}", ElevenLabs has "${there.name}".`
  if (kind === 'page' && there.url !== url) return `Expected the address ${url}, ElevenLabs reads ${there.url}.`
  return undefined
}

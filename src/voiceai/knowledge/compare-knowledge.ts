import { type Difference, differing } from '../../sync/provider.ts'
import type { ProviderDocument } from '../client/sdk-knowledge.ts'
import type { VoiceaiParts } from '../workspace/voiceai.ts'
import { listKnowledge } from './knowledge-rows.ts'

type Stored = Awaited<ReturnType<typeof listKnowledge>>[number]

/** Documents that the platform holds in another way; it is asked for nothing where there are none here. */
export async function compareKnowledge(parts: VoiceaiParts): Promise<Difference[]> {
  const ours = await listKnowledge(parts.db)
  if (ours.length === 0) return []
  const theirs = new Map((await parts.client.listDocuments()).map((document) => [document.uid, document]))
  return ours.flatMap((document) => {
    const { id, name } = document
    return differing({ what: 'knowledge', id, name }, problemOf(document, theirs.get(document.document_uid ?? '')))
  })
}

function problemOf({ name, kind, url, synced, sync_error: error }: Stored, there: ProviderDocument | undefined) {
  if (there === undefined) return 'ElevenLabs does not have it, so no agent knows it.'
  if (synced !== true) return error ?? 'It was changed here and has not been pushed.'
  if (there.name !== name) return `Expected the name "${name}", ElevenLabs has "${there.name}".`
  if (kind === 'page' && there.url !== url) return `Expected the address ${url}, ElevenLabs reads ${there.url}.`
  return undefined
}

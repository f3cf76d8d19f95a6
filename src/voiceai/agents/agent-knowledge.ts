import type { ElevenLabs } from '@elevenlabs/elevenlabs-js'
import type { KnownDocument } from '../knowledge/knowledge-rows.ts'
import type { AgentRow } from './agent-rows.ts'

/** Our kinds of documents, by the platform's names (`KnowledgeBaseDocumentType` of its API description). */
const TYPES: Readonly<Record<KnownDocument['kind'], ElevenLabs.KnowledgeBaseDocumentType>> = {
  text: 'text',
  file: 'file',
  page: 'url',
  site: 'folder',
}

type Knowing = Pick<AgentRow, 'knowledge' | 'has_pushed_knowledge' | 'language'>

/**
 * What the agent knows, as the platform is to hold it; nothing of an agent that never knew anything. Documents that are not
 * always in mind are looked up (`rag`), with the platform's model for English, or its one for all languages.
 */
export function knowledgeConfig({
  knowledge,
  has_pushed_knowledge: hadSome,
  language,
}: Knowing): Pick<ElevenLabs.PromptAgentApiModelOutput, 'knowledgeBase' | 'rag'> {
  if (knowledge.length === 0 && !hadSome) return {}
  return {
    knowledgeBase: knowledge.map(({ uid: id, name, kind, usage: usageMode }) => ({
      id,
      name,
      type: TYPES[kind],
      usageMode,
    })),
    rag: {
      enabled: knowledge.some(({ usage }) => usage === 'auto'),
      embeddingModel: language === 'en' ? 'e5_mistral_7b_instruct' : 'multilingual_e5_large_instruct',
    },
  }
}

/** How what the platform lets the agent know differs from what it is to know. */
export function knowledgeProblem(
  { knowledge, has_pushed_knowledge: hadSome }: Knowing,
  there: readonly { uid: string; name: string }[],
): string | undefined {
  if (knowledge.length === 0 && !hadSome) return undefined
  const uids = new Set(there.map(({ uid }) => uid))
  if (knowledge.length === uids.size && knowledge.every(({ uid }) => uids.has(uid))) return undefined
  return `Expected the knowledge ${listed(knowledge)}, ElevenLabs has ${listed(there)}.`
}

function listed(documents: readonly { name: string }[]): string {
  return documents.length === 0 ? 'none' : documents.map(({ name }) => `"${name}"`).join(', ')
}

import type { Row } from '../data/client.ts'
import { plain } from '../words/formats.ts'

export const KNOWLEDGE = 'connect.voiceai_knowledge'

/** What the page shows of each. */
export const KNOWN_FIELDS = [
  ...(['name', 'kind', 'url', 'pages_max', 'pages', 'usage', 'agents', 'synced', 'sync_error'] as const),
  ...(['crawl_status', 'file', 'file_name', 'file_bytes', 'file_url'] as const),
] as const

export type Known = Row<typeof KNOWLEDGE, (typeof KNOWN_FIELDS)[number]>

/** A name as it is shown. */
export function nameOf({ name }: Pick<Known, 'name'>): string {
  return plain(name ?? '')
}

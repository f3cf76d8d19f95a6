import type { Queryable } from '../../database/database.ts'
import { type SQL, sql } from '../../database/drizzle.ts'
import type { KnowledgeSource } from './knowledge-source.ts'

/** What the platform was asked to create. */
export interface AskedDocument {
  name: string
  source: string
}

/** A document as it is stored. */
export interface KnowledgeRow extends KnowledgeSource {
  id: number
  name: string
  text: string | null
  /** Where the bytes of a file are. */
  media_ref: string | null
  file_name: string | null
  document_uid: string | null
  crawl_uid: string | null
  pushed_source: string | null
  synced: boolean | null
  sync_error: string | null
  create_asked_at: string | null
  create_asked: AskedDocument | null
  write_date: string
}

/** A text may be long: where all are listed, it is left out. */
const TEXT = sql`k.text`
const WITHOUT_TEXT = sql`null as text`

export async function findKnowledge(db: Queryable, id: number): Promise<KnowledgeRow | undefined> {
  const [row] = await query(db, TEXT, sql`where k.id = ${id}::bigint`)
  return row
}

/** Every document, by name, without the texts. */
export async function listKnowledge(db: Queryable): Promise<KnowledgeRow[]> {
  return query(db, WITHOUT_TEXT, sql`order by k.name, k.id`)
}

/** A document that the platform has, as an agent names it. */
export interface KnownDocument {
  uid: string
  name: string
  kind: KnowledgeSource['kind']
  usage: 'auto' | 'prompt'
}

/** Documents of the agent that the platform has, by name. */
export async function listDocumentsOfAgent(db: Queryable, agentId: number): Promise<KnownDocument[]> {
  return db.query(
    sql`select k.document_uid as uid, k.name, k.kind, k.usage from connect_voiceai_agent_knowledge_rel r
        join connect_voiceai_knowledge k on k.id = r.knowledge_id
        where r.agent_id = ${agentId}::bigint and k.document_uid is not null order by k.name, k.id`,
  )
}

async function query(db: Queryable, text: SQL, condition: SQL): Promise<KnowledgeRow[]> {
  return db.query<KnowledgeRow>(
    sql`select k.id, k.name, k.kind, ${text}, k.url, k.pages_max, k.file, f.media_ref, k.file_name, k.document_uid,
          k.crawl_uid, k.pushed_source, k.synced, k.sync_error, k.create_asked_at, k.create_asked, k.write_date
        from connect_voiceai_knowledge k left join connect_attachment f on f.id = k.file ${condition}`,
  )
}

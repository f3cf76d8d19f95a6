import { Type } from 'typebox'
import { type SQL, sql } from '../../database/drizzle.ts'
import { idList } from '../../database/ids.ts'
import type { Env } from '../../platform/access/env.ts'
import { GROUP } from '../../platform/access/identity.ts'
import { attachToRecord, removeFile } from '../../platform/attachments/attachment.ts'
import { type Change, method } from '../../platform/model/model.ts'
import { writerOf, writtenBy } from '../../platform/model/written-by.ts'
import { notifySomeChanged } from '../../platform/records/notify-changed.ts'
import { requestPush, touches } from '../../sync/requests.ts'
import { VOICEAI } from '../workspace/voiceai.ts'

const MODEL = 'connect.voiceai_knowledge'

/** What the agents that have it are told of it. */
const AGENT_CONTENT = ['agents', 'usage', 'name', 'kind']

/** Agents that get or lose a document, or are told something else of it; of a new one when the platform has it. */
export async function agentsOfKnowledge(env: Env, { id, values, isNew }: Change): Promise<number[]> {
  return isNew || !touches(values, AGENT_CONTENT) ? [] : listAgentsKnowing(env, [id])
}

/** Removes the files of documents that are about to be removed. */
export async function removeFiles(env: Env, ids: readonly number[]): Promise<void> {
  const documents = await env.db.query<{ file: number }>(
    sql`select file from connect_voiceai_knowledge where id in (${idList(ids)}) and file is not null order by id`,
  )
  for (const { file } of documents) await removeFile(env, file)
}

/** Puts an uploaded file on the record; the one before goes. */
export async function takeFile(env: Env, { id, values, previous }: Change): Promise<void> {
  const { file } = values
  const before = previous?.file
  if (file === before) return
  const taken = typeof file === 'number' ? await attachToRecord(env, { model: MODEL, id }, file) : undefined
  await env.db.query(
    sql`update connect_voiceai_knowledge set file_name = ${taken?.name ?? null}, file_bytes = ${taken?.bytes ?? null}::int,
          ${writtenBy(writerOf(env))} where id = ${id}::bigint`,
  )
  if (typeof before === 'number') await removeFile(env, before)
}

/** Has the platform read pages and sites once more: it keeps what it read before. */
export const readAgain = method({
  label: 'Read again',
  operation: 'write',
  groups: [GROUP.connectAdmin],
  reply: Type.Object({ reading: Type.Integer() }),
  async run(env, ids) {
    if (ids.length === 0) return { reading: 0 }
    const read = await listIds(
      env,
      sql`update connect_voiceai_knowledge set pushed_source = null, ${writtenBy(writerOf(env))}
          where id in (${idList(ids)}) and kind in ('page', 'site') returning id`,
    )
    await pushKnowledge(env, read)
    return { reading: read.length }
  },
})

/** Marks documents as outdated at the platform, and has them pushed. */
export async function pushKnowledge(env: Env, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return
  await env.db.query(
    sql`update connect_voiceai_knowledge set synced = false, ${writtenBy(writerOf(env))} where id in (${idList(ids)})`,
  )
  for (const id of ids) await requestPush(env, VOICEAI, { kind: 'knowledge', id })
}

/** Agents that have one of these documents, here or at the platform. */
export async function listAgentsKnowing(env: Pick<Env, 'db'>, ids: readonly number[]): Promise<number[]> {
  if (ids.length === 0) return []
  return listIds(
    env,
    sql`select a.id from connect_voiceai_agent a where exists (select 1 from connect_voiceai_knowledge k
          where k.id in (${idList(ids)}) and (a.pushed -> 'knowledge' @> to_jsonb(k.document_uid)
            or exists (select 1 from connect_voiceai_agent_knowledge_rel r
              where r.knowledge_id = k.id and r.agent_id = a.id))) order by a.id`,
  )
}

/** Clears what the platform calls our documents. What is there stays as it is. */
export async function unbindKnowledge(env: Env): Promise<void> {
  const documents = await listIds(
    env,
    sql`update connect_voiceai_knowledge set document_uid = null, crawl_uid = null, crawl_status = null, pages = null,
          pushed_source = null, synced = false, sync_error = null, create_asked_at = null, ${writtenBy(writerOf(env))}
        where document_uid is not null or synced returning id`,
  )
  await notifySomeChanged(env, MODEL, documents)
}

async function listIds({ db }: Pick<Env, 'db'>, query: SQL): Promise<number[]> {
  const rows = await db.query<{ id: number }>(query)
  return rows.map((row) => row.id)
}

import { buffer } from 'node:stream/consumers'
import { sql } from '../../database/drizzle.ts'
import { idList } from '../../database/ids.ts'
import type { Env } from '../../platform/access/env.ts'
import { requestPush } from '../../sync/requests.ts'
import { Resource } from '../../sync/resource.ts'
import { parsePublishedTime, publishedTime } from '../../time.ts'
import { type AgentPartOptions, pushNamers } from '../agents/agent-changes.ts'
import { VoiceaiError } from '../client/provider-error.ts'
import type { CreatedDocument, NewDocument, ProviderDocument } from '../client/sdk-knowledge.ts'
import { type Push, VOICEAI, type VoiceaiParts } from '../workspace/voiceai.ts'
import { CRAWL_LOOK_SECONDS } from './follow-crawl.ts'
import { knowledgeModel } from './knowledge.ts'
import { listAgentsKnowing, pushKnowledge } from './knowledge-changes.ts'
import { documentProblem, KNOWLEDGE_ABSENT } from './knowledge-problems.ts'
import { type AskedDocument, findKnowledge, type KnowledgeRow, listKnowledge } from './knowledge-rows.ts'
import { sentFile, sourceKey } from './knowledge-source.ts'

const MS_PER_SECOND = 1_000
/** How far the platform's clock may be behind ours. */
const CLOCK_SECONDS = 60

interface MadeDocument {
  uid: string
  told: { crawlUid: string | undefined }
}

interface Knowledge {
  stored: KnowledgeRow
  wanted: { name: string; content?: string }
  there: ProviderDocument
  gone: { documentUid: string }
  options?: AgentPartOptions
  told: MadeDocument['told']
}

/** Every document of ours; one with another source than the platform has of it is made anew, and the old one goes later. */
export const knowledgeResource = new Resource<VoiceaiParts, 'knowledge', Knowledge>(VOICEAI, {
  kind: 'knowledge',
  model: knowledgeModel,
  step: 'knowledge',
  pushedOn: ['name', 'kind', 'text', 'url', 'pages_max', 'file'],
  queue: pushKnowledge,
  async list({ db }, id) {
    if (id === undefined) return listKnowledge(db)
    const row = await findKnowledge(db, id)
    return row === undefined ? [] : [row]
  },
  nameOf: ({ name }) => name,
  uidOf: (row) => (row.pushed_source === sourceKey(row) ? row.document_uid : null),
  // Content is what the platform changes of texts only.
  wanted: (_parts, { kind, name, text }) => (kind === 'text' ? { name, content: text ?? '' } : { name }),
  actual: ({ client }) => client.listDocuments(),
  match: ({ document_uid: documentUid }, actual) => actual.find(({ uid }) => uid === documentUid),
  isUpdatedUnseen: true,
  idThere: ({ uid }) => uid,
  problem: (_wanted, there, stored) => documentProblem(stored, there),
  drift: { what: 'knowledge', absent: () => KNOWLEDGE_ABSENT },
  async create(parts, wanted, row) {
    const made = await parts.client.createDocument(await newDocument(parts, row))
    // The folder of a site is named by the platform.
    if (row.kind === 'site') await parts.client.updateDocument(made.uid, wanted)
    return toMade(made)
  },
  ask: noteAsked,
  findLeft,
  findMade: (parts, _wanted, row) => findAsked(parts, row, askedOf(row)),
  update: ({ client }, { uid }, wanted) => client.updateDocument(uid, wanted),
  saved: savedOf,
  removal: {
    of: (_stored, { uid: documentUid }) => ({ documentUid }),
    read: ({ db }, ids) =>
      db.query(
        sql`select document_uid as "documentUid" from connect_voiceai_knowledge
            where id in (${idList(ids)}) and document_uid is not null order by id`,
      ),
    remove: ({ client }, { documentUid }) => client.deleteDocument(documentUid),
  },
})

async function newDocument({ media }: VoiceaiParts, row: KnowledgeRow): Promise<NewDocument> {
  const { kind, name, text, url, pages_max: pagesMax, file_name: fileName, media_ref: reference } = row
  if (kind === 'text') return { kind, name, text: text ?? '' }
  if (kind === 'page') return { kind, name, url: url ?? '' }
  if (kind === 'site') return { kind, name, url: url ?? '', pagesMax: pagesMax ?? 1 }
  const sent = sentFile(fileName ?? '')
  const opened = reference === null ? undefined : await media.open(reference)
  if (sent === undefined || opened === undefined) {
    throw new VoiceaiError('refused', 'The file is not stored here any more. Upload it again.')
  }
  return { kind: 'file', name, data: await buffer(opened.stream), ...sent }
}

function toMade({ uid, crawlUid }: CreatedDocument): MadeDocument {
  return { uid, told: { crawlUid } }
}

function askedOf(row: KnowledgeRow): AskedDocument {
  return { name: row.name, source: sourceKey(row) }
}

async function noteAsked({ db }: VoiceaiParts, _wanted: unknown, row: KnowledgeRow): Promise<KnowledgeRow> {
  const asked = { create_asked_at: row.create_asked_at ?? publishedTime(new Date()), create_asked: askedOf(row) }
  // The first moment stays: whatever was made since then may be ours.
  await db.query(
    sql`update connect_voiceai_knowledge set create_asked_at = coalesce(create_asked_at, now() at time zone 'utc'),
          create_asked = ${JSON.stringify(asked.create_asked)}::jsonb where id = ${row.id}::bigint`,
  )
  return { ...row, ...asked }
}

/** What an attempt whose process was killed has made; of another source than is wanted now, it goes. */
async function findLeft(parts: VoiceaiParts, _wanted: unknown, row: KnowledgeRow): Promise<MadeDocument | undefined> {
  const asked = row.create_asked ?? askedOf(row)
  const made = await findAsked(parts, row, asked)
  if (made === undefined || row.create_asked?.source === sourceKey(row)) return made
  await knowledgeResource.remove(parts, { documentUid: made.uid })
  return undefined
}

/** What was made since it was asked for, with the name and source asked for then, and which no record of ours is. */
async function findAsked(
  { client, db }: VoiceaiParts,
  { kind, url, create_asked_at: askedAt }: KnowledgeRow,
  asked: AskedDocument,
): Promise<MadeDocument | undefined> {
  const since = askedAt === null ? undefined : parsePublishedTime(askedAt)
  if (since === undefined) return undefined
  const sinceSeconds = since.getTime() / MS_PER_SECOND - CLOCK_SECONDS
  const rows = await db.query<{ document_uid: string }>(
    sql`select document_uid from connect_voiceai_knowledge where document_uid is not null`,
  )
  const ours = new Set(rows.map(({ document_uid: uid }) => uid))
  if (kind === 'site') {
    const crawls = await client.listCrawls()
    const crawl = crawls.find(
      (each) => each.url === url && each.createdSeconds >= sinceSeconds && !ours.has(each.folderUid),
    )
    return crawl === undefined ? undefined : toMade({ uid: crawl.folderUid, crawlUid: crawl.uid })
  }
  const type = kind === 'page' ? 'url' : kind
  const made = (await client.listDocuments()).find(
    (each) =>
      each.type === type && each.name === asked.name && each.createdSeconds >= sinceSeconds && !ours.has(each.uid),
  )
  return made === undefined ? undefined : toMade({ uid: made.uid, crawlUid: undefined })
}

function savedOf(
  row: KnowledgeRow,
  { uid, told }: { uid: string; told?: MadeDocument['told'] },
  { options }: { options: AgentPartOptions | undefined },
) {
  const isNew = uid !== row.document_uid
  const crawlUid = (told === undefined ? row.crawl_uid : told.crawlUid) ?? null
  const isRead = crawlUid !== null && crawlUid !== row.crawl_uid
  return {
    // What was changed while it was being pushed is pushed again by the job of that change.
    set: sql`document_uid = ${uid}, crawl_uid = ${crawlUid}, pushed_source = ${sourceKey(row)},
      create_asked_at = null, synced = (write_date = ${row.write_date}::timestamp)
      ${isNew ? sql`, crawl_status = ${isRead ? 'queued' : null}, pages = null` : sql``}`,
    isNotified: true,
    async andThen(env: Env) {
      if (isRead) await requestPush(env, VOICEAI, { kind: 'crawl', id: row.id }, { delaySeconds: CRAWL_LOOK_SECONDS })
      if (!isNew) return
      await pushNamers(env, await listAgentsKnowing(env, [row.id]), options)
      // Agents name the new one before the old one goes.
      if (row.document_uid !== null) {
        const old: Push = { kind: 'remove-knowledge', documentUid: row.document_uid }
        await requestPush(env, VOICEAI, old, { delaySeconds: CRAWL_LOOK_SECONDS })
      }
    },
  }
}

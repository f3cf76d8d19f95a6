import { buffer } from 'node:stream/consumers'
import { sql } from '../../database/drizzle.ts'
import type { StepContext } from '../../sync/provider.ts'
import { createOrFind, ifPresent, pushRecord, savePushed, unlessMissing } from '../../sync/push.ts'
import { requestPush } from '../../sync/requests.ts'
import { inServiceEnv } from '../../sync/service-env.ts'
import { workOnEach } from '../../sync/work-on-each.ts'
import { parsePublishedTime } from '../../time.ts'
import { markAgentsOutdated, pushAgents } from '../agents/agent-changes.ts'
import { VoiceaiError } from '../client/provider-error.ts'
import type { CreatedDocument, NewDocument } from '../client/sdk-knowledge.ts'
import type { AgentPartOptions } from '../tools/tool-resource.ts'
import { type Push, type PushOutcome, VOICEAI, type VoiceaiParts } from '../workspace/voiceai.ts'
import { listAgentsKnowing } from './knowledge-changes.ts'
import { type AskedDocument, findKnowledge, type KnowledgeRow, listKnowledge } from './knowledge-rows.ts'
import { sentFile, sourceKey } from './knowledge-source.ts'

const MODEL = 'connect.voiceai_knowledge'
const MS_PER_SECOND = 1_000
/** How far the platform's clock may be behind ours. */
const CLOCK_SECONDS = 60
/** How often the platform is asked how far it is with a site, and for how long: an hour. */
const CRAWL_LOOK_SECONDS = 30
const CRAWL_LOOKS_MAX = 120
/** `CrawlStatus` of the platform's API description. */
const CRAWLING: ReadonlySet<string> = new Set(['queued', 'processing'])

/** Pushes every document, so that the agents which are pushed afterwards can name them. */
export async function syncKnowledge(
  parts: VoiceaiParts,
  context: StepContext,
  options: AgentPartOptions = {},
): Promise<void> {
  const documents = await listKnowledge(parts.db)
  await context.progress.count('total', documents.length)
  await workOnEach(context, {
    model: MODEL,
    targets: documents,
    work: ({ id }) => pushKnowledge(parts, id, { isForced: true, ...options }),
    retry: ({ id }): Push => ({ kind: 'knowledge', id }),
  })
}

/** Brings the platform's document in sync with ours. Throws a VoiceaiError, and saves it. */
export function pushKnowledge(
  parts: VoiceaiParts,
  id: number,
  { isForced = false, leavesAgents = false }: AgentPartOptions & { isForced?: boolean } = {},
): Promise<PushOutcome> {
  return pushRecord(parts, VOICEAI, {
    model: MODEL,
    what: 'knowledge',
    id,
    async find() {
      const row = await findKnowledge(parts.db, id)
      return row?.synced === true && !isForced ? undefined : row
    },
    push: (row) => push(parts, row, leavesAgents),
  })
}

/** Removes a document at the platform, where it may be gone already. */
export async function removeKnowledge({ client }: VoiceaiParts, documentUid: string): Promise<void> {
  await unlessMissing(VOICEAI, () => client.deleteDocument(documentUid))
}

/** Looks how far the platform is with the pages of a site, and looks again a little later until it has them. */
export async function followCrawl(
  parts: VoiceaiParts,
  { id, looks = 0 }: { id: number; looks?: number },
): Promise<void> {
  const row = await findKnowledge(parts.db, id)
  const { crawl_uid: uid } = row ?? {}
  if (uid === undefined || uid === null) return
  const crawl = await ifPresent(VOICEAI, () => parts.client.getCrawl(uid))
  if (crawl === undefined) return
  const { status, pages } = crawl
  const hasFailed = status !== 'succeeded' && !CRAWLING.has(status)
  await savePushed(parts, {
    model: MODEL,
    id,
    set: sql`crawl_status = ${status}, pages = ${pages}::int`,
    isNotified: true,
  })
  if (hasFailed) await saveCrawlError(parts, id, status)
  if (!CRAWLING.has(status) || looks >= CRAWL_LOOKS_MAX) return
  const next: Push = { kind: 'crawl', id, looks: looks + 1 }
  await inServiceEnv(parts, (env) => requestPush(env, VOICEAI, next, { delaySeconds: CRAWL_LOOK_SECONDS }))
}

async function saveCrawlError(parts: VoiceaiParts, id: number, status: string): Promise<void> {
  await parts.db.query(
    sql`update connect_voiceai_knowledge set sync_error = ${`ElevenLabs could not read the website (${status}).`}
        where id = ${id}::bigint`,
  )
}

async function push(parts: VoiceaiParts, row: KnowledgeRow, leavesAgents: boolean): Promise<PushOutcome> {
  const { document_uid: known } = row
  if (known !== null && row.pushed_source === sourceKey(row)) {
    if (await unlessMissing(VOICEAI, () => parts.client.updateDocument(known, changeOf(row)))) {
      await save(parts, row, { uid: known, crawlUid: row.crawl_uid ?? undefined }, leavesAgents)
      return 'updated'
    }
  }
  await save(parts, row, await create(parts, row), leavesAgents)
  return 'created'
}

/** What of a document that is there can be changed. */
function changeOf({ kind, name, text }: KnowledgeRow): { name: string; content?: string } {
  return kind === 'text' ? { name, content: text ?? '' } : { name }
}

/**
 * Creating is never repeated blindly: after an unclear answer, or an attempt whose process was killed, what was made since
 * then with the name and source that were asked for, and which no record of ours is, is the one.
 */
async function create(parts: VoiceaiParts, row: KnowledgeRow): Promise<CreatedDocument> {
  const asked: AskedDocument = { name: row.name, source: sourceKey(row) }
  const before = row.create_asked_at === null ? undefined : parsePublishedTime(row.create_asked_at)
  const since = before ?? new Date()
  if (before !== undefined) {
    const made = await findMade(parts, row, row.create_asked ?? asked, since)
    if (made !== undefined && row.create_asked?.source === asked.source) return named(parts, row, made)
    if (made !== undefined) await removeKnowledge(parts, made.uid)
  }
  await parts.db.query(
    sql`update connect_voiceai_knowledge set create_asked_at = coalesce(create_asked_at, now() at time zone 'utc'),
          create_asked = ${JSON.stringify(asked)}::jsonb where id = ${row.id}::bigint`,
  )
  const document = await newDocument(parts, row)
  const made = await createOrFind(
    VOICEAI,
    () => parts.client.createDocument(document),
    () => findMade(parts, row, asked, since),
  )
  return named(parts, row, made)
}

/** The folder of a site is named by the platform; what was found may be older than the last change here. */
async function named(parts: VoiceaiParts, row: KnowledgeRow, made: CreatedDocument): Promise<CreatedDocument> {
  if (row.kind === 'site' || row.create_asked_at !== null) await parts.client.updateDocument(made.uid, changeOf(row))
  return made
}

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

async function findMade(
  { client, db }: VoiceaiParts,
  { kind, url }: KnowledgeRow,
  asked: AskedDocument,
  since: Date,
): Promise<CreatedDocument | undefined> {
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
    return crawl === undefined ? undefined : { uid: crawl.folderUid, crawlUid: crawl.uid }
  }
  const documents = await client.listDocuments()
  const type = kind === 'page' ? 'url' : kind
  const made = documents.find(
    (each) =>
      each.type === type && each.name === asked.name && each.createdSeconds >= sinceSeconds && !ours.has(each.uid),
  )
  return made === undefined ? undefined : { uid: made.uid, crawlUid: undefined }
}

async function save(
  parts: VoiceaiParts,
  row: KnowledgeRow,
  { uid, crawlUid }: CreatedDocument,
  leavesAgents: boolean,
): Promise<void> {
  const isNew = uid !== row.document_uid
  const isRead = crawlUid !== undefined && crawlUid !== row.crawl_uid
  await savePushed(parts, {
    model: MODEL,
    id: row.id,
    // What was changed while it was being pushed is pushed again by the job of that change.
    set: sql`document_uid = ${uid}, crawl_uid = ${crawlUid ?? null}, pushed_source = ${sourceKey(row)},
      create_asked_at = null, synced = (write_date = ${row.write_date}::timestamp)
      ${isNew ? sql`, crawl_status = ${isRead ? 'queued' : null}, pages = null` : sql``}`,
    isNotified: true,
    async andThen(env) {
      if (isRead) await requestPush(env, VOICEAI, { kind: 'crawl', id: row.id }, { delaySeconds: CRAWL_LOOK_SECONDS })
      if (!isNew) return
      const knowing = await listAgentsKnowing(env, [row.id])
      await (leavesAgents ? markAgentsOutdated(env, knowing) : pushAgents(env, knowing))
      // Agents name the new one before the old one goes.
      if (row.document_uid !== null) {
        const old: Push = { kind: 'remove-knowledge', documentUid: row.document_uid }
        await requestPush(env, VOICEAI, old, { delaySeconds: CRAWL_LOOK_SECONDS })
      }
    },
    remove: () => removeKnowledge(parts, uid),
  })
}

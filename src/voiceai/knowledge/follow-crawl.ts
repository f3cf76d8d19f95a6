import { sql } from '../../database/drizzle.ts'
import { notifyChanged } from '../../platform/records/notify-changed.ts'
import { ifPresent } from '../../sync/push.ts'
import { requestPush } from '../../sync/requests.ts'
import { inServiceEnv } from '../../sync/service-env.ts'
import { type Push, VOICEAI, type VoiceaiParts } from '../workspace/voiceai.ts'
import { findKnowledge } from './knowledge-rows.ts'

/** How often the platform is asked how far it is with a site, and for how long: an hour. */
export const CRAWL_LOOK_SECONDS = 30
const CRAWL_LOOKS_MAX = 120
/** `CrawlStatus` of the platform's API description. */
const CRAWLING: ReadonlySet<string> = new Set(['queued', 'processing'])
/** How the error of a site begins that the platform could not read. */
const UNREADABLE = 'ElevenLabs could not read the website'
const MODEL = 'connect.voiceai_knowledge'

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
  await saveCrawl(parts, { id, status, pages })
  if (!CRAWLING.has(status) || looks >= CRAWL_LOOKS_MAX) return
  const next: Push = { kind: 'crawl', id, looks: looks + 1 }
  await inServiceEnv(parts, (env) => requestPush(env, VOICEAI, next, { delaySeconds: CRAWL_LOOK_SECONDS }))
}

/** Any other error of the document stays: it is not the reading that mends it. */
async function saveCrawl(
  parts: VoiceaiParts,
  { id, status, pages }: { id: number; status: string; pages: number },
): Promise<void> {
  const hasFailed = status !== 'succeeded' && !CRAWLING.has(status)
  const error = hasFailed ? `${UNREADABLE} (${status}).` : null
  await inServiceEnv(parts, async (env) => {
    await env.db.query(
      sql`update connect_voiceai_knowledge set crawl_status = ${status}, pages = ${pages}::int,
            sync_error = case when sync_error is null or starts_with(sync_error, ${UNREADABLE}) then ${error} else sync_error end
          where id = ${id}::bigint`,
    )
    await notifyChanged(env, MODEL, [id])
  })
}

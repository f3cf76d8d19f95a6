import { sql } from '../../database/drizzle.ts'
import { ifPresent, savePushed } from '../../sync/push.ts'
import { requestPush } from '../../sync/requests.ts'
import { inServiceEnv } from '../../sync/service-env.ts'
import { type Push, VOICEAI, type VoiceaiParts } from '../workspace/voiceai.ts'
import { findKnowledge } from './knowledge-rows.ts'

/** How often the platform is asked how far it is with a site, and for how long: an hour. */
export const CRAWL_LOOK_SECONDS = 30
const CRAWL_LOOKS_MAX = 120
/** `CrawlStatus` of the platform's API description. */
const CRAWLING: ReadonlySet<string> = new Set(['queued', 'processing'])

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
    model: 'connect.voiceai_knowledge',
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

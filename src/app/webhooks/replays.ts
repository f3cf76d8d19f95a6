import type { ComparisonParts } from '../../deliveries/replay/compare.ts'
import type { ReplayParts } from '../../deliveries/replay/replay.ts'
import type { Reply } from '../../deliveries/webhooks/webhook-table.ts'
import { Refusal } from '../../errors.ts'
import type { Identities } from '../../platform/identity/identities.ts'
import type { MediaStore } from '../../platform/media/media-store.ts'
import type { WebhookParts } from '../parts.ts'
import { consumersWith } from './consumers.ts'
import { tablesWithoutProviders } from './webhook-tables.ts'

/** No answer to go by. */
const NOTHING: Reply = { status: 0, contentType: '', body: '' }
/** Where a comparison, of which nothing may be left, stores audio. */
const NOWHERE: Pick<MediaStore, 'store'> = {
  store: () => Promise.reject(new Refusal('refused', 'audio-not-compared')),
}

/** What logged deliveries are worked on with once more: no provider behind it. */
export function replaysOf(
  parts: Omit<WebhookParts, 'client' | 'connector'> & { identities: Identities },
): ComparisonParts & ReplayParts {
  const { db, platform, identities, inbox } = parts
  return {
    ...{ db, platform, identities, inbox },
    tables: (then: Reply = NOTHING) => tablesWithoutProviders(parts, then),
    consumers: consumersWith(NOWHERE),
  }
}

import { type Database, isTimeout } from '../../database/database.ts'
import { sql } from '../../database/drizzle.ts'
import { Refusal } from '../../errors.ts'
import { mayAccess } from '../../platform/access/access.ts'
import type { Env, Platform } from '../../platform/access/env.ts'
import type { Identity } from '../../platform/access/identity.ts'
import { envOf } from '../../platform/api/rpc.ts'
import type { WireRow } from '../../platform/records/record-read.ts'
import { limitedRecords } from '../../platform/records/records.ts'
import { SEARCH_KINDS, type SearchKind } from './search-kinds.ts'
import type { Matched } from './way.ts'

/** So long one kind of record is looked for; what takes longer is left out. */
const KIND_MS_MAX = 100

/** Of a text that is a detail; what it says further on stands where it is. */
const DETAIL_CHARS_MAX = 160

interface Hit {
  model: string
  id: number
  title: string
  detail: string
  matched: Matched
}

interface Asked {
  identity: Identity
  text: string
  /** Hits of each kind. */
  limit: number
}

/** Records that a text names, kind by kind, as far as the asker may read them. */
export async function searchEverything(
  { platform, db }: { platform: Platform; db: Database },
  { identity, text, limit }: Asked,
): Promise<Hit[]> {
  const settings = await platform.settings.get()
  const hits: Hit[] = []
  for (const kind of SEARCH_KINDS) {
    if (!mayAccess(identity, platform.models.get(kind.model), 'read')) continue
    const found = await db
      .transaction(
        async (tx) => {
          if (db.kind === 'server') await tx.query(sql`set local statement_timeout = ${sql.raw(String(KIND_MS_MAX))}`)
          return findOf(envOf({ platform, settings, identity }, tx), kind, { text, limit })
        },
        { isForApi: true, onlyReads: true },
      )
      .catch(nothingFound)
    hits.push(...found)
  }
  return hits
}

/** What would take too long is not worth waiting for while somebody types. */
function nothingFound(error: unknown): Hit[] {
  if (isTimeout(error) || error instanceof Refusal) return []
  throw error
}

async function findOf(
  env: Env,
  { model, details, among = [], ways }: SearchKind,
  asked: Omit<Asked, 'identity'>,
): Promise<Hit[]> {
  const found = new Map<number, Hit>()
  for (const { matched, domain, isSlow = false } of await ways(env, asked.text)) {
    if (isSlow && found.size > 0) continue
    const rows = await limitedRecords(env, model).searchRead(
      [...among, ...domain],
      ['display_name', ...details.flat()],
      {
        limit: asked.limit,
        order: 'id desc',
      },
    )
    for (const row of rows) {
      if (found.has(row.id) || found.size >= asked.limit) continue
      found.set(row.id, { model, id: row.id, title: titleOf(row), detail: detailOf(row, details), matched })
    }
  }
  return [...found.values()]
}

function titleOf({ id, display_name: name }: WireRow): string {
  return typeof name === 'string' && name !== '' ? name : `#${id}`
}

function detailOf(row: WireRow, details: SearchKind['details']): string {
  return details
    .map(
      (names) =>
        [names]
          .flat()
          .map((name) => textOf(row[name]))
          .find((text) => text !== '') ?? '',
    )
    .filter((text) => text !== '')
    .join(' · ')
}

function textOf(value: WireRow[string]): string {
  const text = Array.isArray(value) ? value[1] : value
  if (typeof text !== 'string') return ''
  const line = text.replaceAll(/\s+/g, ' ').trim()
  const chars = [...line]
  return chars.length <= DETAIL_CHARS_MAX ? line : `${chars.slice(0, DETAIL_CHARS_MAX).join('').trimEnd()} …`
}

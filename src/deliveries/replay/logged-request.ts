import type { Queryable } from '../../database/database.ts'
import { sql } from '../../database/drizzle.ts'
import { manyIds } from '../../database/ids.ts'
import { Refusal } from '../../errors.ts'
import type { RowOf } from '../../platform/model/model.ts'
import { storedMs } from '../../time.ts'
import type { deliveryModel, Verdict } from '../log/delivery-model.ts'
import type { IncomingRequest, TableRow, WebhookTable } from '../webhooks/webhook-table.ts'

type Column =
  | 'id'
  | 'area'
  | 'route'
  | 'status'
  | 'received_at'
  | 'inbox'
  | 'host'
  | 'target'
  | 'body'
  | 'body_bytes'
  | 'reply'

/** A delivery as it is in the log. */
export type Logged = RowOf<typeof deliveryModel, Column> & { verdict: Verdict; headers: Record<string, string> | null }

export async function readLogged(db: Queryable, id: number): Promise<Logged> {
  const [logged] = await readLoggedOf(db, [id])
  if (logged === undefined) throw new Refusal('not-found', 'no-delivery', { id })
  return logged
}

/** Those of the deliveries that the log still has, in no order. */
export function readLoggedOf(db: Queryable, ids: readonly number[]): Promise<Logged[]> {
  return db.query<Logged>(
    sql`select id, area, route, verdict, status, received_at, inbox, host, target, headers, body, body_bytes, reply
        from connect_delivery where id in (${manyIds(ids)})`,
  )
}

/** The request that a delivery was. Throws a refusal when the log has only a part of it. */
export function requestOf(logged: Logged, { table, row }: TableRow): IncomingRequest {
  const { id, headers, body, body_bytes: bytes, target, host, received_at: at } = logged
  const kept = Buffer.from(body ?? '')
  // What is stored as a whole elsewhere is not read from here.
  if (row.isStoredFirst !== true && kept.length < (bytes ?? 0)) {
    throw new Refusal('refused', 'delivery-cut', { id, kept: kept.length, bytes: bytes ?? 0 })
  }
  const path = (target ?? logged.route).split(/[?#]/, 1)[0] ?? ''
  return {
    target: target ?? logged.route,
    headers: headers ?? {},
    body: kept,
    params: { ...patternOf(table.prefix + row.path).exec(path)?.groups },
    isHttps: /^\s*https\b/i.test(headers?.['x-forwarded-proto'] ?? ''),
    host: host ?? '',
    receivedAt: new Date(storedMs(at)),
    subject: {},
  }
}

/** The row that a delivery came to, if this version still has it. */
export function rowOf(tables: readonly WebhookTable[], { id, route }: Pick<Logged, 'id' | 'route'>): TableRow {
  for (const table of tables) {
    const row = table.rows.find(({ path }) => table.prefix + path === route)
    if (row !== undefined) return { table, row }
  }
  throw new Refusal('refused', 'delivery-not-served', { id, route })
}

function patternOf(route: string): RegExp {
  return new RegExp(`^${route.replaceAll(/:(\w+)/g, '(?<$1>[^/]+)')}$`)
}

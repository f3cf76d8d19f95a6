import { sql } from '../../database/drizzle.ts'
import { idList } from '../../database/ids.ts'
import { type Env, elevated } from '../../platform/access/env.ts'
import type { Value } from '../../platform/model/fields.ts'
import type { Row } from '../../platform/model/model.ts'
import { records } from '../../platform/records/records.ts'
import { sipHost } from '../client/hosts.ts'

/** The first SIP domain that is not one for lines of another carrier. */
export async function defaultDomain(env: Env): Promise<number | null> {
  const rows = await env.db.query<{ id: number }>(
    sql`select id from connect_telco_domain
        where subdomain not ilike 'byoc%' and friendly_name not ilike 'byoc%' order by friendly_name, id limit 1`,
  )
  return rows[0]?.id ?? null
}

/** SIP addresses of phone users; null where the username or the domain is missing. */
export async function sipUris(
  env: Env,
  rows: readonly Row[],
): Promise<{ plain: string | null; atEdge: string | null }[]> {
  const ids = rows.map((row) => row.domain).filter((id) => typeof id === 'number')
  const found =
    ids.length === 0
      ? []
      : await env.db.query<{ id: number; subdomain: string }>(
          sql`select id, subdomain from connect_telco_domain where id in (${idList(ids)})`,
        )
  const subdomains = new Map(found.map((each) => [each.id, each.subdomain]))
  return rows.map((row) => {
    const subdomain = subdomains.get(row.domain as number)
    if (!row.username || !subdomain) return { plain: null, atEdge: null }
    const edge = typeof row.telco_edge === 'string' ? row.telco_edge : undefined
    return { plain: `${row.username}@${sipHost(subdomain)}`, atEdge: `${row.username}@${sipHost(subdomain, edge)}` }
  })
}

/** Players of the generated voicemail prompts. */
export async function greetingWidgets(env: Env, rows: readonly Row[]): Promise<Value[]> {
  const ids = rows.map((row) => row.voicemail_prompt_file).filter((id) => typeof id === 'number')
  // Generated speech can be heard by everybody anyway; a reader without rights on the files still sees the player.
  const files = await records(elevated(env), 'connect.voiceai_file').read([...new Set(ids)], ['preview_audio'])
  const players = new Map(files.map((file) => [file.id, file.preview_audio]))
  return rows.map((row) => (players.get(row.voicemail_prompt_file as number) ?? null) as Value)
}

import { sql } from '../../database/drizzle.ts'
import { idList } from '../../database/ids.ts'
import { Refusal } from '../../errors.ts'
import { type Env, elevated } from '../../platform/access/env.ts'
import { boolean, char, computed, many2one } from '../../platform/model/fields.ts'
import { defineModel } from '../../platform/model/model.ts'
import { records } from '../../platform/records/records.ts'
import { runButton } from '../../sync/requests.ts'
import { MARKUP_ROUTE } from '../applications/application.ts'
import { EDGES, sipHost } from '../client/hosts.ts'
import { syncErrorField, TELCO } from '../sync/telco.ts'

const LABEL_CHARS_MAX = 63

/** A SIP domain at the provider, in which the phones sign in. */
export const domainModel = defineModel({
  name: 'connect.telco.domain',
  label: 'SIP domain',
  order: 'friendly_name',
  display: { columns: ['friendly_name'], show: (row) => String(row.friendly_name) },
  fields: {
    subdomain: char('Subdomain', {
      required: true,
      isUnique: true,
      maxLength: LABEL_CHARS_MAX,
      pattern: { matches: /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/, says: 'lower-case letters, digits and hyphens' },
      help: 'First part of the host name. Must be unique at Twilio.',
    }),
    friendly_name: char('Name', { required: true }),
    application: many2one('Application', 'connect.telco.markup', {
      required: true,
      onDelete: 'restrict',
      default: defaultApplication,
      help: 'Handles calls made by phones of this domain.',
    }),
    sid: char('Domain SID', { changedBy: 'service', section: 'reported', isIndexed: true }),
    cred_list_sid: char('Credential list SID', { changedBy: 'service', section: 'reported' }),
    sync_error: syncErrorField(),
    domain_name: computed('Host', 'char', {
      depends: ['subdomain'],
      compute: (_env, rows) => rows.map((row) => (row.subdomain ? sipHost(String(row.subdomain)) : null)),
    }),
    edge_domains: computed('Edge hosts', 'text', {
      depends: ['subdomain'],
      compute: (_env, rows) => rows.map((row) => (row.subdomain ? edgeHosts(String(row.subdomain)) : null)),
    }),
    sip_registration: boolean('Phones may register', { default: true, readonly: true }),
    delete_protection: boolean('Protected from deletion', { default: true }),
  },
  methods: { sync: runButton(TELCO, 'domains', 'Sync SIP domains') },
  prepare(_env, given) {
    const values = { ...given }
    if (typeof values.subdomain === 'string') values.subdomain = values.subdomain.trim().toLowerCase()
    return values
  },
  removing: requireUnprotected,
})

/** One host per line. */
function edgeHosts(subdomain: string): string {
  return EDGES.map((edge) => sipHost(subdomain, edge)).join('\n')
}

/** The application that routes calls of SIP domains; made again when somebody deleted it. */
export async function defaultApplication(env: Env): Promise<number | null> {
  const rows = await env.db.query<{ id: number }>(
    sql`select id from connect_telco_markup
        where code_type = 'model_method' and model = ${MARKUP_ROUTE.model} and method = ${MARKUP_ROUTE.method}
        order by id limit 1`,
  )
  if (rows[0] !== undefined) return rows[0].id
  // Anyone who may create a domain needs its application, whatever their rights on applications are.
  const [id] = await records(elevated(env), 'connect.telco.markup').create([
    { name: 'SIP Domain Calls', code_type: 'model_method', ...MARKUP_ROUTE },
  ])
  return id ?? null
}

async function requireUnprotected(env: Env, ids: readonly number[]): Promise<void> {
  const rows = await env.db.query<{ friendly_name: string }>(
    sql`select friendly_name from connect_telco_domain where delete_protection and id in (${idList(ids)}) order by id limit 1`,
  )
  if (rows[0] === undefined) return
  throw new Refusal('refused', 'sip-domain-protected-switch-delete-protection', {
    friendly_name: rows[0].friendly_name,
  })
}

import { sql } from '../../database/drizzle.ts'
import { idList } from '../../database/ids.ts'
import { Refusal } from '../../errors.ts'
import type { Env } from '../access/env.ts'
import { GROUP, type Identity, isManager } from '../access/identity.ts'
import { COLLEAGUES } from '../identity/colleagues-offered.ts'
import { boolean, char, integer, json, many2one } from '../model/fields.ts'
import { type Change, defineModel, type Row, type Values } from '../model/model.ts'
import { quotaCheck } from '../model/quota-check.ts'
import { writerOf, writtenBy } from '../model/written-by.ts'

const NAME_CHARS_MAX = 80
/** Saved views of one person, and of everybody together. */
const VIEWS_MAX = 200
/** Characters of what an address says, as JSON. */
const QUERY_CHARS_MAX = 4_000

/** What somebody likes to see of a list, under a name: the part of the address behind the question mark. */
export const viewModel = defineModel({
  name: 'connect.view',
  label: 'Saved view',
  order: 'position, name, id',
  fields: {
    name: char('Name', { required: true, maxLength: NAME_CHARS_MAX }),
    model: char('List', { required: true, widget: 'program_name', help: 'Which list it is a view of.' }),
    query: json('Filter', { required: true, widget: 'list_filter', help: 'The filters of the view.' }),
    user: many2one('Owner', 'res.users', {
      offers: COLLEAGUES,
      onDelete: 'cascade',
      isIndexed: false,
      help: 'Leave empty to share it with everyone (administrators only).',
      default: ({ identity: { userId } }) => (userId > 0 ? userId : null),
    }),
    position: integer('Position', { default: 0 }),
    is_default: boolean('Open by default', {
      default: false,
      help: 'Your own default comes before the shared one.',
    }),
  },
  indexes: [{ columns: ['model', 'user'] }, { columns: ['user'] }],
  rules: [{ group: GROUP.internal, domain: ({ userId }) => ['|', ['user', '=', null], ['user', '=', userId]] }],
  checks: [
    { fields: ['model'], says: 'Must be the name of a model.', require: ({ env, after }) => requireModel(env, after) },
    {
      fields: ['query'],
      says: `Must be a JSON object of at most ${QUERY_CHARS_MAX} characters.`,
      require: ({ after }) => requireQuery(after.query),
    },
    {
      fields: ['user'],
      says: 'A view is your own or everyone’s. Only administrators can create views for everyone.',
      require: ({ env: { identity }, after, current }) => requireOwner(identity, after, current),
    },
    quotaCheck({
      table: 'connect_view',
      owner: 'user',
      max: VIEWS_MAX,
      code: 'views-full',
    }),
  ],
  saved: keepOneDefault,
  removing: requireOwners,
})

function requireModel({ platform }: Env, { model }: Values): void {
  if (typeof model === 'string' && platform.models.has(model)) return
  throw new Refusal('refused', 'connect-view-model-must-name-model')
}

function requireQuery(query: unknown): void {
  const isObject = typeof query === 'object' && query !== null && !Array.isArray(query)
  if (isObject && JSON.stringify(query).length <= QUERY_CHARS_MAX) return
  throw new Refusal('refused', 'connect-view-query-must-json-object', { query_chars: QUERY_CHARS_MAX })
}

function requireOwner(identity: Identity, { user }: Values, current: Row | undefined): void {
  const isOwn = user === identity.userId && (current === undefined || current.user === identity.userId)
  if (isOwn || mayShare(identity, user)) return
  throw new Refusal('forbidden', 'view-your-own-everybody-s-which')
}

/** Anyone who administers may take a view of everybody's for themselves, too; nobody has views of somebody else's. */
function mayShare(identity: Identity, user: unknown): boolean {
  if (identity.isElevated) return true
  const isAdmin = isManager(identity) || identity.groups.has(GROUP.connectAdmin)
  return isAdmin && (user === null || user === identity.userId)
}

async function keepOneDefault(env: Env, { id, values }: Change): Promise<void> {
  if (values.is_default !== true) return
  await env.db.query(
    sql`update connect_view v set is_default = false, ${writtenBy(writerOf(env))}
        from connect_view kept
        where kept.id = ${id}::bigint and v.model = kept.model and v."user" is not distinct from kept."user"
          and v.id <> kept.id and v.is_default`,
  )
}

async function requireOwners({ db, identity }: Env, ids: readonly number[]): Promise<void> {
  const views = await db.query<Row>(sql`select id, "user" from connect_view where id in (${idList(ids)})`)
  for (const view of views) requireOwner(identity, view, view)
}

import { Type } from 'typebox'
import { Refusal } from '../../errors.ts'
import { INT_MAX } from '../../lenient-values.ts'
import { requireAccess } from '../access/access.ts'
import type { Env } from '../access/env.ts'
import { writeAudit } from '../audit/write-audit.ts'
import type { Method, Model, OutsideMethod } from '../model/model.ts'
import { limitedRecords, records, SEARCH_ROWS_MAX } from '../records/records.ts'
import { requireUnchanged } from '../records/unchanged-since.ts'
import { requireFewer } from '../records/write-budget.ts'
import { type Callable, callable, Limit, reading, requireIds } from './callable.ts'
import { CHATTER_CALLABLES } from './chatter-methods.ts'
import { consequencesOf } from './consequences.ts'
import { fieldsGet } from './fields-get.ts'
import { methodsGet } from './methods-get.ts'

const NAMES_DEFAULT = 100

const Domain = Type.Array(Type.Unknown())
const Fields = Type.Union([Type.Array(Type.String()), Type.Null()])
const Order = Type.Union([Type.String(), Type.Null()])
const Offset = Type.Integer({ minimum: 0, maximum: INT_MAX })
const Vals = Type.Record(Type.String(), Type.Unknown())

const SearchArgs = {
  domain: Type.Optional(Domain),
  offset: Type.Optional(Offset),
  limit: Type.Optional(Limit),
  order: Type.Optional(Order),
}

/** What can be called on every model. */
const GENERIC: Record<string, Callable> = {
  search: reading('Find ids', Type.Object(SearchArgs), (env, model, _ids, args) =>
    limitedRecords(env, model.name).search(args.domain, options(args)),
  ),
  search_count: reading(
    'Count',
    Type.Object({ domain: Type.Optional(Domain), limit: Type.Optional(Limit) }),
    (env, model, _ids, { domain, limit }) => limitedRecords(env, model.name).searchCount(domain, limit ?? undefined),
  ),
  search_read: reading(
    'Find and read',
    Type.Object({ ...SearchArgs, fields: Type.Optional(Fields) }),
    (env, model, _ids, args) =>
      limitedRecords(env, model.name).searchRead(args.domain, args.fields ?? undefined, options(args)),
  ),
  read_group: reading(
    'Group and add up',
    Type.Object({
      domain: Type.Optional(Domain),
      by: Type.Optional(Type.Array(Type.String())),
      measures: Type.Optional(Type.Array(Type.String())),
      tz: Type.Optional(Type.String()),
      order: Type.Optional(Order),
      limit: Type.Optional(Limit),
    }),
    (env, model, _ids, { domain, by = [], measures, tz, order, limit }) => {
      const asked = { by, measures, tz, order: order ?? undefined, limit: limit ?? undefined }
      return limitedRecords(env, model.name).readGroup(domain, asked)
    },
  ),
  read: reading('Read', Type.Object({ fields: Type.Optional(Fields) }), (env, model, ids, { fields }) =>
    limitedRecords(env, model.name).read(ids, fields ?? undefined),
  ),
  create: callable(
    'Create',
    Type.Object({ vals_list: Type.Union([Vals, Type.Array(Vals)]) }),
    async (env, model, _ids, { vals_list: given }) => {
      const created = await limitedRecords(env, model.name).create(Array.isArray(given) ? given : [given])
      return Array.isArray(given) ? created : created[0]
    },
  ),
  write: callable('Change', Type.Object({ vals: Vals }), async (env, model, ids, { vals }) => {
    await requireUnchanged(env, model, requireIds(ids), vals)
    await limitedRecords(env, model.name).write(ids, vals)
    return true
  }),
  unlink: callable('Delete', Type.Object({}), async (env, model, ids) => {
    await limitedRecords(env, model.name).unlink(requireIds(ids))
    return true
  }),
  fields_get: reading(
    'Describe the fields',
    Type.Object({ attributes: Type.Optional(Fields), allfields: Type.Optional(Fields) }),
    async (env, model, _ids, { attributes, allfields }) => {
      requireAccess(env.identity, model, 'read')
      return fieldsGet(env, model, { attributes: attributes ?? undefined, names: allfields ?? undefined })
    },
  ),
  methods_get: reading('Describe the methods', Type.Object({}), async (env, model) => {
    requireAccess(env.identity, model, 'read')
    return methodsGet(env.identity, model)
  }),
  consequences: reading('What a deletion takes along', Type.Object({}), async (env, model, ids) => {
    requireAccess(env.identity, model, 'unlink')
    requireFewer(ids.length)
    await records(env, model.name).requireVisible(requireIds(ids), 'unlink')
    return consequencesOf(env, model, ids)
  }),
  name_search: reading(
    'Find by name',
    Type.Object({
      name: Type.Optional(Type.String()),
      domain: Type.Optional(Domain),
      operator: Type.Optional(Type.String()),
      limit: Type.Optional(Limit),
    }),
    (env, model, _ids, { name, domain, operator, limit }) => {
      const options = { operator: operator ?? 'ilike', domain, limit: limit ?? NAMES_DEFAULT }
      return limitedRecords(env, model.name).nameSearch(name ?? '', options)
    },
  ),
}

/** The callable of that name, or a refusal that names it. */
export function getCallable(model: Model, name: string): Callable {
  const own = Object.hasOwn(model.methods ?? {}, name) ? model.methods?.[name] : undefined
  if (own !== undefined) return ownCallable(name, own)
  if (Object.hasOwn(GENERIC, name) && GENERIC[name] !== undefined) return GENERIC[name]
  if (model.hasChatter === true && Object.hasOwn(CHATTER_CALLABLES, name) && CHATTER_CALLABLES[name] !== undefined)
    return CHATTER_CALLABLES[name]
  throw new Refusal('not-found', 'api-model-has-no-method', { model: model.name, name })
}

/** Names of everything callable on a model. */
export function callableNames(model: Model): string[] {
  return [
    ...Object.keys(GENERIC),
    ...(model.hasChatter === true ? Object.keys(CHATTER_CALLABLES) : []),
    ...Object.keys(model.methods ?? {}),
  ]
}

function ownCallable(name: string, method: Method | OutsideMethod): Callable {
  const { isAudited = WRITING.includes(method.operation) } = method
  const audit = (env: Env, { name: model }: Model, ids: readonly number[]): void => {
    if (!isAudited) return
    const named = ids.length === 0 ? [undefined] : ids
    writeAudit(
      env,
      named.map((id) => ({ model, id, what: name })),
    )
  }
  return {
    label: method.label,
    args: method.args,
    reply: method.reply,
    async execute(open, model, ids, args) {
      // Also of one whose right is that to read: many of them change what they are called with.
      requireFewer(ids.length)
      if ('run' in method) {
        return open(async (env) => {
          await requireCallable(env, model, ids, method)
          const answer = await method.run(env, ids, args)
          audit(env, model, ids)
          return answer
        })
      }
      await open((env) => requireCallable(env, model, ids, method))
      const answer = await method.runOutside(open, ids, args)
      if (isAudited) await open(async (env) => audit(env, model, ids))
      return answer
    },
  }
}

const WRITING: readonly string[] = ['write', 'create', 'unlink']

async function requireCallable(
  env: Env,
  model: Model,
  ids: number[],
  { operation, groups }: Pick<Method, 'operation' | 'groups'>,
): Promise<void> {
  if (operation !== 'any') requireAccess(env.identity, model, operation)
  if (groups !== undefined && !groups.some((group) => env.identity.groups.has(group))) {
    throw new Refusal('forbidden', 'you-not-allowed-call-this-method', { model: model.name })
  }
  await records(env, model.name).requireVisible(
    ids,
    operation === 'write' || operation === 'unlink' ? operation : 'read',
  )
}

function options(args: { offset?: number; limit?: number | null; order?: string | null }) {
  return { offset: args.offset, limit: args.limit ?? SEARCH_ROWS_MAX, order: args.order ?? undefined }
}

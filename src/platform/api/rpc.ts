import type { TObject } from 'typebox'
import { Compile, type Validator } from 'typebox/compile'
import type { Database, Transaction } from '../../database/database.ts'
import { asError, Refusal } from '../../errors.ts'
import { ID_MAX } from '../../lenient-values.ts'
import type { Env, OpenEnv, Platform } from '../access/env.ts'
import type { Identity } from '../access/identity.ts'
import type { Models } from '../model/declaration.ts'
import { shown } from '../records/condition.ts'
import type { Callable } from './callable.ts'
import { getCallable } from './methods.ts'
import { labelsIn } from './refusal-labels.ts'

/** Ids one call may name. */
const IDS_MAX = 10_000
/** Lists and objects inside one another; nothing that is stored or searched needs as many. */
const DEPTH_MAX = 100

interface Call {
  model: string
  method: string
  /** Named arguments as they came: `ids`, `context` and the method's own. */
  body: unknown
}

/**
 * Answers one call of the API as somebody, in one transaction unless its method opens its own. Throws refusals that name
 * what is wrong.
 */
export async function callMethod(platform: Platform, db: Database, identity: Identity, call: Call): Promise<unknown> {
  const model = platform.models.get(call.model)
  const callable = getCallable(model, call.method)
  const { ids, context, args } = readArguments(callable, call)
  const settings = await platform.settings.get()
  const open: OpenEnv = (work, options) =>
    db.transaction((tx) => work(envOf({ platform, settings, identity, context }, tx)), { isForApi: true, ...options })
  return callable.execute(open, model, ids, args)
}

/** The environment of one request in its transaction. */
export function envOf(
  {
    platform,
    settings,
    identity,
    context = {},
  }: Pick<Env, 'platform' | 'settings' | 'identity'> & Partial<Pick<Env, 'context'>>,
  tx: Transaction,
): Env {
  return { platform, settings, identity, db: tx, now: platform.clock(), context }
}

/**
 * The body of an error answer, in the shape of the JSON-2 API; an unexpected error carries no detail. `model` is the one
 * that was called.
 */
export function errorBody(
  thrown: unknown,
  { model, models }: { model?: string | undefined; models?: Models } = {},
): { status: number; body: object } {
  const error = asError(thrown)
  if (!(error instanceof Refusal)) {
    const message = 'The service could not answer; the log says why.'
    return { status: 500, body: { name: 'builtins.Exception', message, arguments: [message], context: {}, debug: '' } }
  }
  const { message, status, wireName } = error
  const labels =
    models === undefined ? {} : labelsIn([message, ...error.problems.map((each) => each.message)], { models, model })
  const context = { ...contextOf(error, model), ...(Object.keys(labels).length === 0 ? {} : { labels }) }
  return { status, body: { name: wireName, message, arguments: [message], context, debug: '' } }
}

/** What a client needs besides the sentence: a code that stays, what it was about, and which field. */
function contextOf({ kind, code, params, problems, details }: Refusal, model: string | undefined): object {
  const field = problems.find((each) => each.field !== null)?.field
  return {
    // Of several problems each has its own.
    ...(code === 'api-several-problems' ? { code: kind, params: {} } : { code, params }),
    kind,
    ...(model === undefined ? {} : { model }),
    ...(field === undefined ? {} : { field }),
    ...(problems.length === 0 ? {} : { problems }),
    ...details,
  }
}

const validators = new WeakMap<TObject, Validator>()

function readArguments(
  callable: Callable,
  { model, method, body }: Call,
): { ids: number[]; context: Record<string, unknown>; args: Record<string, never> } {
  const given = body === undefined || body === null ? {} : body
  if (typeof given !== 'object' || Array.isArray(given)) {
    throw new Refusal('malformed', 'api-body-must-json-object-named-arguments')
  }
  requireShallow(given)
  const { ids, context, ...args } = given as Record<string, unknown>
  for (const name of Object.keys(args)) {
    if (!Object.hasOwn(callable.args.properties, name)) {
      throw new Refusal('refused', 'api-method-has-no-argument', { model, method, name: shown(name) })
    }
  }
  requireShape(callable.args, args, `${model}/${method}`)
  return { ids: readIds(ids), context: readContext(context), args: args as Record<string, never> }
}

/** What works its way down a value, here and in the database, must not run out of stack. */
function requireShallow(body: object): void {
  let level: object[] = [body]
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > DEPTH_MAX) throw new Refusal('malformed', 'api-body-nested-more-than-levels-deep', { depth: DEPTH_MAX })
    level = level.flatMap((each) => Object.values(each).filter((value) => typeof value === 'object' && value !== null))
  }
}

function requireShape(schema: TObject, args: Record<string, unknown>, path: string): void {
  let validator = validators.get(schema)
  if (validator === undefined) {
    validator = Compile(schema)
    validators.set(schema, validator)
  }
  if (validator.Check(args)) return
  for (const name of schema.required ?? []) {
    if (!(name in args)) throw new Refusal('refused', 'api-method-needs-argument', { path, name })
  }
  const [problem] = validator.Errors(args)
  const name = problem?.instancePath.split('/')[1] ?? ''
  throw new Refusal('refused', 'api-argument-not-usable', { name, path, value: problem?.message ?? 'wrong shape' })
}

function readIds(ids: unknown): number[] {
  if (ids === undefined || ids === null) return []
  const list = Array.isArray(ids) ? ids : [ids]
  if (list.length > IDS_MAX) throw new Refusal('refused', 'api-argument-ids-names-more-than-records', { ids: IDS_MAX })
  if (!list.every((id) => typeof id === 'number' && Number.isInteger(id) && id > 0 && id <= ID_MAX)) {
    throw new Refusal('refused', 'api-argument-ids-must-list-record-ids')
  }
  return list
}

function readContext(context: unknown): Record<string, unknown> {
  if (context === undefined || context === null) return {}
  if (typeof context === 'object' && !Array.isArray(context)) return context as Record<string, unknown>
  throw new Refusal('refused', 'api-argument-context-must-json-object')
}

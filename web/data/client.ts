import { notReached, readError, refusalWords } from './errors.ts'
import type { Link, Methods, Models } from './models.gen.ts'

export type ModelName = keyof Models
export type FieldName<Model extends ModelName> = keyof Models[Model] & string
export type Row<Model extends ModelName, Field extends FieldName<Model>> = Pick<Models[Model], Field | FieldOfId<Model>>
type FieldOfId<Model extends ModelName> = Extract<'id', keyof Models[Model]>
/** Conditions `[field, operator, value]`; `&`, `|` and `!` stand before their terms. */
export type Domain = readonly (readonly [string, string, unknown] | '&' | '|' | '!')[]
type Arguments<Method> = Method extends { args: infer Args } ? Args : never
type Result<Method> = Method extends { result: infer Answer } ? Answer : never

export interface Search {
  domain?: Domain | undefined
  order?: string | undefined
  limit?: number | undefined
  /** How many are left out first. */
  offset?: number | undefined
}

type Listener = () => void
const signedOut = new Set<Listener>()

/** Calls back whenever the service says that nobody is signed in any more. */
export function onSignedOut(listener: Listener): () => void {
  signedOut.add(listener)
  return () => signedOut.delete(listener)
}

/** Says that nobody is signed in any more. */
export function saySignedOut(): void {
  for (const listener of signedOut) listener()
}

/** Sends JSON with the session's cookie and gives what was answered; throws an ApiError. */
export async function send(path: string, body?: unknown): Promise<unknown> {
  const reply = await fetch(path, {
    credentials: 'same-origin',
    ...(body === undefined
      ? {}
      : { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  }).catch((cause: unknown) => {
    throw notReached(cause)
  })
  const answer: unknown = await reply.json().catch(() => undefined)
  if (reply.ok) return answer
  if (reply.status === 401) saySignedOut()
  await refusalWords()
  throw readError(reply.status, answer, reply.headers)
}

function json2(model: string, method: string, args: object): Promise<unknown> {
  return send(`/json/2/${model}/${method}`, args)
}

/** Calls a method that a model has of its own. */
export async function call<Model extends ModelName, Name extends keyof Methods[Model] & string>(
  model: Model,
  method: Name,
  args: Arguments<Methods[Model][Name]>,
): Promise<Result<Methods[Model][Name]>> {
  return (await json2(model, method, args as object)) as Result<Methods[Model][Name]>
}

/** The same while the page is being left: it is sent, and nobody reads what comes of it. */
export function callLeaving<Model extends ModelName, Name extends keyof Methods[Model] & string>(
  model: Model,
  method: Name,
  args: Arguments<Methods[Model][Name]>,
): void {
  const headers = { 'content-type': 'application/json' }
  const sent = {
    method: 'POST',
    headers,
    body: JSON.stringify(args),
    credentials: 'same-origin',
    keepalive: true,
  } as const
  void fetch(`/json/2/${model}/${method}`, sent).catch(() => undefined)
}

/** The same for a model that only the address names. */
export function callByName(model: string, method: string, args: object): Promise<unknown> {
  return json2(model, method, args)
}

/** Finds records and reads the named fields, and no others. */
export async function searchRead<Model extends ModelName, const Field extends FieldName<Model>>(
  model: Model,
  { fields, ...search }: Search & { fields: readonly Field[] },
): Promise<Row<Model, Field>[]> {
  return (await json2(model, 'search_read', { ...search, fields })) as Row<Model, Field>[]
}

/** How many there are, counted up to the limit. */
export async function searchCount(model: ModelName, { domain, limit }: Search = {}): Promise<number> {
  return (await json2(model, 'search_count', { domain, limit })) as number
}

/** Records whose name holds the text. */
export async function nameSearch(
  model: string,
  name: string,
  { limit, domain = [] }: Pick<Search, 'limit' | 'domain'>,
): Promise<Link[]> {
  return (await json2(model, 'name_search', { name, limit, domain })) as Link[]
}

export async function create(model: string, values: Record<string, unknown>): Promise<number> {
  return (await json2(model, 'create', { vals_list: values })) as number
}

export async function write(model: string, ids: readonly number[], vals: Record<string, unknown>): Promise<void> {
  await json2(model, 'write', { ids, vals })
}

export async function unlink(model: string, ids: readonly number[], context = {}): Promise<void> {
  await json2(model, 'unlink', { ids, context })
}

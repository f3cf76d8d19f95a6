import type { TSchema } from 'typebox'
import { ERROR_REPLIES } from './openapi-replies.ts'

/** A body as it is sent or answered; one that is no JSON is a text, or a form whose fields the schema names. */
export interface DescribedBody {
  contentType: string
  schema: TSchema | object
}

/** One route as the API document shows it. It stands next to the route, and is made from what the route checks with. */
export interface ApiOperation {
  method: 'get' | 'post'
  /** As it is served: `:name` is a part of the path that differs. */
  path: string
  tag: string
  summary: string
  /** Names the operation in generated clients. */
  id: string
  /** `nobody`: a caller needs no key; a webhook proves itself with the header it names. */
  proof: 'key' | 'nobody' | { header: string; says?: string | undefined }
  /** Names in the query, with what they are. */
  query?: Readonly<Record<string, string>>
  /** Names in the query that may be left out. */
  optionalQuery?: Readonly<Record<string, string>>
  /** Names of headers that may be there, with what they are. */
  headers?: Readonly<Record<string, string>>
  request?: DescribedBody
  /** Without one the answer has no body; several where it depends on what was asked which of them comes. */
  reply?: DescribedBody | readonly DescribedBody[]
  /** Other answers than 200, by status. */
  others?: Readonly<Record<number, string | object>>
}

/** Path items of the API document; operations of one path share one. */
export function pathItems(operations: readonly ApiOperation[]): Record<string, object> {
  const items: Record<string, object> = {}
  for (const operation of operations) {
    const path = operation.path.replaceAll(/:(\w+)/g, '{$1}')
    items[path] = { ...items[path], [operation.method]: describe(operation, path) }
  }
  return items
}

function describe(operation: ApiOperation, path: string): object {
  const { tag, summary, id, proof, request, reply, others = {} } = operation
  const parameters = parametersOf(operation, path)
  return {
    tags: [tag],
    summary,
    operationId: id,
    ...(proof === 'key' ? {} : { security: [] }),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(request === undefined ? {} : { requestBody: { required: true, content: contentOf(request) } }),
    responses: {
      200: { description: 'Answered', ...(reply === undefined ? {} : { content: contentsOf(reply) }) },
      ...(proof === 'key' ? ERROR_REPLIES : {}),
      ...Object.fromEntries(Object.entries(others).map(([status, answer]) => [status, asReply(answer)])),
    },
  }
}

function parametersOf({ proof, query = {}, optionalQuery = {}, headers = {} }: ApiOperation, path: string): object[] {
  const named = (place: string, names: Readonly<Record<string, string | undefined>>) =>
    Object.entries(names).map(([name, description]) => ({
      name,
      in: place,
      ...(description !== undefined && { description }),
    }))
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({ name, in: 'path' }))
  const proofs = typeof proof === 'object' ? named('header', { [proof.header]: proof.says }) : []
  const required = [...inPath, ...proofs, ...named('query', query)]
  const optional = [...named('query', optionalQuery), ...named('header', headers)]
  return [
    ...required.map((each) => ({ ...each, required: true, schema: { type: 'string' } })),
    ...optional.map((each) => ({ ...each, required: false, schema: { type: 'string' } })),
  ]
}

function contentsOf(replies: DescribedBody | readonly DescribedBody[]): object {
  return Object.assign({}, ...[replies].flat().map(contentOf))
}

function contentOf({ contentType, schema }: DescribedBody): object {
  return { [contentType.split(';', 1)[0] ?? contentType]: { schema: withTuples(schema) } }
}

/** OpenAPI 3.1 names the members of a tuple `prefixItems`; typebox writes them as JSON Schema did before 2020. */
function withTuples(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withTuples)
  if (typeof schema !== 'object' || schema === null) return schema
  const { additionalItems: _closed, items, ...others } = schema as Record<string, unknown>
  const members = Array.isArray(items) ? { prefixItems: items } : { items }
  const named = Object.entries({ ...others, ...(items !== undefined && members) })
  return Object.fromEntries(named.map(([name, value]) => [name, withTuples(value)]))
}

function asReply(answer: string | object): object {
  return typeof answer === 'string' ? { description: answer } : answer
}

/** A JSON body of that shape. */
export function jsonBody(schema: TSchema | object): DescribedBody {
  return { contentType: 'application/json', schema }
}

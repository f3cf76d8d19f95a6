import { type TSchema, Type } from 'typebox'
import { mayAccess } from './access.ts'
import { type Field, isColumn } from './fields.ts'
import type { Identity } from './identity.ts'
import { callableNames, getCallable } from './methods.ts'
import type { Model } from './model.ts'
import type { Models } from './models.ts'
import { OPENAPI_INTRODUCTION, WEBHOOK_PATHS } from './openapi-texts.ts'

const VERSION = '0.1.0'

/** The API as an OpenAPI 3.1 document; somebody signed in sees the models their groups may read. */
export function openApiDocument(models: Models, identity: Identity | undefined): object {
  const visible = [...models].filter((model) => identity === undefined || mayAccess(identity, model.name, 'read'))
  return {
    openapi: '3.1.0',
    info: { title: 'Connect', version: VERSION, description: OPENAPI_INTRODUCTION },
    servers: [{ url: '/' }],
    security: [{ apiKey: [] }, { session: [] }],
    tags: visible.map((model) => ({ name: model.name, description: model.label })),
    paths: { ...Object.fromEntries(visible.flatMap(pathsOf)), ...WEBHOOK_PATHS },
    components: {
      securitySchemes: {
        apiKey: { type: 'http', scheme: 'bearer', description: 'A key from res.users/api_key_create' },
        session: { type: 'apiKey', in: 'cookie', name: 'connect_session' },
      },
      schemas: {
        ...Object.fromEntries(visible.map((model) => [model.name, recordSchema(model, identity)])),
        Error: ERROR,
      },
    },
  }
}

const ERROR = Type.Object({
  name: Type.String(),
  message: Type.String({ description: 'One sentence that names what is wrong.' }),
  arguments: Type.Array(Type.String()),
  context: Type.Object({}),
  debug: Type.String(),
})

const REFUSALS = Object.fromEntries(
  [
    ['400', 'Malformed'],
    ['401', 'No identity'],
    ['403', 'Not allowed'],
    ['404', 'Unknown model, method or record'],
    ['409', 'Taken, or still used'],
    ['413', 'Too large'],
    ['415', 'Not JSON'],
    ['422', 'Value refused'],
    ['503', 'The database cannot be had at the moment'],
  ].map(([status, description]) => [
    status,
    { description, content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } } },
  ]),
)

function pathsOf(model: Model): [string, object][] {
  return callableNames(model).map((name) => {
    const { label, args } = getCallable(model, name)
    const body = Type.Object({
      ids: Type.Optional(Type.Array(Type.Integer(), { description: 'The records it is about.' })),
      context: Type.Optional(Type.Object({}, { additionalProperties: true })),
      ...args.properties,
    })
    const operation = {
      tags: [model.name],
      summary: label,
      operationId: `${model.name}/${name}`,
      requestBody: { content: { 'application/json': { schema: { ...body, required: args.required ?? [] } } } },
      responses: { 200: { description: 'The result', content: { 'application/json': { schema: {} } } }, ...REFUSALS },
    }
    return [`/json/2/${model.name}/${name}`, { post: operation }]
  })
}

/** The fields of a model; somebody signed in sees those of their groups. */
function recordSchema(model: Model, identity: Identity | undefined): TSchema {
  const properties: Record<string, TSchema> = { id: Type.Integer() }
  for (const [name, field] of Object.entries(model.fields)) {
    const { groups } = field
    if (groups?.length === 0) continue
    if (identity !== undefined && groups?.some((group) => identity.groups.has(group)) === false) continue
    properties[name] = {
      ...fieldSchema(field),
      title: field.label,
      ...(field.help === undefined ? {} : { description: field.help }),
    }
  }
  return Type.Object(properties, { description: model.label })
}

function fieldSchema(field: Field): TSchema {
  const kind = field.kind === 'computed' ? field.shows : field.kind
  switch (kind) {
    case 'integer':
      return Type.Union([Type.Integer(), Type.Null()])
    case 'float':
      return Type.Union([Type.Number(), Type.Null()])
    case 'boolean':
      return Type.Boolean()
    case 'many2one':
      return Type.Union([Type.Tuple([Type.Integer(), Type.String()]), Type.Null()])
    case 'many2many':
    case 'one2many':
      return Type.Array(Type.Integer())
    case 'json':
      return Type.Unknown()
    case 'selection':
      if (isColumn(field) && field.isOpen === true) return Type.Union([Type.String(), Type.Null()])
      return isColumn(field)
        ? Type.Union([...(field.choices ?? []).map(([value]) => Type.Literal(value)), Type.Null()])
        : Type.String()
    default:
      return Type.Union([Type.String(), Type.Null()])
  }
}

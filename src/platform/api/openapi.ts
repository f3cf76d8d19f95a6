import { VERSION } from '../../version.ts'
import { mayAccess } from '../access/access.ts'
import type { Identity } from '../access/identity.ts'
import type { Models } from '../model/declaration.ts'
import type { Model } from '../model/model.ts'
import { type ApiOperation, jsonBody, pathItems } from './api-operation.ts'
import type { Callable } from './callable.ts'
import { callableNames, getCallable } from './methods.ts'
import { CONTEXT, genericShape, IDS } from './openapi-methods.ts'
import { recordSchemas, SHARED_SCHEMAS } from './openapi-records.ts'
import { ERROR, ERROR_RESPONSES } from './openapi-replies.ts'
import { OPENAPI_INTRODUCTION, TAG_DESCRIPTIONS } from './openapi-texts.ts'

/**
 * The API as an OpenAPI 3.1 document, made from the models and from what the other routes say of themselves; somebody
 * signed in sees the models their groups may read.
 */
export function openApiDocument(
  models: Models,
  others: readonly ApiOperation[],
  identity: Identity | undefined,
): object {
  const visible = [...models].filter((model) => identity === undefined || mayAccess(identity, model, 'read'))
  const tags = new Set(others.map(({ tag }) => tag))
  return {
    openapi: '3.1.0',
    info: { title: 'Connect', version: VERSION, license: { name: 'UNLICENSED' }, description: OPENAPI_INTRODUCTION },
    servers: [{ url: '/' }],
    security: [{ apiKey: [] }, { session: [] }],
    tags: [
      ...visible.map(({ name, label }) => ({ name, description: label })),
      ...[...tags].map((name) => ({ name, description: TAG_DESCRIPTIONS[name] ?? name })),
    ],
    paths: pathItems([...visible.flatMap(operationsOf), ...others]),
    components: {
      securitySchemes: {
        apiKey: { type: 'http', scheme: 'bearer', description: 'A key from res.users/api_key_create' },
        session: { type: 'apiKey', in: 'cookie', name: '__Host-connect_session' },
      },
      responses: ERROR_RESPONSES,
      schemas: {
        ...Object.assign({}, ...visible.map((model) => recordSchemas(model, identity))),
        ...SHARED_SCHEMAS,
        Error: ERROR,
      },
    },
  }
}

function operationsOf(model: Model): ApiOperation[] {
  return callableNames(model).map((name) => {
    const callable = getCallable(model, name)
    const shape = genericShape(model, name)
    return {
      method: 'post',
      path: `/json/2/${model.name}/${name}`,
      tag: model.name,
      summary: callable.label,
      id: `${model.table}_${name}`,
      proof: 'key',
      request: jsonBody(argumentsOf(callable, shape?.args)),
      reply: jsonBody(shape?.reply ?? callable.reply ?? {}),
    }
  })
}

function argumentsOf({ args }: Callable, shown: Record<string, object> | undefined): object {
  const { required = [] } = args
  return {
    type: 'object',
    additionalProperties: false,
    properties: { ids: IDS, context: CONTEXT, ...args.properties, ...shown },
    ...(required.length === 0 ? {} : { required }),
  }
}

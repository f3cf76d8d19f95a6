import { createRequire } from 'node:module'
import type { HttpRequest } from '../../http-server.ts'
import type { Problems } from '../../problems.ts'
import { type BodyProblem, badValue, unprocessable } from './api-error.ts'

/** What the official SDK knows of a body: it was made from the API's own description. */
interface Schema {
  parse(
    raw: unknown,
    options: { unrecognizedObjectKeys: 'fail' | 'strip' },
  ): { ok: true } | { ok: false; errors: { path: string[]; message: string }[] }
}

const SCHEMAS = {
  tool: 'ToolRequestModel',
  agent: 'BodyCreateAgentV1ConvaiAgentsCreatePost',
  'agent change': 'UpdateAgentRequest',
  settings: 'PatchConvAiSettingsRequest',
  secret: 'PostWorkspaceSecretRequest',
  'secret change': 'PatchWorkspaceSecretRequest',
  'phone number': 'PhoneNumbersCreateRequestBody',
  'phone number change': 'UpdatePhoneNumberRequest',
  webhook: 'BodyCreateWorkspaceWebhookV1WorkspaceWebhooksPost',
  'webhook change': 'BodyUpdateWorkspaceWebhookV1WorkspaceWebhooksWebhookIdPatch',
  'registered call': 'BodyRegisterATwilioCallAndReturnTwiMlV1ConvaiTwilioRegisterCallPost',
} as const

export type BodyKind = keyof typeof SCHEMAS

type Module = Readonly<Record<string, Schema | Readonly<Record<string, Schema>>>>

const load = createRequire(import.meta.url)
let loaded: Module | undefined

/** Loading takes half a second, so it waits until the first body comes. */
function schemaOf(kind: BodyKind): Schema {
  loaded ??= load('@elevenlabs/elevenlabs-js/serialization/index.js') as Module
  const name = SCHEMAS[kind]
  const schema = (loaded.conversationalAi as Readonly<Record<string, Schema>>)[name] ?? loaded[name]
  if (schema === undefined || !('parse' in schema)) throw new Error(`the SDK has no schema ${name}`)
  return schema as Schema
}

export type Json = Record<string, unknown>

/**
 * Reads a body and refuses, with 422, what the API would refuse. Names that the API does not know are taken out of it
 * there without a word; here they are a problem of the run.
 */
export function readBody(request: HttpRequest, kind: BodyKind, problems: Problems): Json {
  const body = parseJson(request)
  const schema = schemaOf(kind)
  const result = schema.parse(body, { unrecognizedObjectKeys: 'strip' })
  if (!result.ok) throw unprocessable(toProblems(result.errors))
  const strict = schema.parse(body, { unrecognizedObjectKeys: 'fail' })
  // `type` tells old and new secrets apart; the SDK adds it after its own check.
  const unknown = strict.ok ? [] : strict.errors.filter(({ path }) => path.join() !== 'type')
  for (const { path, message } of unknown) {
    problems.add({ where: 'voiceai', message: `${request.method} ${request.path}: ${path.join('.')}: ${message}` })
  }
  return body
}

export function parseJson({ body }: HttpRequest): Json {
  try {
    const read: unknown = JSON.parse(body.toString('utf8'))
    if (typeof read === 'object' && read !== null && !Array.isArray(read)) return read as Json
  } catch {
    // Refused below.
  }
  throw badValue([], 'JSON decode error')
}

/** One problem for each place: of the variants that a value may have, the first one speaks. */
function toProblems(errors: readonly { path: string[]; message: string }[]): BodyProblem[] {
  const byPlace = new Map<string, BodyProblem>()
  for (const { path, message } of errors) {
    const missing = /Missing required key "(.+)"/.exec(message)?.[1]
    const loc = ['body', ...path, ...(missing === undefined ? [] : [missing])]
    const problem: BodyProblem =
      missing === undefined
        ? { loc, msg: message.replaceAll(/\[Variant \d+\] /g, ''), type: 'value_error' }
        : { loc, msg: 'Field required', type: 'missing' }
    if (!byPlace.has(loc.join('.'))) byPlace.set(loc.join('.'), problem)
  }
  return [...byPlace.values()]
}

import { type TObject, Type } from 'typebox'
import { Refusal } from '../../errors.ts'
import { isTooComplex, type JsonLimits } from '../../json.ts'
import type { Env, ReadEnv } from '../../platform/access/env.ts'
import { jsonBody } from '../../platform/api/api-operation.ts'
import type { Arrival, OpenEnv, Reply, WebhookRow, WebhookTable } from '../webhooks/webhook-table.ts'
import { AGENT_TOKEN_HEADER, checkToolToken } from './agent-token.ts'
import { type NamedCall, namedCall } from './named-call.ts'

/** A tool call is a small flat object; 1 MiB is far beyond any. */
const TOOL_BYTES_MAX = 1024 * 1024

/** Values it may have, in a text that is long: beyond any tool, and parsed in a few milliseconds. */
export const TOOL_JSON_MAX: JsonLimits = { colons: 2_000, marks: 50_000 }

/** What the agent reads out when the work failed inside. */
const CANNOT_NOW = 'I cannot do that right now. Please try again in a moment.'

export type ToolArguments = Record<string, unknown>

/** What a tool is told beside its arguments. */
export interface ToolUse {
  about: Arrival['about']
  /** The call it is used in, when the request names one. */
  named: NamedCall | undefined
}

/** How a tool shows in the API document. */
export interface ToolDescription {
  summary: string
  arguments: TObject
  /** What it answers, beside `say`, the sentence for the caller. */
  reply: TObject
}

interface ToolBase {
  path: string
  describes?: ToolDescription
  /** A body that is not there counts as no arguments; one that is not a JSON object is refused. */
  ignoresBody?: boolean
}

/** One tool a voice agent may call: `read` takes no transaction, `write` runs in one, `own` opens its own around outside work. */
export type Tool =
  | (ToolBase & { access: 'read'; run(env: ReadEnv, args: ToolArguments, use: ToolUse): Promise<object> })
  | (ToolBase & { access: 'write'; run(env: Env, args: ToolArguments, use: ToolUse): Promise<object> })
  | (ToolBase & { access: 'own'; run(open: OpenEnv, args: ToolArguments, use: ToolUse): Promise<object> })

/** The tools with what they take and answer; a shape for each, or it does not compile. */
export function described<Path extends string>(
  shapes: Readonly<Record<Path, ToolDescription>>,
  tools: readonly (Tool & { path: Path })[],
): Tool[] {
  return tools.map((tool) => ({ ...tool, describes: shapes[tool.path] }))
}

/** A table of tools behind the agent token: JSON object in, JSON object out, errors as sentences. */
export function toolTable(options: {
  area: string
  prefix: string
  tools: readonly Tool[]
  isElevated: boolean
  /** Milliseconds that the work of the tool at an address may take. */
  deadlineOf: (path: string) => number
}): WebhookTable {
  const { prefix, deadlineOf } = options
  const rows = options.tools.map((tool) => ({
    ...toolRow(tool, options.isElevated),
    deadlineMs: () => deadlineOf(prefix + tool.path),
  }))
  return {
    area: options.area,
    prefix: options.prefix,
    rows,
    proof: TOOL_PROOF,
    authenticateHeaders: checkToolToken,
    reject: () => UNAUTHORIZED,
    accepts: (_row, arrival) => (isJson(arrival) ? undefined : WRONG_TYPE),
    fallback: (_row, error) => refusalReply(error),
  }
}

const ERROR_REPLY = jsonBody(Type.Object({ error: Type.String({ description: 'A sentence that the agent can say.' }) }))
function refused(description: string): object {
  return { description, content: { [ERROR_REPLY.contentType]: { schema: ERROR_REPLY.schema } } }
}

/** How whoever calls a tool proves who it is, and what refusals look like. */
export const TOOL_PROOF = {
  header: AGENT_TOKEN_HEADER,
  contentType: ERROR_REPLY.contentType,
  refusals: {
    400: refused('An argument is missing or is not usable'),
    401: refused('Unauthorized'),
    404: refused('There is no such record, or the caller does not reach it'),
    409: refused('It cannot be done as things are'),
    413: refused('Too large'),
    415: refused('Not JSON'),
    503: refused('It cannot be done right now'),
  },
}

/** The answer to whoever does not hold the token; it does not say which check failed. */
export const UNAUTHORIZED: Reply = jsonReply({ error: 'Unauthorized' }, 401)
const WRONG_TYPE: Reply = jsonReply({ error: 'The body must be application/json.' }, 415)

export function jsonReply(body: object, status = 200): Reply {
  return { status, contentType: 'application/json; charset=utf-8', body: JSON.stringify(body) }
}

/** A refusal with its own status and sentence; anything else as "not now", without detail. */
export function refusalReply(error: Error): Reply {
  if (error instanceof ToolRefusal) return jsonReply({ error: error.message, ...error.extra }, error.status)
  if (error instanceof Refusal)
    return jsonReply({ error: error.message }, error.kind === 'refused' ? 400 : error.status)
  return jsonReply({ error: CANNOT_NOW }, 503)
}

/** A refusal that carries more than its sentence, where published answers have more fields. */
export class ToolRefusal extends Refusal {
  readonly extra: object

  constructor(kind: Refusal['kind'], message: string, extra: object) {
    super(kind, message)
    this.extra = extra
  }
}

type ToolRow = WebhookRow extends infer Row ? (Row extends WebhookRow ? Omit<Row, 'deadlineMs'> : never) : never

function toolRow(tool: Tool, isElevated: boolean): ToolRow {
  const base = { path: tool.path, isElevated, bodyBytesMax: TOOL_BYTES_MAX, ...shown(tool) }
  if (tool.access === 'read') {
    return {
      ...base,
      access: 'read',
      run: async (env, arrival) => jsonReply(await tool.run(env, ...given(tool, arrival))),
    }
  }
  if (tool.access === 'own') {
    return {
      ...base,
      access: 'own',
      run: async (open, arrival) => jsonReply(await tool.run(open, ...given(tool, arrival))),
    }
  }
  return {
    ...base,
    access: 'write',
    run: async (env, arrival) => jsonReply(await tool.run(env, ...given(tool, arrival))),
  }
}

function shown({ describes }: ToolBase): Pick<WebhookRow, 'describes'> {
  if (describes === undefined) return {}
  const { summary, arguments: request, reply } = describes
  return { describes: { summary, request, reply: jsonBody(reply) } }
}

function given(tool: ToolBase, { body, headers, about }: Arrival): [ToolArguments, ToolUse] {
  const args = parseArguments(tool, body)
  return [args, { about, named: namedCall(headers, args) }]
}

/** The named arguments of a call. */
function parseArguments(tool: ToolBase, body: Buffer): ToolArguments {
  if (tool.ignoresBody === true) return {}
  if (isTooComplex(body, TOOL_JSON_MAX)) {
    throw new Refusal('too-large', 'The body has too many values: a tool takes a small flat object.')
  }
  const parsed = parseJson(body.toString('utf8'))
  if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) return parsed as ToolArguments
  throw new Refusal('malformed', 'The body must be a JSON object.')
}

function parseJson(text: string): unknown {
  if (text.trim() === '') return {}
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function isJson(arrival: Arrival): boolean {
  const type = arrival.headers['content-type']
  if (type === undefined || type === '') return true
  return /^\s*application\/([\w.-]+\+)?json\s*(;|$)/i.test(type)
}

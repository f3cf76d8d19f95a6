import { Refusal } from '../../errors.ts'
import { isTooComplex, type JsonLimits, parseJson } from '../../json.ts'
import { jsonBody } from '../../platform/api/api-operation.ts'
import { refused } from '../webhooks/described-webhooks.ts'
import type { IncomingRequest, Reply, WebhookRow, WebhookTable } from '../webhooks/webhook-table.ts'
import { AGENT_TOKEN_HEADER, checkToolToken } from './agent-token.ts'
import { CALL_HEADER, namedCall } from './named-call.ts'
import { argumentSchema, type Tool, type ToolArea, type ToolUse } from './tool.ts'

/** A tool call is a small flat object; 1 MiB is far beyond any. */
const TOOL_BYTES_MAX = 1024 * 1024

/** Values it may have, in a text that is long: beyond any tool, and parsed in a few milliseconds. */
export const TOOL_JSON_MAX: JsonLimits = { colons: 2_000, marks: 50_000 }

/** What the agent reads out when the work failed inside. */
const CANNOT_NOW = 'I cannot do that right now. Please try again in a moment.'

/** The tools of an area behind the agent token: JSON object in, JSON object out, errors as sentences. */
export function toolTable<Ports>(
  { area, prefix, isElevated = false, writes, tools }: ToolArea<Ports>,
  { ports, deadlineOf, budgetOf }: ToolTableParts<Ports>,
): WebhookTable {
  return {
    area,
    prefix,
    rows: tools.map((tool): WebhookRow => {
      const { path, name, summary, reply, access, timeoutSeconds } = tool
      return {
        path,
        tool: { name, writes, budgetMs: () => budgetOf(prefix + path) ?? timeoutSeconds * MS_PER_SECOND },
        describes: { summary, request: argumentSchema(tool), reply: jsonBody(reply), refusals: refusalsOf(tool) },
        bodyBytesMax: TOOL_BYTES_MAX,
        isElevated,
        deadlineMs: () => deadlineOf(prefix + path),
        access,
        run: async (env: never, arrival: IncomingRequest) =>
          jsonReply(await tool.run(env, ...toolCall(tool, ports, arrival))),
      }
    }),
    proof: TOOL_PROOF,
    authenticateHeaders: checkToolToken,
    reject: () => UNAUTHORIZED,
    fallback: (_row, error) => refusalReply(error),
  }
}

interface ToolTableParts<Ports> {
  ports: Ports
  /** Milliseconds that the work of the tool at an address may take. */
  deadlineOf: (path: string) => number
  /** Milliseconds that the platform waits for the tool at an address; undefined while it was not told of it. */
  budgetOf: (path: string) => number | undefined
}

const MS_PER_SECOND = 1_000

const TOOL_REFUSALS = {
  400: 'An argument is missing or is not usable',
  404: 'There is no such record, or the caller does not reach it',
  409: 'It cannot be done as things are',
} as const

function refusalsOf({ refuses, refusalExtra }: Tool): Record<number, object> {
  return Object.fromEntries(refuses.map((status) => [status, refused(TOOL_REFUSALS[status], refusalExtra)]))
}

/** How a request of the platform with the agent token proves who it is; also what refusals of it look like. */
export const TOKEN_PROOF = {
  header: AGENT_TOKEN_HEADER,
  says: 'The agent token: the setting voiceai_agent_token',
  contentType: 'application/json',
  refusals: { 401: refused('The agent token is missing or wrong') },
}

/** The same for tools. */
const TOOL_PROOF = {
  ...TOKEN_PROOF,
  headers: {
    [CALL_HEADER]: 'The id of the call in which the tool is used: it then reaches only what belongs to that call',
  },
  refusals: {
    ...TOKEN_PROOF.refusals,
    413: refused('Too large'),
    503: refused('It cannot be done right now'),
  },
}

/** The answer to a caller who does not hold the token; it does not say which check failed. */
export const UNAUTHORIZED: Reply = jsonReply({ error: 'Unauthorized' }, 401)

export function jsonReply(body: object, status = 200): Reply {
  return { status, contentType: 'application/json; charset=utf-8', body: JSON.stringify(body) }
}

/** A refusal with its own status and sentence; anything else as "not now", without detail. */
function refusalReply(error: Error): Reply {
  if (error instanceof Refusal) return jsonReply({ error: error.message, ...error.details }, toolStatus(error))
  return jsonReply({ error: CANNOT_NOW }, 503)
}

/** The status of a refusal as tools answer it: values that are refused are arguments of the agent. */
export function toolStatus({ kind, status }: Refusal): number {
  return kind === 'refused' ? 400 : status
}

function toolCall<Ports>(
  tool: Tool<Ports>,
  ports: Ports,
  { body, headers, subject }: IncomingRequest,
): [Record<string, unknown>, ToolUse<Ports>] {
  const sent = parseArguments(tool, body)
  const setSubject: ToolUse['setSubject'] = ({ remark, ...found }) => {
    Object.assign(subject, found)
    if (remark !== undefined) subject.remark = [subject.remark, remark].filter(Boolean).join(' ')
  }
  const named = namedCall(headers, sent)
  // Whatever the tool makes of it: the delivery is about that call.
  setSubject({ call: named?.id })
  return [sent, { named, ports, setSubject }]
}

/** What was sent, by name. It is read as JSON whatever the sender calls it: `curl -d` says that it is a form. */
function parseArguments(tool: Pick<Tool, 'ignoresBody'>, body: Buffer): Record<string, unknown> {
  if (tool.ignoresBody === true) return {}
  if (isTooComplex(body, TOOL_JSON_MAX)) {
    throw new Refusal('too-large', 'agent-body-too-complex')
  }
  const text = body.toString('utf8').trim()
  const parsed = text === '' ? {} : parseJson(text)
  if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) return parsed as Record<string, unknown>
  throw new Refusal('malformed', 'agent-body-not-object')
}

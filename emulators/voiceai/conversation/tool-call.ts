import type { Problems } from '../../problems.ts'
import type { OutgoingRequest, ServiceLink } from '../../service-link.ts'
import type { Tool, Workspace } from '../workspace.ts'
import { type BuiltRequest, buildToolRequest, type ToolArguments } from './tool-request.ts'
import type { Variables } from './variables.ts'

/** What the agent gets to see of a tool call. */
export interface ToolResult {
  /** What was sent, as JSON. */
  readonly parameters: string
  /** What the agent reads. */
  readonly text: string
  /** The answer as a value, when it was JSON. */
  readonly value: unknown
  readonly isError: boolean
}

export interface ToolParts {
  readonly workspace: Workspace
  readonly link: ServiceLink
  readonly problems: Problems
}

const TIMEOUT_SECONDS = 20
const MS_PER_SECOND = 1_000

/** Calls a tool as it was pushed: its method, its address, its headers, its schemas (D2). What the schema forbids is a problem. */
export async function callTool(
  { workspace, link, problems }: ToolParts,
  tool: Tool,
  { given, variables }: { given: ToolArguments; variables: Variables },
): Promise<ToolResult> {
  const complain = (message: string): void =>
    problems.add({ where: 'voiceai', message: `${tool.config.name}: ${message}` })
  const built = buildToolRequest(tool, { given, variables })
  const { headers, unknown } = readHeaders(workspace, tool, variables)
  for (const problem of [...built.problems, ...unknown]) complain(problem)
  const parameters = JSON.stringify(built.parameters)
  const request = toRequest(tool, headers, built)
  const outcome = await workspace.clock.during(() => link.send(request))
  if (outcome.kind === 'failed') {
    complain(`${request.url}: ${outcome.message}`)
    return { parameters, text: 'The tool could not be reached.', value: undefined, isError: true }
  }
  const text = outcome.body.toString('utf8')
  const value = parseJson(text)
  if (outcome.status >= 200 && outcome.status < 300) {
    assign(tool, value, variables)
    return { parameters, text, value, isError: false }
  }
  if (tool.config.tool_error_handling_mode === 'passthrough') return { parameters, text, value, isError: true }
  complain(`the agent does not hear why the tool failed (HTTP ${outcome.status})`)
  return { parameters, text: 'The tool failed.', value: undefined, isError: true }
}

function toRequest(
  { config }: Tool,
  headers: Record<string, string>,
  { method, url, body }: BuiltRequest,
): OutgoingRequest {
  const { response_timeout_secs: seconds = TIMEOUT_SECONDS } = config
  return {
    method,
    url,
    headers: body === undefined ? headers : { 'content-type': 'application/json', ...headers },
    body: body === undefined ? '' : JSON.stringify(body),
    timeoutMs: seconds * MS_PER_SECOND,
  }
}

function readHeaders(
  workspace: Workspace,
  { config }: Tool,
  variables: Variables,
): { headers: Record<string, string>; unknown: string[] } {
  const headers: Record<string, string> = {}
  const unknown: string[] = []
  for (const [name, value] of Object.entries(config.api_schema?.request_headers ?? {})) {
    const text = workspace.headerText(value, variables)
    if (text === undefined) unknown.push(`the value of the header ${name} is not known`)
    else headers[name] = text
  }
  return { headers, unknown }
}

/** Parts of the answer that the owner wants kept as variables; missing ones change nothing. */
function assign({ config }: Tool, value: unknown, variables: Variables): void {
  for (const { dynamic_variable: name, value_path: path } of config.assignments ?? []) {
    const found = valueAt(value, path)
    if (found !== undefined) variables.set(name, found)
  }
}

/** The value at a path such as `slots.0.start`. */
export function valueAt(value: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((inner, key) => {
    if (typeof inner !== 'object' || inner === null) return undefined
    return (inner as Record<string, unknown>)[key]
  }, value)
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

import type { ElevenLabs } from '@elevenlabs/elevenlabs-js'
import { AGENT_TOKEN_HEADER } from '../../deliveries/tools/agent-token.ts'
import { CALL_HEADER } from '../../deliveries/tools/named-call.ts'
import { joinUrl } from '../../platform/settings/settings-model.ts'
import type { ToolConfig } from '../client/sdk-workspace.ts'
import type { ReadySettings } from '../workspace/readiness.ts'
import { pathNames } from './tool-address.ts'
import type { ToolParameter, ToolRow } from './tool-rows.ts'

/** Variables of the platform itself, which it always knows. */
const PROVIDER_PREFIX = 'system__'
/** The variable of ours that names the call. */
const CALL_VARIABLE = 'call_id'
/**
 * The platform sends a body with these only: `request_body_schema` of WebhookToolApiSchemaConfig in its API
 * description.
 */
const METHODS_WITH_BODY: readonly string[] = ['POST', 'PATCH', 'PUT']

/** A tool as the platform is to hold it (docs/reference/domain.md#tool-payload). */
export function toolConfig(tool: ToolRow, settings: ReadySettings): ToolConfig {
  const { name, description, response_timeout_secs: responseTimeoutSecs } = tool
  const variables = [...variablesOf([tool]), ...(isOurs(tool, settings) ? [CALL_VARIABLE] : [])]
  const shared = {
    name,
    description,
    responseTimeoutSecs,
    interruptionMode: interruptionMode(tool),
    // Otherwise the agent would not hear the sentence of a refusal (docs/reference/providers.md#server-tools).
    toolErrorHandlingMode: 'passthrough' as const,
    dynamicVariables: { dynamicVariablePlaceholders: placeholders(variables) },
  }
  if (tool.tool_type === 'client') {
    const expectsResponse = tool.client_expects_response === true
    return { ...shared, type: 'client', parameters: objectSchema(tool, tool.params), expectsResponse }
  }
  return { ...shared, type: 'webhook', apiSchema: apiSchema(tool, settings) }
}

/** In the place of `disable_interruptions`, which the platform's API description calls deprecated. */
export function interruptionMode({ disable_interruptions: disables }: ToolRow): ElevenLabs.ToolInterruptionMode {
  return disables === true ? 'disable_during_tool' : 'allow'
}

/** A parameter that the path names stands there; the others are in the body, or in the query where there is no body. */
function apiSchema(tool: ToolRow, settings: ReadySettings): ElevenLabs.WebhookToolApiSchemaConfigInput {
  const url = toolUrl(tool, settings.apiUrl)
  const method = tool.method ?? 'POST'
  const inPath = pathNames(url)
  const others = tool.params.filter(({ name }) => !inPath.includes(name))
  return {
    url,
    method,
    requestHeaders: requestHeaders(tool, settings),
    ...(inPath.length === 0 ? {} : { pathParamsSchema: pathSchema(tool, inPath) }),
    ...(METHODS_WITH_BODY.includes(method) ? { requestBodySchema: objectSchema(tool, others) } : querySchema(others)),
  }
}

/** Where the platform sends what the agent asks. */
export function toolUrl({ path, url }: Pick<ToolRow, 'path' | 'url'>, apiUrl: string): string {
  return path ? joinUrl(apiUrl, path) : (url ?? '')
}

/**
 * The token opens this service, so it is given to addresses of this service only. The call goes with it: the platform
 * puts the variable's value in, and neither the agent nor the caller has a say in it (`ConvAIDynamicVariable` of
 * `request_headers`, openapi of the platform).
 */
function requestHeaders(
  tool: Pick<ToolRow, 'path' | 'url'>,
  settings: ReadySettings,
): Record<string, string | ElevenLabs.ConvAiDynamicVariable> {
  if (!isOurs(tool, settings)) return {}
  return { [AGENT_TOKEN_HEADER]: settings.token, [CALL_HEADER]: { variableName: CALL_VARIABLE } }
}

/** Whether this service answers the tool. */
export function isOurs(tool: Pick<ToolRow, 'path' | 'url'>, { apiUrl }: Pick<ReadySettings, 'apiUrl'>): boolean {
  return toolUrl(tool, apiUrl).startsWith(joinUrl(apiUrl, '/'))
}

/** Dynamic variables that tools take; those of the platform itself are left out. */
export function variablesOf(tools: readonly Pick<ToolRow, 'params'>[]): string[] {
  const names = tools.flatMap(({ params }) =>
    params.filter((each) => each.value_type === 'dynamic_variable').map((each) => each.dynamic_variable || each.name),
  )
  return [...new Set(names)].filter((name) => !name.startsWith(PROVIDER_PREFIX))
}

/** What stands for variables where nobody sets them, such as in the platform's own test page. */
export function placeholders(variables: readonly string[]): Record<string, string> {
  return Object.fromEntries(variables.map((name) => [name, `test_${name}`]))
}

function objectSchema(
  { body_params_description: description }: ToolRow,
  params: readonly ToolParameter[],
): ElevenLabs.ObjectJsonSchemaPropertyInput {
  return { type: 'object', ...propertiesOf(params), ...(description ? { description } : {}) }
}

/**
 * The platform refuses a query without any property (`minProperties` of QueryParamsJsonSchema in its API description).
 */
function querySchema(
  params: readonly ToolParameter[],
): Pick<ElevenLabs.WebhookToolApiSchemaConfigInput, 'queryParamsSchema'> {
  return params.length === 0 ? {} : { queryParamsSchema: propertiesOf(params) }
}

/**
 * A name that no parameter describes is the agent's to fill: without a schema the platform does not take the address.
 */
function pathSchema(
  { params }: ToolRow,
  names: readonly string[],
): Record<string, ElevenLabs.LiteralJsonSchemaProperty> {
  const described = new Map(params.map((each) => [each.name, property(each)]))
  return Object.fromEntries(names.map((name) => [name, described.get(name) ?? { type: 'string', description: name }]))
}

function propertiesOf(params: readonly ToolParameter[]): {
  properties: Record<string, ElevenLabs.LiteralJsonSchemaProperty>
  required: string[]
} {
  return {
    properties: Object.fromEntries(params.map((each) => [each.name, property(each)])),
    required: params.filter((each) => each.required === true).map((each) => each.name),
  }
}

/** Each value has exactly one source. */
function property(parameter: ToolParameter): ElevenLabs.LiteralJsonSchemaProperty {
  const { name, data_type: type, description, dynamic_variable: variable } = parameter
  switch (parameter.value_type) {
    case 'dynamic_variable':
      return { type, dynamicVariable: variable || name }
    case 'constant_value':
      return { type, constantValue: constant(parameter) }
    case 'description':
      return { type, description: description || name }
  }
}

function constant({ data_type: type, constant_value: value }: ToolParameter): string | number | boolean {
  if (type === 'integer') return Number(value)
  return type === 'boolean' ? value === 'true' : (value ?? '')
}

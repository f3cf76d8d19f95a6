import type { ElevenLabs } from '@elevenlabs/elevenlabs-js'
import { AGENT_TOKEN_HEADER } from '../../deliveries/agent-token.ts'
import { CALL_HEADER } from '../../deliveries/named-call.ts'
import { joinUrl } from '../../platform/models/settings.ts'
import type { ToolConfig } from '../client.ts'
import type { ReadySettings } from './readiness.ts'
import type { ToolParameter, ToolRow } from './tool-rows.ts'

/** Variables of the platform itself, which it always knows. */
const PROVIDER_PREFIX = 'system__'
/** The variable of ours that names the call. */
const CALL_VARIABLE = 'call_id'

/** A tool as the platform is to hold it (domain reference 4.3). */
export function toolConfig(tool: ToolRow, settings: ReadySettings): ToolConfig {
  const { name, description, response_timeout_secs: responseTimeoutSecs } = tool
  const variables = [...variablesOf([tool]), ...(isOurs(tool, settings) ? [CALL_VARIABLE] : [])]
  const shared = {
    name,
    description,
    responseTimeoutSecs,
    disableInterruptions: tool.disable_interruptions === true,
    // Otherwise the agent would not hear the sentence of a refusal (providers reference D2).
    toolErrorHandlingMode: 'passthrough' as const,
    dynamicVariables: { dynamicVariablePlaceholders: placeholders(variables) },
  }
  if (tool.tool_type === 'client') {
    const expectsResponse = tool.client_expects_response === true
    return { ...shared, type: 'client', parameters: bodySchema(tool), expectsResponse }
  }
  const method = tool.method ?? 'POST'
  const requestBodySchema = method === 'GET' && tool.params.length === 0 ? {} : { requestBodySchema: bodySchema(tool) }
  return {
    ...shared,
    type: 'webhook',
    apiSchema: {
      url: toolUrl(tool, settings.apiUrl),
      method,
      requestHeaders: requestHeaders(tool, settings),
      ...requestBodySchema,
    },
  }
}

/** Where the platform sends what the agent asks. */
export function toolUrl({ path, url }: Pick<ToolRow, 'path' | 'url'>, apiUrl: string): string {
  return path ? joinUrl(apiUrl, path) : (url ?? '')
}

/**
 * The token opens this service, so it is given to addresses of this service only. The call goes with it: the platform puts
 * the variable's value in, and neither the agent nor the caller has a say in it (`ConvAIDynamicVariable` of `request_headers`,
 * openapi of the platform).
 */
export function requestHeaders(
  tool: Pick<ToolRow, 'path' | 'url'>,
  settings: ReadySettings,
): Record<string, string | ElevenLabs.ConvAiDynamicVariable> {
  if (!isOurs(tool, settings)) return {}
  return { [AGENT_TOKEN_HEADER]: settings.token, [CALL_HEADER]: { variableName: CALL_VARIABLE } }
}

function isOurs(tool: Pick<ToolRow, 'path' | 'url'>, { apiUrl }: ReadySettings): boolean {
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

function bodySchema({
  params,
  body_params_description: description,
}: ToolRow): ElevenLabs.ObjectJsonSchemaPropertyInput {
  return {
    type: 'object',
    properties: Object.fromEntries(params.map((each) => [each.name, property(each)])),
    required: params.filter((each) => each.required === true).map((each) => each.name),
    ...(description ? { description } : {}),
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

import type { ObjectSchema, PropertySchema, Tool, ToolConfig } from '../workspace.ts'
import type { Variables } from './variables.ts'

/** What an agent decides about a tool call; variables and constants come by themselves. */
export type ToolArguments = Readonly<Record<string, unknown>>

export type ToolMethod = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'

/** A tool call as it is sent, and what the tool's schemas have against it. */
export interface BuiltRequest {
  readonly method: ToolMethod
  readonly url: string
  /** Undefined where the method carries none. */
  readonly body: Readonly<Record<string, unknown>> | undefined
  /** Everything that was sent, wherever it stands. */
  readonly parameters: Readonly<Record<string, unknown>>
  readonly problems: readonly string[]
}

interface Sources {
  readonly given: ToolArguments
  readonly variables: Variables
}

/** `{name}` in a tool's address; `{{name}}` is none. */
const PATH_PLACEHOLDER = /(?<!\{)\{([^{}]+)\}(?!\})/g
/** What the platform does when the tool names no method: WebhookToolApiSchemaConfig of its API description. */
const METHOD_DEFAULT = 'GET'
const METHODS_WITH_BODY: readonly string[] = ['POST', 'PATCH', 'PUT']

/** The names that a tool's address has in braces. */
export function pathNamesIn(url: string): string[] {
  return [...new Set([...url.matchAll(PATH_PLACEHOLDER)].map(([, name = '']) => name))]
}

export function methodOf({ api_schema: api }: ToolConfig): ToolMethod {
  return api?.method ?? METHOD_DEFAULT
}

/** Whether the platform sends the tool's body: with POST, PATCH and PUT, and with nothing else. */
export function sendsBody(method: ToolMethod): boolean {
  return METHODS_WITH_BODY.includes(method)
}

/** A tool call as its schemas say: values in the path, in the query and in the body. */
export function buildToolRequest({ config }: Tool, sources: Sources): BuiltRequest {
  const { api_schema: api } = config
  const method = methodOf(config)
  const pathSchema = { properties: api?.path_params_schema ?? {}, required: pathNamesIn(api?.url ?? '') }
  const bodySchema = sendsBody(method) ? api?.request_body_schema : undefined
  const path = fillSchema(pathSchema, sources)
  const query = fillSchema(api?.query_params_schema ?? {}, sources)
  const body = fillSchema(bodySchema ?? {}, sources)
  const schemas: readonly ObjectSchema[] = [pathSchema, api?.query_params_schema ?? {}, bodySchema ?? {}]
  return {
    method,
    url: withQuery(withPath(api?.url ?? '', path.values), query.values),
    body: bodySchema === undefined || bodySchema === null ? undefined : body.values,
    parameters: { ...path.values, ...query.values, ...body.values },
    problems: [...refuseGiven(schemas, sources.given), ...path.problems, ...query.problems, ...body.problems],
  }
}

function withPath(url: string, values: ToolArguments): string {
  return url.replaceAll(PATH_PLACEHOLDER, (placeholder, name: string) =>
    values[name] === undefined ? placeholder : encodeURIComponent(String(values[name])),
  )
}

function withQuery(url: string, values: ToolArguments): string {
  const query = new URLSearchParams(Object.entries(values).map(([name, value]) => [name, String(value)])).toString()
  if (query === '') return url
  return `${url}${url.includes('?') ? '&' : '?'}${query}`
}

function fillSchema(
  schema: ObjectSchema,
  sources: Sources,
): { values: Record<string, unknown>; problems: readonly string[] } {
  const { properties = {}, required = [] } = schema
  const values: Record<string, unknown> = {}
  const problems: string[] = []
  for (const [name, property] of Object.entries(properties)) {
    const value = sourcedValue(name, property, sources)
    if (value === undefined) {
      if (required.includes(name)) problems.push(`the required ${name} has no value`)
      continue
    }
    values[name] = value
    problems.push(...refuseType(name, property, value))
  }
  return { values, problems }
}

function refuseGiven(schemas: readonly ObjectSchema[], given: ToolArguments): string[] {
  return Object.keys(given).flatMap((name) => {
    const property = schemas.map(({ properties }) => properties?.[name]).find((each) => each !== undefined)
    if (property === undefined) return [`it has no parameter ${name}`]
    return property.description === undefined ? [`the agent does not decide about ${name}`] : []
  })
}

function sourcedValue(name: string, property: PropertySchema, { given, variables }: Sources): unknown {
  if (property.dynamic_variable !== undefined) return variables.get(property.dynamic_variable)
  if (property.constant_value !== undefined) return property.constant_value
  return property.is_omitted === true ? undefined : given[name]
}

/** A variable keeps its own type, whatever the schema says. */
function refuseType(name: string, { type, dynamic_variable: variable }: PropertySchema, value: unknown): string[] {
  if (variable !== undefined || isOfType(value, type)) return []
  return [`${name} is ${JSON.stringify(value)}, but should be of type ${type}`]
}

function isOfType(value: unknown, type: string | undefined): boolean {
  switch (type) {
    case 'string':
    case 'boolean':
    case 'number':
      return typeof value === type
    case 'integer':
      return Number.isInteger(value)
    case 'array':
      return Array.isArray(value)
    default:
      return true
  }
}

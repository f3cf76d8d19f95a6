import type { PropertySchema, Tool } from '../workspace.ts'
import type { Variables } from './variables.ts'

/** What an agent decides about a tool call; variables and constants come by themselves. */
export type Given = Readonly<Record<string, unknown>>

/** The body of a tool call, and what the tool's schema has against it. */
export function buildToolBody(
  { config }: Tool,
  given: Given,
  variables: Variables,
): { body: Record<string, unknown>; problems: string[] } {
  const { properties = {}, required = [] } = config.api_schema?.request_body_schema ?? {}
  const body: Record<string, unknown> = {}
  const problems = Object.keys(given).flatMap((name) => refuseGiven(name, properties[name]))
  for (const [name, property] of Object.entries(properties)) {
    const value = sourcedValue(name, property, { given, variables })
    if (value === undefined) {
      if (required.includes(name)) problems.push(`the required ${name} has no value`)
      continue
    }
    body[name] = value
    problems.push(...refuseType(name, property, value))
  }
  return { body, problems }
}

function refuseGiven(name: string, property: PropertySchema | undefined): string[] {
  if (property === undefined) return [`it has no parameter ${name}`]
  return property.description === undefined ? [`the agent does not decide about ${name}`] : []
}

function sourcedValue(
  name: string,
  property: PropertySchema,
  { given, variables }: { given: Given; variables: Variables },
): unknown {
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

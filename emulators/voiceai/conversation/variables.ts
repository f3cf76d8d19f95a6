import type { Agent, Tool } from '../workspace.ts'

export type Variables = Map<string, unknown>

const PLACEHOLDER = /\{\{\s*([\w.]+)\s*\}\}/g

/** The names that a text mentions as `{{name}}`. */
export function namesIn(text: string): string[] {
  return [...new Set([...text.matchAll(PLACEHOLDER)].map(([, name = '']) => name))]
}

/** The text with every variable that is known filled in. */
export function fill(text: string, variables: ReadonlyMap<string, unknown>): string {
  return text.replaceAll(PLACEHOLDER, (placeholder, name: string) => {
    const value = variables.get(name)
    return value === undefined ? placeholder : String(value)
  })
}

/** Where a conversation mentions variables: the platform checks them when the conversation opens (D1). */
export interface Mentions {
  readonly place: 'first message' | 'prompt' | 'tools'
  readonly names: readonly string[]
}

export function mentionsOf(agent: Agent, tools: readonly Tool[], firstMessage: string): Mentions[] {
  const prompt = agent.config.conversation_config?.agent?.prompt?.prompt ?? ''
  return [
    { place: 'first message', names: namesIn(firstMessage) },
    { place: 'prompt', names: namesIn(prompt) },
    { place: 'tools', names: [...new Set(tools.flatMap(variablesOfTool))] },
  ]
}

function variablesOfTool({ config: { api_schema: api } }: Tool): string[] {
  const properties = [
    ...Object.values(api?.request_body_schema?.properties ?? {}),
    ...Object.values(api?.query_params_schema?.properties ?? {}),
    ...Object.values(api?.path_params_schema ?? {}),
  ]
  const headers = Object.values(api?.request_headers ?? {}).flatMap((value) =>
    typeof value === 'object' && 'variable_name' in value ? [value.variable_name] : [],
  )
  return [...properties.flatMap(({ dynamic_variable: name }) => name ?? []), ...headers]
}

/** Stand-ins that the owner gave for variables nobody sets. */
export function placeholdersOf(agent: Agent, tools: readonly Tool[]): Map<string, unknown> {
  const given = agent.config.conversation_config?.agent?.dynamic_variables?.dynamic_variable_placeholders ?? {}
  const ofTools = tools.flatMap(({ config }) =>
    Object.entries(config.dynamic_variables?.dynamic_variable_placeholders ?? {}),
  )
  return new Map([...ofTools, ...Object.entries(given)])
}

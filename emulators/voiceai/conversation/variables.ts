import type { Agent, Tool } from '../workspace.ts'

export type Variables = Map<string, unknown>

const PLACEHOLDER = /\{\{\s*([\w.-]+)\s*\}\}/g

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
  const { prompt = '', built_in_tools: builtIn } = agent.config.conversation_config?.agent?.prompt ?? {}
  const ofTools = [...tools.map(({ config }) => config), builtIn].flatMap(variablesWithin)
  return [
    { place: 'first message', names: namesIn(firstMessage) },
    { place: 'prompt', names: namesIn(prompt) },
    { place: 'tools', names: [...new Set(ofTools)] },
  ]
}

/** Keys under which a schema names a variable (the API's descriptions of tools and of request headers). */
const VARIABLE_KEYS: ReadonlySet<string> = new Set(['dynamic_variable', 'variable_name'])
/** What tools do to variables, and values for the platform's own test page: nothing that must be given. */
const NOT_NEEDED: ReadonlySet<string> = new Set(['assignments', 'dynamic_variables'])

/** Every variable of a tool: of its texts, its address, its parameters at any depth, its headers. */
function variablesWithin(value: unknown): string[] {
  if (typeof value === 'string') return namesIn(value)
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => {
    if (NOT_NEEDED.has(key)) return []
    if (VARIABLE_KEYS.has(key) && typeof inner === 'string' && inner !== '') return [inner]
    return variablesWithin(inner)
  })
}

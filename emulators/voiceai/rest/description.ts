import { readFileSync } from 'node:fs'

/** A schema of the platform's API description, as `scripts/make-voiceai-description.ts` writes it. */
export interface Described {
  readonly ref?: string
  readonly type?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly properties?: Readonly<Record<string, Described>>
  readonly additionalProperties?: boolean | Described
  readonly required?: readonly string[]
  readonly items?: Described
  readonly anyOf?: readonly Described[]
  readonly oneOf?: readonly Described[]
  readonly deprecated?: boolean
  readonly deprecatedValues?: readonly string[]
}

interface DescribedRoute {
  readonly body?: Described
  readonly reply?: Described
}

interface Description {
  readonly routes: Readonly<Record<string, DescribedRoute>>
  readonly schemas: Readonly<Record<string, Described>>
}

let loaded: Description | undefined

function description(): Description {
  loaded ??= JSON.parse(readFileSync(new URL('description.json', import.meta.url), 'utf8')) as Description
  return loaded
}

/** What the description says of a route; undefined for a route that is not in it. */
export function routeOf({ method, path }: { method: string; path: string }): DescribedRoute | undefined {
  const { routes } = description()
  const found = Object.keys(routes).find((route) => patternOf(route).test(`${method} ${path}`))
  return found === undefined ? undefined : routes[found]
}

/** The schema itself, wherever it stands in the description. */
export function resolve(schema: Described): Described {
  if (schema.ref === undefined) return schema
  const { ref, ...beside } = schema
  const found = description().schemas[ref]
  if (found === undefined) throw new Error(`the description has no schema ${ref}`)
  return { ...resolve(found), ...beside }
}

const patterns = new Map<string, RegExp>()

function patternOf(route: string): RegExp {
  const known = patterns.get(route)
  if (known !== undefined) return known
  const pattern = new RegExp(`^${route.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`)
  patterns.set(route, pattern)
  return pattern
}

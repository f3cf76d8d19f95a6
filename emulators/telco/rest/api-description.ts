import Schema from 'typebox/schema'
import type { HttpReply, HttpRequest } from '../../http-server.ts'
import written from './api-description.json' with { type: 'json' }

/** A JSON schema without prose. */
type Facts = Readonly<Record<string, unknown>>

/** One operation of the provider's API, as the provider publishes it (`sources/telco-api-from-descriptions.ts`). */
export interface Operation {
  readonly method: string
  readonly path: string
  readonly query: Readonly<Record<string, Facts>>
  readonly form?: Facts
  readonly json?: Facts
  readonly status: number
  readonly reply?: Facts
}

/** What is wrong with a request or an answer. */
export interface Mismatches {
  /** Names that the provider does not have; it would ignore them without a word. */
  readonly unknown: readonly string[]
  /** Values of another type, no choice of its list, and missing parts; it would refuse them. */
  readonly wrong: readonly string[]
}

const OPERATIONS: readonly Operation[] = (written.operations as unknown as Operation[]).toSorted(
  // What names more of its path goes first.
  (a, b) => a.path.split('{').length - b.path.split('{').length,
)
const PATTERNS = new Map(OPERATIONS.map(({ path }) => [path, patternOf(path)]))
const NOTHING_WRONG: Mismatches = { unknown: [], wrong: [] }
const validators = new WeakMap<Facts, ReturnType<typeof Schema.Compile>>()

function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`)
}

/** The operation that a request asks for; undefined for one that is not described, such as the audio of a recording. */
export function operationOf({ method, path }: Pick<HttpRequest, 'method' | 'path'>): Operation | undefined {
  return OPERATIONS.find((each) => each.method === method && PATTERNS.get(each.path)?.test(path))
}

/** Holds the query and the body of a request against the description. */
export function requestMismatches({ query, form, json }: Operation, { query: asked, body }: HttpRequest): Mismatches {
  const inQuery = pairMismatches(asked, { properties: query })
  const inBody = bodyMismatches({ form, json }, body.toString('utf8'))
  return { unknown: [...inQuery.unknown, ...inBody.unknown], wrong: [...inQuery.wrong, ...inBody.wrong] }
}

function bodyMismatches(
  { form, json }: { form: Facts | undefined; json: Facts | undefined },
  body: string,
): Mismatches {
  if (form !== undefined) return pairMismatches(new URLSearchParams(body), form)
  const value = json === undefined ? undefined : parse(body)
  // What is no JSON at all is refused by the code that reads it.
  return json === undefined || value === undefined ? NOTHING_WRONG : mismatches(json, value)
}

/** Names and values of a query or a form; an empty value clears what it names, whatever its pattern is. */
function pairMismatches(pairs: URLSearchParams, facts: Facts): Mismatches {
  const known = new Map(Object.entries((facts.properties ?? {}) as Record<string, Facts>))
  const names = [...new Set(pairs.keys())]
  const missing = ((facts.required ?? []) as string[]).filter((name) => !pairs.has(name))
  const wrong = names.flatMap((name) => {
    const part = known.get(name)
    const values = pairs.getAll(name).filter((value) => value !== '')
    return part === undefined || values.length === 0 ? [] : mismatches(part, readValue(values, part), name).wrong
  })
  return {
    unknown: names.filter((name) => !known.has(name)),
    wrong: [...missing.map((name) => `${name} is missing`), ...wrong],
  }
}

/** A value of a form in the type that it stands for; as text when it is none. */
function readValue(values: readonly string[], facts: Facts): unknown {
  const last = values.at(-1) ?? ''
  switch (facts.type) {
    case 'array':
      return values
    case 'boolean':
      return /^(?:true|false)$/i.test(last) ? last.toLowerCase() === 'true' : last
    case 'integer':
    case 'number':
      return /^-?\d+(?:\.\d+)?$/.test(last) ? Number(last) : last
    default:
      return last
  }
}

/** An answer with the parts that the provider names; what the emulator knows besides stays here. */
export function describedReply({ reply }: Operation, answered: HttpReply): HttpReply {
  const value = reply === undefined || answered.body === undefined ? undefined : parse(String(answered.body))
  return reply === undefined || value === undefined
    ? answered
    : { ...answered, body: JSON.stringify(describedParts(reply, value)) }
}

function describedParts(facts: Facts, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((each) => describedParts((facts.items ?? {}) as Facts, each))
  if (typeof value !== 'object' || value === null || facts.properties === undefined) return value
  const known = new Map(Object.entries(facts.properties as Record<string, Facts>))
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, part]) => {
      const described = known.get(name)
      return described === undefined ? [] : [[name, describedParts(described, part)]]
    }),
  )
}

/** What an answer has in another way than the description: its status, a type, a choice, a part that is missing. */
export function replyMismatches({ status, reply }: Operation, answered: HttpReply): readonly string[] {
  if (answered.status !== status) return [`HTTP ${answered.status} in the place of ${status}`]
  if (reply === undefined) return []
  const value = parse(String(answered.body))
  return [...mismatches(reply, value).wrong, ...missingParts(reply, value)]
}

/** Names of a record, or of the first record of a list, that the provider always gives. */
function missingParts(facts: Facts, value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  const described = Object.entries((facts.properties ?? {}) as Record<string, Facts>)
  const lists = described.filter(([, part]) => part.type === 'array' && 'first_page_uri' in value)
  const inLists = lists.flatMap(([name, { items }]) => {
    const [first] = ((value as Record<string, unknown>)[name] ?? []) as unknown[]
    return first === undefined ? [] : missingParts(items as Facts, first)
  })
  return [
    ...described.filter(([name]) => !Object.hasOwn(value, name)).map(([name]) => `${name} is missing`),
    ...inLists,
  ]
}

function mismatches(facts: Facts, value: unknown, name = ''): Mismatches {
  const validator = validators.get(facts) ?? Schema.Compile(facts)
  validators.set(facts, validator)
  if (validator.Check(value)) return NOTHING_WRONG
  const unknown: string[] = []
  const wrong: string[] = []
  for (const { keyword, instancePath, message, params } of validator.Errors(value)[1]) {
    const place = [name, ...instancePath.split('/')].filter((part) => part !== '')
    const extra = (params as { additionalProperties?: readonly string[] }).additionalProperties
    if (keyword === 'additionalProperties') unknown.push(...(extra ?? []).map((each) => [...place, each].join('.')))
    else if (keyword !== 'boolean') wrong.push(`${place.join('.')} ${message}`)
  }
  return { unknown, wrong }
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}

import { Errors } from 'typebox/schema'
import { type Described, resolve } from './description.ts'

export interface Finding {
  /** `unknown` and `deprecated` are taken by the real one, and not meant by anybody. */
  readonly kind: 'missing' | 'wrong' | 'unknown' | 'deprecated'
  readonly place: readonly (string | number)[]
  readonly message: string
}

type Place = Finding['place']
type Json = Record<string, unknown>

/** Everything that the description has against a value: objects are closed, and what is required must be there. */
export function checkValue(schema: Described, value: unknown, place: Place = []): Finding[] {
  const described = resolve(schema)
  const branches = described.anyOf ?? described.oneOf
  if (branches !== undefined) return checkBranches(branches, value, place)
  const own = checkSelf(described, value, place)
  if (own.length > 0) return own
  if (Array.isArray(value)) {
    const { items } = described
    return items === undefined ? [] : value.flatMap((each, index) => checkValue(items, each, [...place, index]))
  }
  return isObject(value) ? checkObject(described, value, place) : []
}

/** The branch that a value is meant for has the fewest findings; one with another constant is not meant. */
function checkBranches(branches: readonly Described[], value: unknown, place: Place): Finding[] {
  const meant = branches.filter((branch) => !contradicts(resolve(branch), value))
  const found = (meant.length === 0 ? branches : meant).map((branch) => checkValue(branch, value, place))
  return found.reduce((best, findings) => (weigh(findings) < weigh(best) ? findings : best))
}

function weigh(findings: readonly Finding[]): number {
  const WRONG_WEIGHT = 1_000
  const isTaken = ({ kind }: Finding): boolean => kind === 'unknown' || kind === 'deprecated'
  return findings.reduce((sum, finding) => sum + (isTaken(finding) ? 1 : WRONG_WEIGHT), 0)
}

function contradicts({ properties = {}, type }: Described, value: unknown): boolean {
  if (type === 'null') return value !== null
  if (!isObject(value)) return false
  return Object.entries(properties).some(([name, { const: constant }]) => {
    return constant !== undefined && value[name] !== undefined && value[name] !== constant
  })
}

/** Type, choice, range and shape, without what is inside. */
function checkSelf(described: Described, value: unknown, place: Place): Finding[] {
  const { properties: _p, additionalProperties: _a, required: _r, items: _i, ...self } = described
  const [, errors] = Errors(self, value)
  const [first] = errors
  if (first !== undefined) return [{ kind: 'wrong', place, message: `Input ${first.message}` }]
  if (!described.deprecatedValues?.includes(String(value))) return []
  return [{ kind: 'deprecated', place, message: `${value} is deprecated` }]
}

function checkObject(described: Described, value: Json, place: Place): Finding[] {
  const { properties, additionalProperties, required = [] } = described
  const missing = required.filter((name) => value[name] === undefined)
  const findings: Finding[] = missing.map((name) => ({
    kind: 'missing',
    place: [...place, name],
    message: 'Field required',
  }))
  for (const [name, inner] of Object.entries(value)) {
    const schema = properties?.[name] ?? additionalProperties
    if (schema === undefined && properties === undefined) continue
    findings.push(...checkMember(schema, inner, [...place, name]))
  }
  return findings
}

function checkMember(schema: Described | boolean | undefined, value: unknown, place: Place): Finding[] {
  if (schema === true) return []
  if (schema === undefined || schema === false) {
    return [{ kind: 'unknown', place, message: `Unexpected key "${place.at(-1)}"` }]
  }
  const isDeprecated = schema.deprecated === true && value !== null
  const deprecated: Finding[] = isDeprecated ? [{ kind: 'deprecated', place, message: 'This field is deprecated' }] : []
  return [...deprecated, ...checkValue(schema, value, place)]
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

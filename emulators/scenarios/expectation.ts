import { isDeepStrictEqual } from 'node:util'
import type { ServiceApi, ServiceRecord, Where } from './service-api.ts'

/** A value that is right: itself, a pattern, a question, or what a list or an object must at least hold. */
export type Expected = unknown

/** What the service is to have written down when everything is over. */
export interface Expectation {
  readonly model: string
  readonly where: Where
  /** Whether only records count that came since the scenario began; else all, so that it can be played again. */
  readonly isNew: boolean
  readonly count: number
  readonly values: Readonly<Record<string, Expected>>
}

/** Exactly one new record of that kind, with these values. A link is compared by the name of what it leads to. */
export function one(model: string, where: Where, values: Readonly<Record<string, Expected>> = {}): Expectation {
  return { model, where, isNew: true, count: 1, values }
}

/** Exactly one record of that kind, from this time or an earlier one, with these values. */
export function theOnly(model: string, where: Where, values: Readonly<Record<string, Expected>> = {}): Expectation {
  return { model, where, isNew: false, count: 1, values }
}

/** That many new records of that kind, each with these values. */
export function several(
  count: number,
  model: string,
  where: Where,
  values: Readonly<Record<string, Expected>> = {},
): Expectation {
  return { model, where, isNew: true, count, values }
}

export function none(model: string, where: Where = {}): Expectation {
  return { model, where, isNew: true, count: 0, values: {} }
}

/** The newest ids before a scenario, by model. */
export type Marks = ReadonlyMap<string, number>

export async function markNewest(service: ServiceApi, expectations: readonly Expectation[]): Promise<Marks> {
  const models = [...new Set(expectations.map(({ model }) => model))]
  return new Map(await Promise.all(models.map(async (model) => [model, await service.newestId(model)] as const)))
}

/** What is not as expected, one sentence each. */
export async function checkExpectations(
  service: ServiceApi,
  expectations: readonly Expectation[],
  marks: Marks,
): Promise<string[]> {
  return (await Promise.all(expectations.map((each) => complaintsAbout(service, each, marks)))).flat()
}

async function complaintsAbout(service: ServiceApi, expectation: Expectation, marks: Marks): Promise<string[]> {
  const { model, where, isNew, count, values } = expectation
  const found = await service.search(
    model,
    [
      ['id', '>', isNew ? (marks.get(model) ?? 0) : 0],
      ...Object.entries(where).map(([field, value]) => [field, '=', value]),
    ],
    [...new Set([...Object.keys(where), ...Object.keys(values)])],
  )
  const what = `${model} ${JSON.stringify(where)}`
  if (found.length !== count) return [`there are ${found.length} ${isNew ? 'new ' : ''}records ${what}, not ${count}`]
  return found.flatMap((record) => differences(record, values).map((each) => `${what}: ${each}`))
}

function differences(record: ServiceRecord, values: Readonly<Record<string, Expected>>): string[] {
  return Object.entries(values).flatMap(([field, expected]) => {
    const actual = record[field]
    return isExpected(actual, expected) ? [] : [`${field} is ${JSON.stringify(actual)}, not ${describe(expected)}`]
  })
}

function isExpected(actual: unknown, expected: Expected): boolean {
  if (expected instanceof RegExp) return expected.test(String(actual ?? ''))
  if (typeof expected === 'function') return expected(actual) === true
  const isLink = Array.isArray(actual) && actual.length === 2 && typeof actual[1] === 'string'
  if (isLink && typeof expected === 'string') return actual[1] === expected
  return isDeepStrictEqual(actual, expected)
}

function describe(expected: Expected): string {
  if (expected instanceof RegExp) return String(expected)
  return typeof expected === 'function' ? `what ${expected.name || 'was asked for'}` : JSON.stringify(expected)
}

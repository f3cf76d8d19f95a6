import type { Env } from '../../src/platform/access/env.ts'
import type { Model, Row, Values } from '../../src/platform/model/model.ts'

const ENV = { identity: { isElevated: false } } as Env

/** What the checks of a model say of values that somebody writes; throws their first refusal. For checks that read nothing. */
export function checkValues({ checks = [] }: Model, values: Values, current?: Row): void {
  const after = { ...current, ...values }
  for (const { fields, require } of checks) {
    if (fields.some((field) => field in values)) void require({ env: ENV, values, after, current })
  }
}

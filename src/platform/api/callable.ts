import { type Static, type TObject, type TSchema, Type } from 'typebox'
import { Refusal } from '../../errors.ts'
import { INT_MAX } from '../../lenient-values.ts'
import type { Env, OpenEnv } from '../access/env.ts'
import type { Model } from '../model/model.ts'

/** How many are asked for at most; null leaves it open. */
export const Limit = Type.Union([Type.Integer({ minimum: 0, maximum: INT_MAX }), Type.Null()])

/** One callable of the API: its own arguments, and what it does with records `ids` of a model. */
export interface Callable {
  label: string
  args: TObject
  /** What a method of one model answers, where it says so. */
  reply?: TSchema | undefined
  execute(open: OpenEnv, model: Model, ids: number[], args: Record<string, never>): Promise<unknown>
}

type Run<Args extends TObject> = (env: Env, model: Model, ids: number[], args: Static<Args>) => Promise<unknown>

/** One that works in one transaction. */
export function callable<Args extends TObject>(label: string, args: Args, run: Run<Args>): Callable {
  const execute = (...[open, model, ids, given]: Parameters<Callable['execute']>) =>
    open((env) => run(env, model, ids, given as Static<Args>))
  return { label, args, execute }
}

/** One that only reads. */
export function reading<Args extends TObject>(label: string, args: Args, run: Run<Args>): Callable {
  const execute = (...[open, model, ids, given]: Parameters<Callable['execute']>) =>
    open((env) => run(env, model, ids, given as Static<Args>), { onlyReads: true })
  return { label, args, execute }
}

/** The ids of a call that is about records; refuses one that names none. */
export function requireIds(ids: number[]): number[] {
  if (ids.length === 0) throw new Refusal('refused', 'api-argument-ids-names-no-record')
  return ids
}

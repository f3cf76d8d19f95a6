import type { Env } from '../access/env.ts'
import type { Field } from './fields.ts'
import { type Change, type Model, type ModelDefinition, OWN_FIELDS } from './model.ts'

/** What one area adds to a model of another. */
export interface Extension {
  fields?: Record<string, Field>
  methods?: NonNullable<ModelDefinition['methods']>
  /** Completes what is about to be stored, after the model itself and the extensions before this one. */
  prepare?: ModelDefinition['prepare']
  /** What saving a record sets off too, in the same transaction, after the model's own and the extensions before this one. */
  onSave?(env: Env, change: Change): Promise<void>
  /** What removing records sets off too: before the model's own and the extensions before this one. */
  onRemove?(env: Env, ids: readonly number[]): Promise<void>
}

/** The model with what areas add to it, in this order. Throws when a field or a method is there already. */
export function extend(model: Model, ...extensions: readonly Extension[]): Model {
  return extensions.reduce(extendOnce, model)
}

function extendOnce(model: Model, { fields, methods, prepare, onSave, onRemove }: Extension): Model {
  const { prepare: prepareFirst, saved: savedFirst, removing: removingLast } = model
  const own = Object.entries(model.fields).filter(([name]) => !Object.hasOwn(OWN_FIELDS, name))
  return {
    ...model,
    fields: { ...withNew(model, 'field', Object.fromEntries(own), fields), ...OWN_FIELDS },
    methods: withNew(model, 'method', model.methods, methods),
    ...(prepare && {
      prepare: async (env, values, current) =>
        prepare(env, (await prepareFirst?.(env, values, current)) ?? values, current),
    }),
    ...(onSave && {
      async saved(env, change) {
        await savedFirst?.(env, change)
        await onSave(env, change)
      },
    }),
    ...(onRemove && {
      async removing(env, ids) {
        await onRemove(env, ids)
        await removingLast?.(env, ids)
      },
    }),
  }
}

function withNew<Each>(model: Model, kind: string, known: Record<string, Each> = {}, added: Record<string, Each> = {}) {
  const twice = Object.keys(added).find((name) => Object.hasOwn(known, name))
  if (twice !== undefined) throw new Error(`${model.name} has the ${kind} "${twice}" twice`)
  return { ...known, ...added }
}

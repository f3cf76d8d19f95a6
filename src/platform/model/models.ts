import { Refusal } from '../../errors.ts'
import { shown } from '../records/condition.ts'
import type { Field } from './fields.ts'
import type { Model } from './model.ts'

/** Every model of the service, by name. */
export class Models {
  readonly #byName: ReadonlyMap<string, Model>

  constructor(models: readonly Model[]) {
    this.#byName = new Map(models.map((model) => [model.name, model]))
  }

  [Symbol.iterator](): IterableIterator<Model> {
    return this.#byName.values()
  }

  /** Throws a refusal that names the model when there is none of that name. */
  get(name: string): Model {
    const model = this.#byName.get(name)
    if (model === undefined) throw new Refusal('not-found', `There is no model "${name}".`)
    return model
  }

  has(name: string): boolean {
    return this.#byName.has(name)
  }
}

/** The field, or a refusal that names it and its model. */
export function getField(model: Model, name: string): Field {
  const field = Object.hasOwn(model.fields, name) ? model.fields[name] : undefined
  if (field === undefined) throw new Refusal('refused', `The model ${model.name} has no field ${shown(name)}.`)
  return field
}

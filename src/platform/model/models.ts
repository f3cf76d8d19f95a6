import { Refusal } from '../../errors.ts'
import { shown } from '../records/condition.ts'
import type { Field } from './fields.ts'
import type { Model } from './model.ts'

/** The field, or a refusal that names it and its model. */
export function getField(model: Model, name: string): Field {
  const field = Object.hasOwn(model.fields, name) ? model.fields[name] : undefined
  if (field === undefined)
    throw new Refusal('refused', 'api-model-has-no-field', { model: model.name, name: shown(name) })
  return field
}

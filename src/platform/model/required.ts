import { Refusal } from '../../errors.ts'
import { anyOf, type Condition, type Domain } from '../records/domain-syntax.ts'
import type { Field } from './fields.ts'
import type { Model, Values } from './model.ts'
import type { Problems } from './problems.ts'
import { isBlankText } from './values.ts'

/** When a field has to be written: with each new record, while a domain on the record holds, or never. */
type RequiredWhen = 'creating' | Domain | undefined

/** When a value has to be sent, as `fields_get` says it. What the service fills by itself is never to be sent. */
export function requiredWhen(field: Field): RequiredWhen {
  const { requiredWhile, required, readonly, isCompleted } = field
  if (requiredWhile !== undefined) {
    return anyOf(
      requiredWhile.map(({ is }) => Object.entries(is).map(([name, value]): Condition => [name, '=', value])),
    )
  }
  const isFilled = readonly === true || isCompleted === true || field.default !== undefined
  return required === true && !isFilled ? 'creating' : undefined
}

/** Adds what a record lacks that its other values need; `after` is the record as it would be stored. */
export function gatherMissing(model: Model, after: Values, problems: Problems): void {
  for (const [name, { requiredWhile = [] }] of Object.entries(model.fields)) {
    if (requiredWhile.length === 0 || !isBlankText(after[name])) continue
    const found = requiredWhile.find(({ is }) =>
      Object.entries(is).every(
        ([other, value]) =>
          !problems.has(other) && (value === null ? isBlankText(after[other]) : after[other] === value),
      ),
    )
    if (found !== undefined)
      problems.add(name, new Refusal('refused', 'required-when', { model: model.name, name, says: found.says }))
  }
}

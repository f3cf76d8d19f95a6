import { type Field, isColumn } from '../model/fields.ts'
import type { Model } from '../model/model.ts'
import { uniqueIndexes } from '../records/duplicates.ts'

/** What a person reads beside a field: its own words, then every rule that its value has to follow; undefined without any. */
export function helpOf(model: Model, name: string, field: Field): string | undefined {
  const rules = [...(model.checks ?? []), ...(model.together === undefined ? [] : [model.together])]
    .filter(({ fields }) => fields.includes(name))
    .map(({ says }) => says)
  const needed = (field.requiredWhile ?? []).map(({ says }) => `Required ${says}.`)
  const sentences = [field.help, ...limitsOf(field), ...uniqueOf(model, name), ...needed, ...rules]
  return [...new Set(sentences)].filter((each) => each !== undefined).join(' ') || undefined
}

function limitsOf(field: Field): string[] {
  if (!isColumn(field) || field.readonly === true) return []
  const { pattern, min, max, maxLength } = field
  return [
    ...(pattern === undefined ? [] : [`Must be ${pattern.says}.`]),
    ...(min === undefined || max === undefined ? [] : [`From ${min} to ${max}.`]),
    ...(maxLength === undefined ? [] : [`At most ${maxLength} characters.`]),
  ]
}

function uniqueOf(model: Model, name: string): string[] {
  return uniqueIndexes(model)
    .filter(({ columns }) => columns.includes(name))
    .map(({ columns }) => {
      const others = columns.filter((each) => each !== name).map((each) => `"${each}"`)
      return others.length === 0
        ? 'No two records have the same.'
        : `No two records with the same ${others.join(' and ')} have the same.`
    })
}

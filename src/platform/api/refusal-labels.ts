import type { Models } from '../model/declaration.ts'

/** A model or a field as a sentence names it: `"name"`, `res.partner`, `res.partner.name`. */
const NAMED = /"([a-z]\w*)"|\b[a-z]+(?:\.[a-z]\w*)+/g
/** A refusal names fewer; one that was made of what somebody sent may have any number. */
const LABELS_MAX = 50

/** What the models and fields in some sentences are called by people, by the name that programs have for them. */
export function labelsIn(
  sentences: readonly string[],
  { models, model }: { models: Models; model: string | undefined },
): Record<string, string> {
  const names = sentences.flatMap((sentence) => [...sentence.matchAll(NAMED)].map(([whole, quoted]) => quoted ?? whole))
  const labels = [...new Set(names)].slice(0, LABELS_MAX).map((name) => [name, labelOf(name, models, model)] as const)
  return Object.fromEntries(labels.filter((each): each is [string, string] => each[1] !== undefined))
}

function labelOf(name: string, models: Models, called: string | undefined): string | undefined {
  if (models.has(name)) return models.get(name).label
  const dot = name.lastIndexOf('.')
  const [model, field] = dot === -1 ? [called, name] : [name.slice(0, dot), name.slice(dot + 1)]
  if (model === undefined || !models.has(model)) return undefined
  const { fields } = models.get(model)
  return Object.hasOwn(fields, field) ? fields[field]?.label : undefined
}

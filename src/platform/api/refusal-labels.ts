import type { Models } from '../model/declaration.ts'

/** A model or a field as a sentence names it: `"name"`, `res.partner`, `res.partner.name`. */
const NAMED = /"([a-z]\w*)"|\b[a-z]+(?:\.[a-z]\w*)+/g
/** A refusal names fewer; one that was made of what somebody sent may have any number. */
const LABELS_MAX = 50

/**
 * What the models and fields in some sentences are called by people, by the name that programs have for them. A field that a
 * sentence names alone is of the model that was called, or of one that the sentence names, such as that of a part of its record.
 */
export function labelsIn(
  sentences: readonly string[],
  { models, model }: { models: Models; model: string | undefined },
): Record<string, string> {
  const labels = sentences.flatMap((sentence) => {
    const names = [...sentence.matchAll(NAMED)].map(([whole, quoted]) => quoted ?? whole)
    const others = names.map((name) => name.slice(0, Math.max(0, name.lastIndexOf('.'))))
    return names.map((name) => [name, labelOf(name, models, [model ?? '', ...names, ...others])] as const)
  })
  const known = labels.filter((each): each is [string, string] => each[1] !== undefined)
  return Object.fromEntries([...new Map(known)].slice(0, LABELS_MAX))
}

function labelOf(name: string, models: Models, named: readonly string[]): string | undefined {
  if (models.has(name)) return models.get(name).label
  const dot = name.lastIndexOf('.')
  const field = name.slice(dot + 1)
  const owners = dot === -1 ? named : [name.slice(0, dot)]
  const owner = owners.find((each) => models.has(each) && Object.hasOwn(models.get(each).fields, field))
  return owner === undefined ? undefined : models.get(owner).fields[field]?.label
}

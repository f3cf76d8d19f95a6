export interface Change {
  field: string
  /** Before and after; undefined where the values are nobody's business. */
  values?: readonly [before: unknown, after: unknown]
}

/** When each secret was changed: the entry says so of the secret itself. */
const SECRET_TIMES = 'secrets_set'

/** What an entry of the audit says of each field: `[before, after]`, or a word instead of values that it does not keep. */
export function changesOf(changes: unknown): Change[] {
  if (typeof changes !== 'object' || changes === null) return []
  return Object.entries(changes)
    .filter(([field]) => field !== SECRET_TIMES)
    .map(([field, value]) =>
      Array.isArray(value) && value.length === 2 ? { field, values: [value[0], value[1]] } : { field },
    )
}

/** Whether a value says nothing: new records begin with many of them. */
export function isNothing(value: unknown): boolean {
  return value === null || value === undefined || value === '' || value === false || value === 0
}

/** The records that the changes of a model link to, by their models. */
export function linksOf(
  changes: readonly Change[],
  relationOf: (field: string) => string | undefined,
): [string, number][] {
  return changes.flatMap(({ field, values = [] }) => {
    const relation = relationOf(field)
    if (relation === undefined) return []
    return values.flatMap((value): [string, number][] => (typeof value === 'number' ? [[relation, value]] : []))
  })
}

/** Ids by their models, each once. */
export function byModel(records: Iterable<readonly [model: string, id: number]>): Map<string, number[]> {
  const found = new Map<string, Set<number>>()
  for (const [model, id] of records) found.set(model, (found.get(model) ?? new Set()).add(id))
  return new Map([...found].map(([model, ids]) => [model, [...ids].sort((one, other) => one - other)]))
}

/** A record by its kind and name; the names of some say their kind themselves, in the reader's words or in the English of the service. */
export function titleOf(
  kind: string,
  { english, name, id }: { english: string; name?: string | undefined; id: number },
): string {
  if (name === undefined || name === '') return `${kind} #${id}`
  const words = name.toLowerCase().split(/[\s-]+/)
  if (words.includes(kind.toLowerCase())) return name
  return `${kind} ${name.startsWith(`${english} `) ? name.slice(english.length + 1) : name}`
}

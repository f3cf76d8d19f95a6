import type { Json } from './schemas.ts'

/** A change of parts: objects are merged, everything else is replaced. */
export function merge(before: Json, changes: Json): Json {
  const merged = { ...before }
  for (const [name, value] of Object.entries(changes)) {
    const old = before[name]
    merged[name] = isObject(value) && isObject(old) ? merge(old, value) : value
  }
  return merged
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

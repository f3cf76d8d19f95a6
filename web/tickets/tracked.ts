/** What a post says that was changed, as the service tells it; pure. */
interface Change {
  field: string
  from: string
  to: string
}

const NOTHING = '–'

export function changesOf(post: object): Change[] {
  const changes: unknown = 'changes' in post ? post.changes : undefined
  const all: unknown[] = Array.isArray(changes) ? changes : []
  return all.flatMap((each) => {
    if (typeof each !== 'object' || each === null) return []
    const { label, field, from, to } = each as Record<string, unknown>
    return [{ field: shown(label ?? field), from: shown(from), to: shown(to) }]
  })
}

function shown(value: unknown): string {
  if (Array.isArray(value)) return shown(value[1])
  return value === null || value === undefined || value === '' ? NOTHING : String(value)
}

/** The strip of a call as the service stores it, made ready to be drawn; pure. */
export const STRIP_KINDS = ['ringing', 'menu', 'agent', 'person', 'voicemail'] as const
type PartKind = (typeof STRIP_KINDS)[number]

interface Part {
  kind: PartKind
  fromMs: number
  toMs: number
}
/** A call as a line: who was on it, one after the other, and where it broke. */
export interface Strip {
  parts: Part[]
  breaks: number[]
  lengthMs: number
}

/** What goes on lasts until now. What is no part of a strip is left out. */
export function readStrip(stored: unknown, sinceBeginMs: number): Strip {
  const known = Array.isArray(stored) ? stored.flatMap(readPart) : []
  const ends = known.map(({ fromMs, toMs }) => toMs ?? Math.max(fromMs, sinceBeginMs))
  const parts = known.flatMap(({ kind, fromMs, toMs }): Part[] => {
    const endMs = toMs ?? Math.max(fromMs, sinceBeginMs)
    return isKind(kind) && endMs > fromMs ? [{ kind, fromMs, toMs: endMs }] : []
  })
  const breaks = known.filter(({ kind }) => kind === 'broke').map(({ fromMs }) => fromMs)
  return { parts, breaks, lengthMs: Math.max(1, ...ends) }
}

interface StoredPart {
  kind: string
  fromMs: number
  toMs: number | undefined
}

function readPart(value: unknown): StoredPart[] {
  if (typeof value !== 'object' || value === null) return []
  const { kind, from_ms: from, to_ms: to } = value as Record<string, unknown>
  if (typeof kind !== 'string' || typeof from !== 'number') return []
  return [{ kind, fromMs: from, toMs: typeof to === 'number' ? to : undefined }]
}

function isKind(kind: string): kind is PartKind {
  return STRIP_KINDS.some((each) => each === kind)
}

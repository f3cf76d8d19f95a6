// What a storm measures, and what is promised of it.

/** Each in milliseconds; the words stand before the time. */
const WORDS = {
  listensMs: { promised: 'listens within', measured: 'listened after' },
  readyMs: { promised: 'ready again within', measured: 'ready again after' },
  refusedMs: { promised: 'refused within', measured: 'refused after' },
  workedOffMs: { promised: 'what came in meanwhile is worked off within', measured: 'worked off after' },
  takenUpMs: { promised: 'taken up within', measured: 'taken up after' },
  movedMs: { promised: 'callers are moved within', measured: 'callers moved after' },
  oldTokenMs: { promised: 'an old token works for at most', measured: 'an old token worked for' },
  removedMs: { promised: 'removed within', measured: 'removed after' },
  longestMs: { promised: 'an answer within', measured: 'longest answer' },
  callerMs: { promised: 'callers hear something within', measured: 'longest answer to a caller' },
} as const

type Figure = keyof typeof WORDS

/** The longest that each took, in milliseconds. */
export type Figures = Readonly<Partial<Record<Figure, number>>>

/** The longer of both, for each. */
export function longest(one: Figures, other: Figures): Figures {
  const names = [...namesIn(one), ...namesIn(other)]
  return Object.fromEntries(names.map((name) => [name, Math.max(one[name] ?? 0, other[name] ?? 0)]))
}

/** `ready again after 4.5 s`, each. */
export function renderMeasured(figures: Figures): string[] {
  return namesIn(figures).map((name) => `${WORDS[name].measured} ${seconds(figures[name] ?? 0)}`)
}

/** `ready again within 30 s`, each. */
export function renderPromised(limits: Figures): string[] {
  return namesIn(limits).map((name) => `${WORDS[name].promised} ${(limits[name] ?? 0) / MS_PER_SECOND} s`)
}

/** The limits that were not held, in words. */
export function brokenPromises(limits: Figures, measured: Figures): string[] {
  return namesIn(limits).flatMap((name) => {
    const [limit = 0, took = 0] = [limits[name], measured[name]]
    return took <= limit ? [] : [`${WORDS[name].measured} ${seconds(took)}, promised were ${limit / MS_PER_SECOND} s`]
  })
}

/** In the order of the table above, whatever order they were measured in. */
function namesIn(figures: Figures): Figure[] {
  return (Object.keys(WORDS) as Figure[]).filter((name) => figures[name] !== undefined)
}

/** `1.2 s`. */
export function seconds(ms: number): string {
  return `${(ms / MS_PER_SECOND).toFixed(1)} s`
}

const MS_PER_SECOND = 1_000

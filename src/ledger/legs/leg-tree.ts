/** Where a leg stands among the others. */
export interface LegLink {
  readonly sid: string
  readonly parentSid: string
}

/**
 * The sid of the leg that began the call of this leg, or undefined while a parent on the way up is not known yet:
 * such a leg belongs to no call until its parent arrives.
 */
export function rootOf(sid: string, legs: ReadonlyMap<string, LegLink>): string | undefined {
  const seen = new Set<string>()
  let leg = legs.get(sid)
  while (leg !== undefined && leg.parentSid !== '') {
    if (seen.has(leg.sid)) return undefined
    seen.add(leg.sid)
    leg = legs.get(leg.parentSid)
  }
  return leg?.sid
}

/** The legs of each call, by the sid of its first leg. Legs whose parent is not known yet are in none. */
export function groupByCall<Leg extends LegLink>(legs: Iterable<Leg>): Map<string, Leg[]> {
  const bySid = new Map([...legs].map((leg) => [leg.sid, leg]))
  const calls = new Map<string, Leg[]>()
  for (const leg of bySid.values()) {
    const rootSid = rootOf(leg.sid, bySid)
    if (rootSid === undefined) continue
    const call = calls.get(rootSid)
    if (call === undefined) calls.set(rootSid, [leg])
    else call.push(leg)
  }
  return calls
}

/**
 * From oldest to newest: the first leg of the call, then by the provider's time, then by sid. Legs of which no time is
 * known come last. Whoever saw which leg first plays no part.
 */
export function inOrder<Leg extends LegLink & { readonly startedAtMs: number | undefined }>(
  legs: Iterable<Leg>,
): Leg[] {
  return [...legs].sort(
    (a, b) => Number(a.parentSid !== '') - Number(b.parentSid !== '') || compareTimes(a, b) || (a.sid < b.sid ? -1 : 1),
  )
}

type Started = { readonly startedAtMs: number | undefined }

/** Negative when `a` began before `b`; zero when no time tells them apart. */
export function compareTimes(a: Started, b: Started): number {
  if (a.startedAtMs === b.startedAtMs) return 0
  if (a.startedAtMs === undefined) return 1
  if (b.startedAtMs === undefined) return -1
  return a.startedAtMs - b.startedAtMs
}

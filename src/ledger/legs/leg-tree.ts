/** Where a leg stands among the others. */
interface LegLink {
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

/**
 * Legs in groups that belong together as far as is known: one names the other as its parent, or they have one parent or one
 * call. `links` are such names that no leg has.
 */
export function groupRelated<Leg extends LegLink & { readonly callId?: number | undefined }>(
  legs: readonly Leg[],
  links: readonly LegLink[] = [],
): Leg[][] {
  const leaders = new Map<string, string>()
  const leaderOf = (key: string): string => {
    const next = leaders.get(key)
    return next === undefined ? key : leaderOf(next)
  }
  const join = (a: string, b: string): void => {
    const [from, into] = [leaderOf(a), leaderOf(b)]
    if (from !== into) leaders.set(from, into)
  }
  for (const { sid, parentSid } of [...legs, ...links]) if (parentSid !== '') join(sid, parentSid)
  for (const { sid, callId } of legs) if (callId !== undefined) join(sid, `call:${callId}`)
  return [...Map.groupBy(legs, ({ sid }) => leaderOf(sid)).values()]
}

/**
 * From oldest to newest: the first leg of the call, then by the provider's time, then by sid. Legs of which no time is
 * known come last. It plays no part which process saw which leg first.
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

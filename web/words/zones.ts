import { folded } from './folded.ts'

/** `America/New_York` as people read it. */
export function zoneName(zone: string): string {
  return zone.replaceAll('_', ' ')
}

/** Zones that have what is looked for in their name: "Zürich" finds Europe/Zurich, "new york" America/New_York. Cities that begin with it come first. */
export function zonesMatching(zones: readonly string[], wanted: string): string[] {
  const sought = plainly(wanted.trim())
  if (sought === '') return [...zones]
  const found = zones.filter((zone) => plainly(zone).includes(sought))
  const isCity = (zone: string) => plainly(zone.slice(zone.lastIndexOf('/') + 1)).startsWith(sought)
  return [...found.filter(isCity), ...found.filter((zone) => !isCity(zone))]
}

function plainly(text: string): string {
  return folded(text).replaceAll(/[/_]+/g, ' ')
}

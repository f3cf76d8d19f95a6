import { folded } from './folded.ts'
import { zoneCity, zoneName } from './zones.ts'

/**
 * Zones that have what is looked for in one of their names: "Zürich" finds Europe/Zurich, "new york" America/New_York, and "wien"
 * Europe/Vienna for those who read German. Cities that begin with it come first.
 */
export function zonesMatching(zones: readonly string[], wanted: string, language: string): string[] {
  const sought = plainly(wanted.trim())
  if (sought === '') return [...zones]
  const found = zones.filter((zone) => [zone, zoneName(zone, language)].some((name) => plainly(name).includes(sought)))
  const isCity = (zone: string) =>
    [zone.slice(zone.lastIndexOf('/') + 1), zoneCity(zone, language)].some((name) => plainly(name).startsWith(sought))
  return [...found.filter(isCity), ...found.filter((zone) => !isCity(zone))]
}

function plainly(text: string): string {
  return folded(text).replaceAll(/[/_]+/g, ' ')
}

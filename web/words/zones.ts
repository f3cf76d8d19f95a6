import { folded } from './folded.ts'

/** Areas and cities of time zones that are called otherwise in German. */
const GERMAN: Readonly<Record<string, string>> = {
  ...{ Africa: 'Afrika', America: 'Amerika', Asia: 'Asien', Atlantic: 'Atlantik', Australia: 'Australien' },
  ...{ Europe: 'Europa', Pacific: 'Pazifik', Athens: 'Athen', Belgrade: 'Belgrad', Brussels: 'Brüssel' },
  ...{ Bucharest: 'Bukarest', Busingen: 'Büsingen', Cairo: 'Kairo', Canary: 'Kanaren', Copenhagen: 'Kopenhagen' },
  ...{ Kiev: 'Kiew', Lisbon: 'Lissabon', Luxembourg: 'Luxemburg', Moscow: 'Moskau', Prague: 'Prag', Rome: 'Rom' },
  ...{ Singapore: 'Singapur', Tokyo: 'Tokio', Vienna: 'Wien', Warsaw: 'Warschau', Zurich: 'Zürich' },
}

/** `America/New_York` as people read it, in their language. */
export function zoneName(zone: string, language: string): string {
  return zone
    .split('/')
    .map((part) => partName(part, language))
    .join('/')
}

/** Its city alone. */
export function zoneCity(zone: string, language: string): string {
  return partName(zone.slice(zone.lastIndexOf('/') + 1), language)
}

function partName(part: string, language: string): string {
  const german = language.startsWith('de') ? GERMAN[part] : undefined
  return german ?? part.replaceAll('_', ' ')
}

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

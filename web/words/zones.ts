/** Areas and cities of time zones that are called otherwise in German. */
const GERMAN: Readonly<Record<string, string>> = {
  ...{ Africa: 'Afrika', America: 'Amerika', Asia: 'Asien', Atlantic: 'Atlantik', Australia: 'Australien' },
  ...{ Europe: 'Europa', Pacific: 'Pazifik', Athens: 'Athen', Belgrade: 'Belgrad', Brussels: 'Brüssel' },
  ...{ Bucharest: 'Bukarest', Busingen: 'Büsingen', Cairo: 'Kairo', Canary: 'Kanaren', Copenhagen: 'Kopenhagen' },
  ...{ Kiev: 'Kiew', Lisbon: 'Lissabon', Luxembourg: 'Luxemburg', Moscow: 'Moskau', Prague: 'Prag', Rome: 'Rom' },
  ...{ Singapore: 'Singapur', Tokyo: 'Tokio', Vienna: 'Wien', Warsaw: 'Warschau', Zurich: 'Zürich' },
  ...{ Addis_Ababa: 'Addis Abeba', Algiers: 'Algier', Antarctica: 'Antarktis', Arctic: 'Arktis', Azores: 'Azoren' },
  ...{ Baghdad: 'Bagdad', Calcutta: 'Kalkutta', Damascus: 'Damaskus', Faeroe: 'Färöer', Havana: 'Havanna' },
  ...{ Hong_Kong: 'Hongkong', Indian: 'Indischer Ozean', Mexico_City: 'Mexiko-Stadt', Riyadh: 'Riad' },
  ...{ Taipei: 'Taipeh', Tehran: 'Teheran', Tirane: 'Tirana', Tripoli: 'Tripolis', Vatican: 'Vatikan' },
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

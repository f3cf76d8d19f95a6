import { groupNumbersBy } from './formats.ts'
import { sayAnew } from './words.ts'

/** Safari has no idle callback; a moment after the first paint does as well. */
const SOON_MS = 1_000

/** Loads what numbers of every country look like, once the page has nothing better to do. */
export function groupNumbers(): void {
  const load = async (): Promise<void> => {
    const { parsePhoneNumberFromString } = await import('libphonenumber-js/min')
    groupNumbersBy((number) => parsePhoneNumberFromString(number)?.formatInternational())
    sayAnew()
  }
  // Where it cannot be loaded, numbers stay as they are.
  setTimeout(() => void load().catch(() => undefined), SOON_MS)
}

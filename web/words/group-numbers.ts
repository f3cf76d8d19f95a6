import { groupNumbersBy } from './formats.ts'
import { sayAnew } from './words.ts'

/** As long as the first page waits for it: on a slow line it is shown before. */
const WAITED_MAX_MS = 200

/** Loads what numbers of every country look like; settles when numbers are written so, or soon. */
export function groupNumbers(): Promise<void> {
  const load = async (): Promise<void> => {
    const { parsePhoneNumberFromString } = await import('libphonenumber-js/min')
    groupNumbersBy((number) => parsePhoneNumberFromString(number)?.formatInternational())
    sayAnew()
  }
  // Where it cannot be loaded, numbers stay as they are.
  const loaded = load().catch(() => undefined)
  return Promise.race([loaded, new Promise<void>((resolve) => setTimeout(resolve, WAITED_MAX_MS))])
}

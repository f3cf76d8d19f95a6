/** How the code of pages is fetched: ahead of the first click, and again when the service was away. */
import { startFacts } from './start.ts'

const FIRST_PAUSE_MS = 500
const PAUSE_MAX_MS = 5_000
/** Asked anew that often while the service answers and a part still does not come. */
const TRIES_MAX = 3
/** Where the browser cannot say when it is idle. */
const IDLE_MS = 2_000
const RELOADED = 'connect.reloaded'

/** What fetching code needs of the browser. */
export interface Surroundings {
  pause: (ms: number) => Promise<void>
  /** Whether the service answers. */
  isThere: () => Promise<boolean>
  /** Loads the whole page anew; false when that was done for this address and build already. */
  reload: () => boolean
}

const BROWSER: Surroundings = {
  pause,
  isThere: () =>
    fetch('/healthz', { cache: 'no-store' }).then(
      ({ ok }) => ok,
      () => false,
    ),
  reload: () => {
    const once = location.href + startFacts().build
    if (sessionStorage.getItem(RELOADED) === once) return false
    sessionStorage.setItem(RELOADED, once)
    location.reload()
    return true
  },
}

/** Waits so long. */
export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

/** Whether a part of the page's code did not come, as browsers say it. */
export function isCodeMissing(error: unknown): boolean {
  return (
    error instanceof Error &&
    /dynamically imported module|module script failed|preload CSS|error loading module/i.test(error.message)
  )
}

/**
 * A part of the page's code. While the service is away it is waited for, so that the page keeps its skeleton; when the service
 * is there and the part is not, as after an upgrade, the page is loaded anew, once.
 */
export async function fetched<Part>(load: () => Promise<Part>, around: Surroundings = BROWSER): Promise<Part> {
  let tries = 0
  let wait = FIRST_PAUSE_MS
  const again = async (error: unknown): Promise<Part> => {
    if (!isCodeMissing(error)) throw error
    if (await around.isThere()) tries += 1
    if (tries >= TRIES_MAX) {
      if (around.reload()) return new Promise(() => undefined)
      throw error
    }
    await around.pause(wait)
    wait = Math.min(wait * 2, PAUSE_MAX_MS)
    return load().catch(again)
  }
  return load().catch(again)
}

/**
 * Fetches parts one after the other whenever the browser has nothing else to do; the first that does not come ends it. Nothing is
 * fetched for a person whose browser is to save data.
 */
export async function fetchAhead(parts: readonly (() => Promise<unknown>)[]): Promise<void> {
  if (savesData()) return
  try {
    for (const part of parts) {
      await idle()
      await part()
    }
  } catch {
    // It is fetched when it is opened.
  }
}

/** Whether the person has asked their browser to save data; those that cannot be asked (Network Information API) do not tell. */
function savesData(): boolean {
  return (navigator as { connection?: { saveData?: boolean } }).connection?.saveData === true
}

/** Waits until the browser has nothing else to do. */
export function idle(): Promise<void> {
  return new Promise((resolve) => {
    if ('requestIdleCallback' in window) requestIdleCallback(() => resolve())
    else setTimeout(resolve, IDLE_MS)
  })
}

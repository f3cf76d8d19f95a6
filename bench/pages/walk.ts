// How smoothly the list of calls is walked through with a held arrow: every frame that the browser draws meanwhile.
import { loadavg } from 'node:os'
import type { Page } from 'playwright-core'
import { openBrowser } from '../../tests/support/browser.ts'
import { percentile } from '../meter.ts'
import { startService } from '../sides.ts'
import type { Company } from './company.ts'
import { pageIsBuilt } from './page-is-built.ts'

const ROWS = 200
/** As often as a held key repeats. */
const REPEAT_MS = 33
const ROUNDS = 5
const SMOOTH_MS = 50
const PAGE_MAX_MS = 60_000

/** What one walk through the rows took. */
interface Walk {
  framesMs: number[]
  /** Work of the page that kept the browser from anything else, of more than 50 ms each. */
  longTasksMs: number[]
}

/** Walks through the newest calls as often as it takes to know, and says how long frames were. */
export async function measureWalk({ environment, people }: Company): Promise<string> {
  const [boss] = people
  if (boss === undefined) throw new Error('nobody is there to look')
  const service = await startService({ ...environment, PAGE: 'on' })
  const browser = await openBrowser({ isWhole: true }).catch(async (error: unknown) => {
    await service.stop()
    throw error
  })
  try {
    await pageIsBuilt(service.address)
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, locale: 'en-GB' })
    const [name = '', value = ''] = boss.cookie.split('=')
    await context.addCookies([{ name, value, url: service.address }])
    const page = await context.newPage()
    page.setDefaultTimeout(PAGE_MAX_MS)
    const lines: string[] = []
    for (let round = 1; round <= ROUNDS; round += 1) {
      await page.goto(`${service.address}/calls`)
      await page.locator('[data-row="0"]').focus()
      lines.push(lineOf(round, await walk(page)))
    }
    return [`${ROWS} rows, a key every ${REPEAT_MS} ms; machine load ${loadNow()}`, ...lines].join('\n')
  } finally {
    await browser.close()
    await service.stop()
  }
}

async function walk(page: Page): Promise<Walk> {
  await page.evaluate(watchFrames)
  const isThere = () => page.evaluate(() => Number(document.activeElement?.getAttribute('data-row')))
  while ((await isThere()) < ROWS) {
    await page.keyboard.down('ArrowDown')
    await new Promise((resolve) => setTimeout(resolve, REPEAT_MS))
  }
  await page.keyboard.up('ArrowDown')
  return page.evaluate(framesSeen)
}

function lineOf(round: number, { framesMs, longTasksMs }: Walk): string {
  const sorted = framesMs.toSorted((a, b) => a - b)
  const late = sorted.filter((ms) => ms > SMOOTH_MS).length
  const longest = (sorted.at(-1) ?? Number.NaN).toFixed(0)
  const [half, most] = [percentile(sorted, 50).toFixed(0), percentile(sorted, 99).toFixed(0)]
  return `round ${round}: ${sorted.length} frames, p50 ${half} ms, p99 ${most} ms, longest ${longest} ms, ${late} over ${SMOOTH_MS} ms; ${longTasksMs.length} long tasks`
}

interface Watched {
  frames: Walk
  isOver: boolean
}

/** Runs in the page: notes how far each frame is from the one before. */
function watchFrames(): void {
  const watched: Watched = { frames: { framesMs: [], longTasksMs: [] }, isOver: false }
  Object.assign(window, { watched })
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) watched.frames.longTasksMs.push(duration)
  }).observe({ type: 'longtask' })
  let last = performance.now()
  const frame = (now: number): void => {
    if (watched.isOver) return
    watched.frames.framesMs.push(now - last)
    last = now
    requestAnimationFrame(frame)
  }
  requestAnimationFrame((now) => {
    last = now
    requestAnimationFrame(frame)
  })
}

/** Runs in the page. */
function framesSeen(): Walk {
  const { watched } = window as unknown as { watched: Watched }
  watched.isOver = true
  return watched.frames
}

function loadNow(): string {
  return (loadavg()[0] ?? Number.NaN).toFixed(1)
}

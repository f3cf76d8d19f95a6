// How soon a page shows what was just committed, while the webhooks of a busy hour arrive; alone, and beside 200 open streams.
import { loadavg } from 'node:os'
import type { Browser } from 'playwright-core'
import { openBrowser } from '../../tests/support/browser.ts'
import { Load, type LoadResult } from '../load.ts'
import { median, percentile } from '../meter.ts'
import { type Side, startService } from '../sides.ts'
import { Audience } from './audience.ts'
import type { Company } from './company.ts'
import { CallProbe, type Seen } from './live-probe.ts'
import { pageIsBuilt } from './page-is-built.ts'

const ROUTES = ['callstatus']
const PER_SECOND = 100
const CONNECTIONS = 64
const WARM_UP_SECONDS = 10
const MEMORY_SECONDS = 10
const PROBE_SECONDS = 30
const STREAMS = 200
/** One person has at most 20 streams open. */
const PEOPLE = [10, STREAMS]
const MEMORY_EVERY_MS = 500
const PERCENTS = [50, 95, 99]

interface Parts {
  company: Company
  service: Side
  browser: Browser
  /** Sends webhooks at the steady rate for so long; each is about a new call. */
  storm(seconds: number): Promise<LoadResult>
}

/** From the webhook to the frame that shows it, and what open streams cost in memory. */
export async function measureLive(company: Company): Promise<string> {
  const service = await startService({ ...company.environment, PAGE: 'on' })
  const load = new Load()
  // Numbers that no earlier run on a database that was kept has used.
  let first = Date.now() % 1_000_000_000
  const order = { addresses: service.addresses, routes: ROUTES, loaded: company.loaded, connections: CONNECTIONS }
  const storm = async (seconds: number): Promise<LoadResult> => {
    const result = await load.run({ ...order, seconds, first, requestsPerSecond: PER_SECOND })
    first = result.next
    return result
  }
  let browser: Browser | undefined
  try {
    await pageIsBuilt(service.address)
    browser = await openBrowser({ isWhole: true })
    return await measure({ company, service, browser, storm })
  } finally {
    await browser?.close()
    load.stop()
    await service.stop()
  }
}

async function measure(parts: Parts): Promise<string> {
  const { service, storm } = parts
  await storm(WARM_UP_SECONDS)
  const lines = await shownSoon('no other stream', parts)
  const alone = await memoryUnder(service, storm(MEMORY_SECONDS))
  lines.push(`memory under load without streams: ${alone} MB`)
  for (const people of PEOPLE) lines.push(...(await besideStreams(people, parts)))
  const after = await memoryUnder(service, storm(MEMORY_SECONDS))
  return [...lines, `memory under load when they are closed: ${after} MB`].join('\n')
}

async function besideStreams(people: number, parts: Parts): Promise<string[]> {
  const { company, service, storm } = parts
  const audience = await Audience.open(service.address, company.audience.slice(0, people), STREAMS)
  try {
    const lines = await shownSoon(`${audience.size} streams of ${people} people who see their own`, parts)
    const memory = await memoryUnder(service, storm(MEMORY_SECONDS))
    return [...lines, `memory under load with them: ${memory} MB; they heard ${audience.heard} events`]
  } finally {
    audience.close()
  }
}

/** One person has Now open, another the calls of one number; a call of that number rings and ends, again and again. */
async function shownSoon(beside: string, { company, service, browser, storm }: Parts): Promise<string[]> {
  const probe = await CallProbe.open(browser, service.address, company)
  try {
    let isOver = false
    const busy = storm(PROBE_SECONDS).finally(() => {
      isOver = true
    })
    const all: Seen[] = []
    while (!isOver) all.push(...(await probe.ringAndEnd()))
    const { latenciesMs, failed } = await busy
    const shown = [...Map.groupBy(all, ({ where }) => where)].flatMap(([where, seen]) => [
      `  ${where}: since its webhook was sent ${spread(seen.map((one) => one.sinceSentMs))} (${seen.length} changes)`,
      `  ${where}: since that was answered, after the commit ${spread(seen.map((one) => one.sinceAnsweredMs))}`,
    ])
    const lines = [`${beside}; webhooks ${spread(latenciesMs)}, ${failed} failed; machine load ${loadNow()}`, ...shown]
    process.stderr.write(`${lines.join('\n')}\n`)
    return lines
  } finally {
    await probe.close()
  }
}

/** Resident memory of the service meanwhile, in MB. */
async function memoryUnder(service: Side, work: Promise<unknown>): Promise<number> {
  const all: number[] = []
  const timer = setInterval(() => all.push(service.memoryMb()), MEMORY_EVERY_MS)
  await work.finally(() => clearInterval(timer))
  return median(all)
}

function spread(allMs: number[]): string {
  const sorted = allMs.toSorted((a, b) => a - b)
  const shown = PERCENTS.map((percent) => `p${percent} ${percentile(sorted, percent).toFixed(0)} ms`)
  return `${shown.join(', ')}, slowest ${(sorted.at(-1) ?? Number.NaN).toFixed(0)} ms`
}

function loadNow(): string {
  return (loadavg()[0] ?? Number.NaN).toFixed(1)
}

// What a webhook waits for while people browse a large company: the deliveries of a busy hour, and people at their pages.
import { Load } from '../load.ts'
import { percentile } from '../meter.ts'
import { startService } from '../sides.ts'
import { callsQuestions, exportQuestion, openCallQuestions } from './calls-questions.ts'
import type { Company } from './company.ts'
import type { Person } from './company-data.ts'
import { ask, type Question } from './question.ts'
import type { MeasureOptions } from './run.ts'

const ROUTES = ['callstatus', 'message', 'gather', 'search_tickets', 'conversation_initiation', 'number']
const CONNECTIONS = 64
const SECONDS = 40
const WARM_UP_SECONDS = 4
const WAIT_MAX_MS = 250
const PERCENTS = [50, 95, 99]

interface Asked {
  name: string
  ms: number
}

/** Answers to webhooks at a steady rate: alone, and beside everything that people ask, export and open. */
export async function measureBrowsing(company: Company, { only, perSecond, people }: MeasureOptions): Promise<string> {
  const browsing = company.people.slice(0, people)
  const service = await startService(company.environment)
  const load = new Load()
  const order = { addresses: service.addresses, routes: ROUTES, loaded: company.loaded, connections: CONNECTIONS }
  // Numbers that no earlier run on a database that was kept has used.
  const first = Date.now() % 1_000_000_000
  try {
    const warm = await load.run({ ...order, seconds: WARM_UP_SECONDS, first, requestsPerSecond: perSecond })
    const alone = await load.run({ ...order, seconds: SECONDS, first: warm.next, requestsPerSecond: perSecond })
    const end = performance.now() + SECONDS * 1_000
    const [beside, ...browsed] = await Promise.all([
      load.run({ ...order, seconds: SECONDS, first: alone.next, requestsPerSecond: perSecond }),
      ...browsing.map((person) => browse(service.address, person, { until: end, only })),
    ])
    const asked = browsed.flat().sort((one, other) => other.ms - one.ms)
    const late = beside.latenciesMs.filter((ms) => ms > WAIT_MAX_MS).length
    return [
      `alone: ${spread(alone.latenciesMs)}; ${alone.failed} failed`,
      `while ${browsing.length} people browse: ${spread(beside.latenciesMs)}; ${beside.failed} failed`,
      `${late} of ${beside.latenciesMs.length} waited longer than ${WAIT_MAX_MS} ms; people asked ${asked.length} questions, the slowest:`,
      ...asked.slice(0, 10).map(({ name, ms }) => `  ${ms.toFixed(0)} ms  ${name}`),
    ].join('\n')
  } finally {
    load.stop()
    await service.stop()
  }
}

async function browse(
  address: string,
  person: Person,
  { until, only }: { until: number; only: string },
): Promise<Asked[]> {
  const newest = await newestSeen(address, person)
  const all = [...callsQuestions(newest, new Date()), ...openCallQuestions(newest)].filter(({ name }) =>
    name.includes(only),
  )
  const asked: Asked[] = []
  for (let nth = 0; performance.now() < until; nth += 1) {
    const question = nth % all.length === all.length - 1 ? exportQuestion(newest) : all[nth % all.length]
    if (question === undefined) break
    const { ms, status } = await ask(address, person, question)
    asked.push({ name: `${person.login}: ${question.name}, ${status}`, ms })
  }
  return asked
}

async function newestSeen(address: string, person: Person): Promise<number> {
  const newest: Question = { name: 'newest', path: '/json/2/connect.call/search', args: { domain: [], limit: 1 } }
  const { body } = await ask(address, person, newest)
  return (JSON.parse(body) as number[])[0] ?? 0
}

function spread(latenciesMs: number[]): string {
  const sorted = latenciesMs.toSorted((a, b) => a - b)
  const shown = PERCENTS.map((percent) => `p${percent} ${percentile(sorted, percent).toFixed(0)} ms`)
  return `${shown.join(', ')}, slowest ${(sorted.at(-1) ?? Number.NaN).toFixed(0)} ms`
}

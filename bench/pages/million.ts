// Calls with very many rows: how long the service takes for what its pages ask, for people who may read all or little.
import { startService } from '../sides.ts'
import { callsQuestions } from './calls-questions.ts'
import type { Company } from './company.ts'
import { ask, type Question, type Timed, time } from './question.ts'

const WARM_UP_TIMES = 2
const P95_MAX_MS = 300
const NAME_CHARS = 44
const FIGURE_CHARS = 8

/** Asks everything as everybody, and gives a table with the slowest first. */
export async function measureMillion(
  company: Company,
  { times, only }: { times: number; only: string },
): Promise<string> {
  const service = await startService(company.environment)
  const all: Timed[] = []
  try {
    for (const person of company.people) {
      for (const question of callsQuestions(await newestCall(service.address, company), new Date())) {
        if (!question.name.includes(only)) continue
        for (let nth = 0; nth < WARM_UP_TIMES; nth += 1) await ask(service.address, person, question)
        const timed = await time(service.address, person, question, times)
        all.push(timed)
        process.stderr.write(`${shown(timed)}\n`)
      }
    }
  } finally {
    await service.stop()
  }
  all.sort((one, other) => other.p95 - one.p95)
  const slow = all.filter(({ p95, answer }) => p95 >= P95_MAX_MS || /^[45]/.test(answer))
  const verdict = `${all.length - slow.length} of ${all.length} questions are answered within ${P95_MAX_MS} ms (p95 of ${times})`
  return [verdict, '', row('', 'p50', 'p95', 'slowest', ''), ...all.map(shown)].join('\n')
}

async function newestCall(address: string, { people }: Company): Promise<number> {
  const [boss] = people
  if (boss === undefined) throw new Error('nobody is there to ask')
  const newest: Question = { name: 'newest', path: '/json/2/connect.call/search', args: { domain: [], limit: 1 } }
  const { status, body } = await ask(address, boss, newest)
  if (status !== 200) throw new Error(`the newest call is not known: ${status} ${body}`)
  return (JSON.parse(body) as number[])[0] ?? 0
}

function shown({ who, name, p50, p95, slowest, answer }: Timed): string {
  return row(`${who}: ${name}`, p50.toFixed(0), p95.toFixed(0), slowest.toFixed(0), answer)
}

function row(name: string, p50: string, p95: string, slowest: string, answer: string): string {
  const figures = [p50, p95, slowest].map((figure) => figure.padStart(FIGURE_CHARS)).join('')
  return `${name.padEnd(NAME_CHARS)}${figures}  ${answer}`
}

// `npm run bench`: the service next to a bare loop that does the same SQL, on both databases. See docs/developing.md.
//
//   npm run bench -- [--embedded] [--postgres] [--routes a,b] [--seconds 4] [--rounds 3] [--connections 32]
//                    [--rate 100] [--calls 100000] [--contacts 20000] [--tickets 40000]
//                    [--json file] [--profile folder]
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { type BenchDatabases, prepareEmbedded, prepareServer } from './databases.ts'
import { Load } from './load.ts'
import type { DataSize } from './load-data.ts'
import { type DatabaseReport, measure, type Plan } from './measure.ts'
import { renderReport } from './report.ts'
import { getRoute, ROUTES } from './routes.ts'

const WARM_UP_SECONDS = 2
const PACED_SECONDS = 10

const { values: options } = parseArgs({
  options: {
    embedded: { type: 'boolean', default: false },
    postgres: { type: 'boolean', default: false },
    routes: { type: 'string' },
    seconds: { type: 'string', default: '4' },
    rounds: { type: 'string', default: '3' },
    connections: { type: 'string', default: '32' },
    rate: { type: 'string', default: '100' },
    calls: { type: 'string', default: '100000' },
    contacts: { type: 'string', default: '20000' },
    tickets: { type: 'string', default: '40000' },
    json: { type: 'string' },
    profile: { type: 'string' },
  },
})

const size: DataSize = {
  calls: Number(options.calls),
  contacts: Number(options.contacts),
  tickets: Number(options.tickets),
}
const plan: Plan = {
  routes: options.routes === undefined ? ROUTES : options.routes.split(',').map(getRoute),
  connections: Number(options.connections),
  seconds: Number(options.seconds),
  rounds: Number(options.rounds),
  warmUpSeconds: WARM_UP_SECONDS,
  pacedPerSecond: Number(options.rate),
  pacedSeconds: PACED_SECONDS,
  profileFolder: options.profile,
}

await main()

async function main(): Promise<void> {
  const load = new Load()
  const reports: DatabaseReport[] = []
  try {
    if (options.embedded || !options.postgres) reports.push(await measureOn(() => prepareEmbedded(size), load))
    if (options.postgres || !options.embedded) {
      const databases = await prepareServer(size)
      if (databases === undefined) say('PostgreSQL is left out: none was found, and DATABASE_URL is not set.')
      else reports.push(await measureOn(async () => databases, load))
    }
  } finally {
    load.stop()
  }
  console.log(`\n${renderReport(reports, plan, size)}`)
  if (options.json !== undefined) writeFileSync(options.json, `${JSON.stringify({ size, reports }, null, 2)}\n`)
  if (reports.some(({ problems }) => problems.length > 0)) process.exitCode = 1
}

async function measureOn(prepare: () => Promise<BenchDatabases>, load: Load): Promise<DatabaseReport> {
  say(`loading ${size.calls} calls, ${size.contacts} contacts and ${size.tickets} tickets`)
  const databases = await prepare()
  try {
    return await measure(databases, plan, load, say)
  } finally {
    await databases.remove()
  }
}

/** Progress goes where it does not mix with the report. */
function say(text: string): void {
  process.stderr.write(`... ${text}\n`)
}

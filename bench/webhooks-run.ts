// The service next to a loop that only verifies and keeps deliveries, on both databases. See docs/developing.md.
//
//   npm run bench -- [--embedded] [--postgres] [--routes a,b] [--seconds 4] [--rounds 3] [--connections <number>]
//                    [--processes 1] [--rate <per second>] [--calls 100000] [--contacts 20000] [--tickets 40000]
//                    [--compare-empty] [--picture file] [--json file] [--profile folder]
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { compareLedgers, type LedgerSize } from './compare-ledgers.ts'
import { type BenchDatabases, prepareEmbedded, prepareServer } from './databases.ts'
import { drawLatency } from './latency-picture.ts'
import { Load } from './load.ts'
import type { DataSize } from './load-data.ts'
import { type DatabaseReport, measure, type Plan } from './measure.ts'
import { renderReport } from './report.ts'
import { getRoute, ROUTES } from './routes.ts'

/**
 * V8 goes on compiling what is hot for as long: in a process under load a report of a call takes 0.24 ms at first and 0.17 after twenty seconds. A
 * service runs for days, and of loops that do little everything is compiled at once.
 */
const WARM_UP_SECONDS = 12
const PACED_SECONDS = 10
/**
 * So many callers wait for their answer at once: with fewer PostgreSQL and the process wait for each other on two processors, a fifth
 * of which is idle with 64, and the embedded engine does one thing at a time anyway. With more, answers take longer and are hardly more.
 */
const CONNECTIONS = { embedded: 32, PostgreSQL: 80 }
const PACED_PER_SECOND = { embedded: 100, PostgreSQL: 200 }
/** As good as none, but a request about a call that is known has one to be about. */
const CALLS_OF_EMPTY = 1_000

const { values: options } = parseArgs({
  options: {
    embedded: { type: 'boolean', default: false },
    postgres: { type: 'boolean', default: false },
    routes: { type: 'string' },
    seconds: { type: 'string', default: '4' },
    rounds: { type: 'string', default: '3' },
    connections: { type: 'string' },
    processes: { type: 'string', default: '1' },
    rate: { type: 'string' },
    calls: { type: 'string', default: '100000' },
    contacts: { type: 'string', default: '20000' },
    tickets: { type: 'string', default: '40000' },
    'compare-empty': { type: 'boolean', default: false },
    picture: { type: 'string' },
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
  connections:
    options.connections === undefined
      ? CONNECTIONS
      : { embedded: Number(options.connections), PostgreSQL: Number(options.connections) },
  seconds: Number(options.seconds),
  rounds: Number(options.rounds),
  processes: Number(options.processes),
  warmUpSeconds: WARM_UP_SECONDS,
  pacedPerSecond:
    options.rate === undefined
      ? PACED_PER_SECOND
      : { embedded: Number(options.rate), PostgreSQL: Number(options.rate) },
  pacedSeconds: PACED_SECONDS,
  withLatency: options.picture !== undefined,
  profileFolder: options.profile,
}

await main()

async function main(): Promise<void> {
  const load = new Load()
  const reports: DatabaseReport[] = []
  try {
    if (options.embedded || !options.postgres) reports.push(...(await measureOn(prepareEmbedded, load)))
    if (options.postgres || !options.embedded) {
      const measured = await measureOn(prepareServer, load)
      if (measured.length === 0) say('PostgreSQL is left out: none was found, and DATABASE_URL is not set.')
      reports.push(...measured)
    }
  } finally {
    load.stop()
  }
  console.log(`\n${renderReport(reports, plan, size)}`)
  if (options.picture !== undefined) writeFileSync(options.picture, drawLatency(reports))
  if (options.json !== undefined) writeFileSync(options.json, `${JSON.stringify({ size, reports }, null, 2)}\n`)
  if (reports.some(({ problems }) => problems.length > 0)) process.exitCode = 1
}

type Prepare = (size: DataSize, name?: string) => Promise<BenchDatabases | undefined>

/** The report of one kind of database; none when there is no such database. */
async function measureOn(prepare: Prepare, load: Load): Promise<DatabaseReport[]> {
  say(`loading ${size.calls} calls, ${size.contacts} contacts and ${size.tickets} tickets`)
  const full = await prepare(size)
  if (full === undefined) return []
  try {
    const report = await measure(full, plan, load, say)
    if (options['compare-empty']) report.ledgerSizes = await compareWithEmpty(prepare, full, load)
    return [report]
  } finally {
    await full.remove()
  }
}

async function compareWithEmpty(prepare: Prepare, full: BenchDatabases, load: Load): Promise<LedgerSize[]> {
  const { contacts, tickets } = size
  const empty = await prepare({ calls: CALLS_OF_EMPTY, contacts, tickets }, 'connect_bench_empty')
  if (empty === undefined) return []
  try {
    return await compareLedgers({ empty, full }, plan, { load, say })
  } finally {
    await empty.remove()
  }
}

/** Progress goes where it does not mix with the report. */
function say(text: string): void {
  process.stderr.write(`... ${text}\n`)
}

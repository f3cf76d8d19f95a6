// `npm test`: every check there is, ending in the line `N passed, N failed`. A test runs once, on PostgreSQL where it is found;
// what depends on the kind of the database runs on the embedded one as well.
//
//   npm test -- [--embedded] [--postgres] [what vitest takes: files, -t name]
import { type ChildProcess, spawn } from 'node:child_process'
import { rmSync } from 'node:fs'
import path from 'node:path'
import { hashOfBuilt, hashOfSources } from '../src/app/page/source-hash.ts'
import { findPostgresBinaries, makeFastFolder, readServerVersion, startPostgres } from './support/postgres-server.ts'
import { addTallies, FAILED, NOTHING, readReport, type Tally, tallyOf } from './support/test-report.ts'

const BIOME = 'node_modules/@biomejs/biome/bin/biome'
const TSC = 'node_modules/typescript/bin/tsc'
const VITEST = 'node_modules/vitest/vitest.mjs'
const PAGE_BUILDER = 'scripts/build-page.ts'
const MODELS_WRITER = 'scripts/make-web-models.ts'
const POSTGRES_MISSING =
  'no PostgreSQL 15 or newer was found on this machine: install it (Debian: apt-get install postgresql) or set DATABASE_URL'
const ONCE = 'PGlite: tests/conformance (each of them ran on PostgreSQL; with CI=true they run on both)'

type Arguments = { embedded: boolean; postgres: boolean; filters: string[] }
type Ended = { code: number; output: string }
type Print = (text: string) => void
/** `name` stands before its tests where they are listed; `isWhole` when no filter was given; `only` is that of vitest.config.ts. */
type Suite = {
  name: string
  database: string
  filters: string[]
  isWhole: boolean
  only?: Only | undefined
  print: Print
}
type Only = 'of-a-database' | 'beside-a-server' | 'beside-embedded'
type Server = { url: string } | ReturnType<typeof findPostgresBinaries>

const root = path.dirname(import.meta.dirname)
const folder = makeFastFolder('connect-tests-')
const running = new Set<ChildProcess>()

process.on('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }))
process.once('SIGINT', () => abandon(130))
process.once('SIGTERM', () => abandon(143))

await main(parseArguments(process.argv.slice(2)))

async function main({ embedded, postgres, filters }: Arguments): Promise<void> {
  const startedAt = performance.now()
  if (filters.length > 0) console.log(`\nOnly the tests that match: ${filters.join(' ')}`)
  const server = postgres ? findServer() : undefined
  // Once, or each file that opens it would build it.
  if (hashOfBuilt() !== hashOfSources()) await run([PAGE_BUILDER])
  // All at once, because much of a suite is waiting.
  const tallies = await inOrder([
    runStaticChecks,
    (print) => (embedded ? runOnEmbedded(filters, server, print) : notAsked('PGlite (embedded)', print)),
    (print) => (postgres ? runOnPostgres({ filters, embedded }, server, print) : notAsked('PostgreSQL', print)),
  ])
  const total = addTallies(tallies)
  const [, ...suites] = tallies
  if (suites.every(({ passed, failed }) => passed + failed === 0)) {
    console.log('\nNo test was run.')
    total.failed += 1
  }
  conclude(total, startedAt)
}

function findServer(): Server {
  const given = process.env.DATABASE_URL
  return given ? { url: given } : findPostgresBinaries()
}

async function notAsked(title: string, print: Print): Promise<Tally> {
  print(`\n== tests on ${title}: not asked for\n`)
  return NOTHING
}

/** Does everything at once and shows what each prints as if it were done one after the other. */
async function inOrder(parts: ((print: Print) => Promise<Tally>)[]): Promise<Tally[]> {
  const kept = parts.map((): string[] => [])
  let shown = 0
  const underway = parts.map((part, at) =>
    runPart(part, (text) => (at === shown ? void process.stdout.write(text) : void kept[at]?.push(text))),
  )
  const tallies: Tally[] = []
  for (const each of underway) {
    tallies.push(await each)
    shown += 1
    process.stdout.write(kept[shown]?.join('') ?? '')
  }
  return tallies
}

function parseArguments(given: string[]): Arguments {
  const asked = (option: string) => given.includes(option)
  const both = asked('--embedded') === asked('--postgres')
  return {
    embedded: both || asked('--embedded'),
    postgres: both || asked('--postgres'),
    filters: given.filter((argument) => argument !== '--embedded' && argument !== '--postgres'),
  }
}

/** What could not even be run has failed. */
async function runPart(part: (print: Print) => Promise<Tally>, print: Print): Promise<Tally> {
  try {
    return await part(print)
  } catch (error) {
    print(`\nFAILED: ${messageOf(error)}\n`)
    return FAILED
  }
}

async function runStaticChecks(print: Print): Promise<Tally> {
  const models = timed(() => run([MODELS_WRITER]))
  const checks = [
    { title: 'format and lint (Biome)', check: timed(() => run([BIOME, 'check', '--error-on-warnings'])) },
    { title: 'types of the models, written for the page', check: models },
    { title: 'types (tsc)', check: models.then(() => timed(() => run([TSC, '-p', '.']))) },
    { title: 'types of the page (tsc)', check: models.then(() => timed(() => run([TSC, '-p', 'web']))) },
  ]
  const tallies: Tally[] = []
  for (const { title, check } of checks) {
    const { code, output, seconds } = await check
    print(`\n== ${title}\n`)
    if (code !== 0) print(`${output.trimEnd()}\n`)
    print(`${code === 0 ? 'passed' : `FAILED with exit code ${code}`} in ${seconds} s\n`)
    tallies.push(code === 0 ? { ...NOTHING, passed: 1 } : FAILED)
  }
  return addTallies(tallies)
}

async function runOnEmbedded(filters: string[], server: Server, print: Print): Promise<Tally> {
  const isWhole = filters.length === 0
  const only = server === undefined ? undefined : 'beside-a-server'
  const suite = { name: 'PGlite', database: 'embedded', filters, isWhole, only, print } as const
  const tally = await runSuite('PGlite (embedded)', suite)
  const isLeftOut = only !== undefined && isWhole && process.env.CI !== 'true'
  return isLeftOut ? addTallies([tally, { ...NOTHING, skipped: [ONCE] }]) : tally
}

async function runOnPostgres(
  { filters, embedded }: Pick<Arguments, 'filters' | 'embedded'>,
  server: Server,
  print: Print,
): Promise<Tally> {
  const only = embedded ? ('beside-embedded' as const) : undefined
  const suite = { name: 'PostgreSQL', filters, isWhole: filters.length === 0, only, print }
  if (server === undefined) return reportMissingPostgres(print)
  try {
    if ('url' in server) {
      const version = await readServerVersion(server.url)
      return await runSuite(`PostgreSQL ${version} (DATABASE_URL)`, { ...suite, database: server.url })
    }
    const started = await startPostgres(server)
    try {
      const title = `PostgreSQL ${started.version} (throwaway server from ${server.folder})`
      return await runSuite(title, { ...suite, database: started.url })
    } finally {
      await started.stop()
    }
  } catch (error) {
    const fault = 'url' in server ? 'DATABASE_URL does not answer: ' : ''
    print(`\n== tests on PostgreSQL\nFAILED: ${fault}${messageOf(error)}\n`)
    return FAILED
  }
}

function reportMissingPostgres(print: Print): Tally {
  const mustRun = process.env.CI === 'true'
  print(`\n== tests on PostgreSQL\n${mustRun ? 'FAILED' : 'SKIPPED'}: ${POSTGRES_MISSING}.\n`)
  if (mustRun) return FAILED
  return { ...NOTHING, skipped: ['PostgreSQL: every test (no server was found)'] }
}

async function runSuite(title: string, suite: Suite): Promise<Tally> {
  const { name, database, filters, print, only } = suite
  print(`\n== tests on ${title}\n`)
  if (only === 'beside-a-server') print('(the tests that say the same on PostgreSQL run there)\n')
  const report = path.join(folder, `${name}.json`)
  const env = {
    ...suiteEnvironment(),
    TEST_DATABASE: database,
    TEST_REPORT: report,
    TEST_FOLDER: folder,
    ...(only && { TEST_ONLY: only }),
  }
  const { code, seconds } = await timed(() => run([VITEST, 'run', ...filters], { env, print }))
  const tally = tallyOf(readReport(report), name)
  // An error outside every test, or a crash, shows in the exit code only.
  if (code !== 0 && tally.failed === 0) {
    print(`vitest ended with exit code ${code} though no test failed: an error outside the tests, or a crash.\n`)
    tally.failed = 1
  }
  if (tally.passed + tally.failed === 0 && suite.isWhole) {
    print('FAILED: no test was run.\n')
    tally.failed = 1
  }
  print(`${tally.passed} passed and ${tally.failed} failed in ${seconds} s\n`)
  return tally
}

// What a person has set for the service or for psql must not reach the tests.
function suiteEnvironment(): NodeJS.ProcessEnv {
  const isForeign = (name: string) => name === 'DATABASE_URL' || name === 'NODE_ENV' || /^PG[A-Z]+$/.test(name)
  const kept = Object.fromEntries(Object.entries(process.env).filter(([name]) => !isForeign(name)))
  return process.stdout.isTTY ? kept : { ...kept, NO_COLOR: '1' }
}

function conclude({ passed, failed, skipped }: Tally, startedAt: number): void {
  console.log(`\n== result after ${secondsSince(startedAt)} s`)
  if (skipped.length > 0) console.log(['Skipped:', ...skipped.map((name) => `  ${name}`)].join('\n'))
  const rest = skipped.length > 0 ? [`${skipped.length} skipped`] : []
  console.log([`${passed} passed`, `${failed} failed`, ...rest].join(', '))
  process.exitCode = failed > 0 ? 1 : 0
}

/** Runs a Node program of ours on this very Node; its output is collected, or printed as it comes. */
async function run(args: string[], options: { env?: NodeJS.ProcessEnv; print?: Print } = {}): Promise<Ended> {
  const { env = process.env, print } = options
  const child = spawn(process.execPath, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] })
  running.add(child)
  const collected: string[] = []
  const take = print ?? ((text: string) => void collected.push(text))
  // Errors go where everything goes, or a reader of both streams would find them after the closing line.
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', take)
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, signal) => {
      running.delete(child)
      if (signal) take(`\nended by ${signal}\n`)
      resolve({ code: code ?? 1, output: collected.join('') })
    })
  })
}

async function timed(work: () => Promise<Ended>): Promise<Ended & { seconds: string }> {
  const startedAt = performance.now()
  const ended = await work()
  return { ...ended, seconds: secondsSince(startedAt) }
}

function secondsSince(startedAt: number): string {
  return ((performance.now() - startedAt) / 1000).toFixed(1)
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message || error.name : String(error)
}

// The throwaway server ends by itself when this process is gone.
function abandon(exitCode: number): void {
  for (const child of running) child.kill('SIGTERM')
  process.exit(exitCode)
}

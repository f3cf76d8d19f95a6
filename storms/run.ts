// `npm run storms`: every storm in turn over real processes, and what was lost, doubled or wrong in each.
import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { type Blown, isWeathered, renderBlown, renderSummary } from './report.ts'
import { type Storm, type StormDatabase, StormSkipped } from './storm.ts'
import { STORMS } from './storms.ts'

const DEFAULT_MINUTES = 10
const NIGHT_MINUTES = 8 * 60
/** By night a round has so many times the kills, rows, callers and time of one by day. */
const NIGHT_SIZE = 4
const MS_PER_MINUTE = 60_000
const USAGE = `npm run storms                    every storm, about ${DEFAULT_MINUTES} minutes
  --night                         rounds ${NIGHT_SIZE} times as large, about ${NIGHT_MINUTES / 60} hours
  --minutes <n>                   about so long
  --times <n>                     each until something was broken so often, however long it takes
  --only <name>[,<name>]          only these
  --on <database>                 only on this one: embedded or PostgreSQL
  --list                          their names`

const { values } = parseArgs({
  options: {
    night: { type: 'boolean', default: false },
    minutes: { type: 'string' },
    times: { type: 'string' },
    only: { type: 'string' },
    on: { type: 'string' },
    list: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})

/** How long the storms blow. */
interface Length {
  minutes: number
  times?: number | undefined
}

process.exitCode = await main()

async function main(): Promise<number> {
  if (values.help) return say(USAGE)
  const names = values.only?.split(',') ?? STORMS.filter(({ isLittle }) => isLittle !== true).map(({ name }) => name)
  const minutes = Number(values.minutes ?? (values.night ? NIGHT_MINUTES : DEFAULT_MINUTES))
  const times = values.times === undefined ? undefined : Number(values.times)
  const problem = findProblem(names, { minutes, times })
  if (problem !== undefined) {
    say(`${problem}\n${USAGE}`)
    return 2
  }
  const storms = STORMS.filter(({ name }) => names.includes(name))
  if (values.list) return say(storms.map(({ name, breaks }) => `${name}: ${breaks}`).join('\n'))
  return blowAll(storms, { minutes, times })
}

function findProblem(names: readonly string[], { minutes, times = 1 }: Length): string | undefined {
  const unknown = names.filter((name) => !STORMS.some((storm) => storm.name === name))
  if (unknown.length > 0) return `There is no storm called ${unknown.join(', ')}.`
  const isBlown = STORMS.some((storm) => names.includes(storm.name) && databasesOf(storm).length > 0)
  if (!isBlown) return `None of these storms blows over a database called ${values.on}.`
  if (!(minutes > 0)) return 'minutes should be a number above 0.'
  return Number.isInteger(times) && times > 0 ? undefined : 'times should be a whole number above 0.'
}

async function blowAll(storms: readonly Storm[], { minutes, times }: Length): Promise<number> {
  const turns = storms.flatMap((storm) => databasesOf(storm).map((database) => ({ storm, database })))
  const loads = [load()]
  const all: Blown[] = []
  for (const { storm, database } of turns) {
    const blown = await blow(storm, database, { lastsMs: (minutes * MS_PER_MINUTE) / turns.length, times })
    say(renderBlown(blown))
    all.push(blown)
    loads.push(load())
  }
  say(`\n${describeMachine(loads)} Lost, doubled or wrong, of how many:\n\n${renderSummary(all)}\n`)
  const failures = all.filter((blown) => !isWeathered(blown))
  if (failures.length === 0) return say('Every storm was weathered.')
  say(`${failures.length} of ${turns.length} storms did damage, or broke a promise:`)
  for (const blown of failures) say(renderBlown(blown))
  return 1
}

function databasesOf({ on }: Storm): StormDatabase[] {
  return on.filter((database) => values.on === undefined || values.on === database)
}

function describeMachine(loads: readonly number[]): string {
  const [before = 0] = loads
  const processors = os.availableParallelism()
  const warning = before > processors ? ' It is busy with other work, so times say little.' : ''
  return `This machine has ${processors} processors; its load was ${before} before, and up to ${Math.max(...loads)}.${warning}`
}

/** Of the last minute, by everything on this machine. */
function load(): number {
  return Math.round(os.loadavg()[0] ?? 0)
}

async function blow(
  storm: Storm,
  database: StormDatabase,
  { lastsMs, times }: { lastsMs: number; times: number | undefined },
): Promise<Blown> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'connect-storm-'))
  const stops: (() => unknown)[] = []
  const afterwards = (stop: () => unknown): void => void stops.push(stop)
  const began = performance.now()
  const done = (tally: Blown['tally']): Blown => ({ storm, database, tookMs: performance.now() - began, tally })
  const size = values.night ? NIGHT_SIZE : 1
  try {
    return done(await storm.blow({ database, folder, endsAtMs: began + lastsMs, times, size, afterwards }))
  } catch (error) {
    if (error instanceof StormSkipped) return done({ isSkipped: true, because: error.message })
    const because = error instanceof Error ? (error.stack ?? error.message) : String(error)
    return done({ isSkipped: false, because })
  } finally {
    for (const stop of stops.reverse()) await Promise.resolve(stop()).catch(() => undefined)
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 })
  }
}

function say(text: string): number {
  process.stdout.write(`${text}\n`)
  return 0
}

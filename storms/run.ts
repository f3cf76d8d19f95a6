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
  --only <name>[,<name>]          only these
  --list                          their names`

const { values } = parseArgs({
  options: {
    night: { type: 'boolean', default: false },
    minutes: { type: 'string' },
    only: { type: 'string' },
    list: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})

process.exitCode = await main()

async function main(): Promise<number> {
  if (values.help) return say(USAGE)
  const names = values.only?.split(',') ?? STORMS.filter(({ isLittle }) => isLittle !== true).map(({ name }) => name)
  const minutes = Number(values.minutes ?? (values.night ? NIGHT_MINUTES : DEFAULT_MINUTES))
  const problem = findProblem(names, minutes)
  if (problem !== undefined) {
    say(`${problem}\n${USAGE}`)
    return 2
  }
  const storms = STORMS.filter(({ name }) => names.includes(name))
  if (values.list) return say(storms.map(({ name, breaks }) => `${name}: ${breaks}`).join('\n'))
  return blowAll(storms, minutes)
}

function findProblem(names: readonly string[], minutes: number): string | undefined {
  const unknown = names.filter((name) => !STORMS.some((storm) => storm.name === name))
  if (unknown.length > 0) return `There is no storm called ${unknown.join(', ')}.`
  return minutes > 0 ? undefined : 'minutes should be a number above 0.'
}

async function blowAll(storms: readonly Storm[], minutes: number): Promise<number> {
  const turns = storms.flatMap((storm) => storm.on.map((database) => ({ storm, database })))
  const loads = [load()]
  const all: Blown[] = []
  for (const { storm, database } of turns) {
    const blown = await blow(storm, database, (minutes * MS_PER_MINUTE) / turns.length)
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

async function blow(storm: Storm, database: StormDatabase, lastsMs: number): Promise<Blown> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'connect-storm-'))
  const stops: (() => unknown)[] = []
  const afterwards = (stop: () => unknown): void => void stops.push(stop)
  const began = performance.now()
  const done = (tally: Blown['tally']): Blown => ({ storm, database, tookMs: performance.now() - began, tally })
  const size = values.night ? NIGHT_SIZE : 1
  try {
    return done(await storm.blow({ database, folder, endsAtMs: began + lastsMs, size, afterwards }))
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

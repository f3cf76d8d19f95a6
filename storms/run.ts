// `npm run storms`: every storm in turn over real processes, and what was lost, doubled or wrong in each.
import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { type Storm, StormSkipped, type Tally } from './storm.ts'
import { STORMS } from './storms.ts'

const DEFAULT_MINUTES = 10
const NIGHT_MINUTES = 8 * 60
const MS_PER_MINUTE = 60_000
const USAGE = `npm run storms                    every storm, about ${DEFAULT_MINUTES} minutes
  --night                         about ${NIGHT_MINUTES / 60} hours
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
  let failures = 0
  for (const { storm, database } of turns) {
    const isFine = await blow(storm, database, (minutes * MS_PER_MINUTE) / turns.length)
    if (!isFine) failures += 1
  }
  say(failures === 0 ? 'Every storm was weathered.' : `${failures} of ${turns.length} storms did damage.`)
  return failures === 0 ? 0 : 1
}

/** Whether it did no damage; one that this machine does not allow did none. */
async function blow(storm: Storm, database: Storm['on'][number], lastsMs: number): Promise<boolean> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'connect-storm-'))
  const stops: (() => unknown)[] = []
  const afterwards = (stop: () => unknown): void => void stops.push(stop)
  const name = `${storm.name} (${database})`
  const began = performance.now()
  try {
    const tally = await storm.blow({ database, folder, lastsMs, afterwards })
    const seconds = Math.round((performance.now() - began) / 1_000)
    say(`${name}: ${tell(tally)}; ${seconds} s`)
    return tally.lost + tally.doubled + tally.wrong === 0
  } catch (error) {
    if (error instanceof StormSkipped) say(`${name}: skipped, because ${error.message}`)
    else say(`${name}: broke off: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`)
    return error instanceof StormSkipped
  } finally {
    for (const stop of stops.reverse()) await Promise.resolve(stop()).catch(() => undefined)
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 })
  }
}

function tell({ lost, doubled, wrong, of, remark }: Tally): string {
  return `lost ${lost}, doubled ${doubled}, wrong ${wrong} of ${of}${remark === undefined ? '' : ` (${remark})`}`
}

function say(text: string): number {
  process.stdout.write(`${text}\n`)
  return 0
}

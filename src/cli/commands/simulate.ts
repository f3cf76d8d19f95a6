import path from 'node:path'
import { Argument, InvalidArgumentError, Option } from 'commander'
import { ServiceRefusal } from '../../app/own-api/connection.ts'
import type { CommandEnv, CommandRow } from '../command.ts'
import {
  announceScenarios,
  chosenFaults,
  describeReport,
  type FaultChoices,
  loadSimulation,
  refusingAsCommand,
  type ScenarioReport,
} from '../emulators.ts'
import { findLocalService, type LocalService, readProviders } from '../service/local-service.ts'
import { parseWhole } from '../terminal/arguments.ts'
import type { Output } from '../terminal/output.ts'
import { simulateCallCommand } from './simulate-call.ts'

interface Options extends FaultChoices {
  list?: boolean
  seed: number
  pace: number
}

const ALL = 'all'
/** What both providers hold between two commands, in DATA_DIR. */
export const SIMULATED_STATE_FILE = 'simulated-providers.json'
const SEED_DEFAULT = 1
const PACE_SECONDS_MAX = 10
const MS_PER_SECOND = 1_000
const LOOPBACK = /^http:\/\/(?:127\.0\.0\.1|localhost):(\d+)$/

export const PACE = new Option(
  '--pace <seconds>',
  'how long a second on the phone takes: 1 as in life, 0 without waiting',
)
  .argParser(parsePace)
  .default(0)

export function simulateCommand(): CommandRow {
  return {
    usage: 'simulate',
    about: 'play whole calls with the running service, between emulators for both providers',
    arguments: [new Argument('[scenario...]', 'names of scenarios, or all')],
    options: [
      new Option('--list', 'which scenarios there are'),
      new Option('--duplicate', 'half of all reports come twice'),
      new Option('--shuffle', 'half of all reports are overtaken by later ones'),
      new Option('--delay', 'half of all reports come much later'),
      new Option(
        '--drop',
        'half of all reports never come: the ledger cannot be complete, and what is missing is told',
      ),
      new Option('--forge', 'half of all reports come with a forged one beside them'),
      new Option('--seed <number>', 'the same seed makes the same faults').argParser(parseWhole).default(SEED_DEFAULT),
      PACE,
    ],
    rows: [simulateCallCommand()],
    async run(env, names: string[], options: Options) {
      if (options.list === true) return listScenarios(env.output)
      if (names.length === 0) env.refuseUsage("error: name a scenario, or 'all'; --list tells which there are")
      await play(env, namesOf(names), options)
    },
  }
}

/** What was named; undefined are all of them. */
export function namesOf(names: readonly string[]): readonly string[] | undefined {
  return names.includes(ALL) ? undefined : names
}

function parsePace(text: string): number {
  const seconds = Number(text)
  if (text.trim() !== '' && seconds >= 0 && seconds <= PACE_SECONDS_MAX) return seconds
  throw new InvalidArgumentError(`It should be a number from 0 to ${PACE_SECONDS_MAX}.`)
}

async function listScenarios(output: Output): Promise<void> {
  const { findScenarios } = await loadSimulation()
  const scenarios = findScenarios(undefined).map(({ name, title }) => ({ name, title }))
  output.rows(scenarios, ['name', 'title'])
}

async function play(
  { config: { dataDir }, output }: CommandEnv,
  names: readonly string[] | undefined,
  options: Options,
): Promise<void> {
  const { findScenarios, startSimulation } = await loadSimulation()
  await refusingAsCommand(async () => findScenarios(names))
  const { address: serviceUrl, key, ...ports } = await requireService(dataDir)
  const faults = await chosenFaults(options, options.seed)
  const stateFile = path.join(dataDir, SIMULATED_STATE_FILE)
  const simulation = await refusingAsCommand(() =>
    startSimulation({ ...ports, ...faults, stateFile, paceMs: options.pace * MS_PER_SECOND }),
  )
  try {
    const onReport = (report: ScenarioReport): void => output.say(describeReport(report))
    const onBegin = announceScenarios(options.pace, output)
    const reports = await refusingAsCommand(() => simulation.play({ serviceUrl, key, names, onBegin, onReport }))
    const failed = reports.filter(({ complaints }) => complaints.length > 0).length
    output.done(`${reports.length - failed} of ${reports.length} scenarios went well.`, reports)
    if (failed > 0) throw new Error(`${failed} of ${reports.length} scenarios failed.`)
  } finally {
    await simulation.stop()
  }
}

/** The running service, and the ports at which it looks for the providers. */
async function requireService(dataDir: string): Promise<LocalService & { telcoPort: number; voiceaiPort: number }> {
  const service = await findLocalService({ dataDir })
  if (service === undefined) throw await refusal(`No service runs on ${dataDir}.`)
  const providers = readProviders({ dataDir })
  const telcoPort = portIn(providers?.telcoBaseUrl)
  const voiceaiPort = portIn(providers?.voiceaiBaseUrl)
  if (telcoPort !== undefined && voiceaiPort !== undefined) return { ...service, telcoPort, voiceaiPort }
  throw await refusal(`The service at ${service.address} was not started with the addresses of the emulators.`)
}

function portIn(baseUrl: string | null | undefined): number | undefined {
  const [, port] = LOOPBACK.exec(baseUrl ?? '') ?? []
  return port === undefined ? undefined : Number(port)
}

async function refusal(why: string): Promise<ServiceRefusal> {
  const { serviceEnvironment } = await loadSimulation()
  const variables = Object.entries(serviceEnvironment()).map(([name, value]) => `${name}=${value}`)
  return new ServiceRefusal(
    409,
    [
      `${why} Start one with TELCO_BASE_URL and VOICEAI_BASE_URL set to this machine, on a data folder of its own:`,
      `  export DATA_DIR=simulated-data`,
      `  ${variables.join(' ')} API_URL=https://connect.example.com npm start`,
      'and simulate with the same DATA_DIR in another terminal. `connect demo` does all of it in one command.',
    ].join('\n'),
  )
}

import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import type { FaultOptions } from './faults.ts'
import type { Problem } from './problems.ts'
import { SCENARIOS } from './scenarios/catalogue.ts'
import { prepareService } from './scenarios/prepare.ts'
import { runScenario, type Scenario, type ScenarioReport } from './scenarios/scenario.ts'
import { ServiceApi } from './scenarios/service-api.ts'
import { type Emulators, type EmulatorsSnapshot, startEmulators } from './start.ts'

/** Ports of the stand-ins unless somebody chooses others. */
export const TELCO_PORT = 4010
export const VOICEAI_PORT = 4020

export interface SimulateOptions {
  /** Where the service listens; it must have been started with the base addresses of the stand-ins. */
  readonly serviceUrl: string
  /** API key of an administrator, such as the one in `DATA_DIR/local-admin.key`. */
  readonly key: string
  readonly telcoPort?: number
  readonly voiceaiPort?: number
  /** Names of scenarios; all of them when left out. */
  readonly names?: readonly string[]
  readonly faults?: FaultOptions
  /** How many real milliseconds a second on the phone takes; 0, the default, does not wait at all. */
  readonly paceMs?: number
  /** Where both providers keep what they hold, so that the next run finds it again; nothing is kept when left out. */
  readonly stateFile?: string
  readonly onReport?: (report: ScenarioReport) => void
  readonly onProblem?: (problem: Problem) => void
}

/** Base addresses with which the service is started, so that it talks to the stand-ins: for its environment. */
export function serviceEnvironment({
  telcoPort = TELCO_PORT,
  voiceaiPort = VOICEAI_PORT,
}: Pick<SimulateOptions, 'telcoPort' | 'voiceaiPort'> = {}): { TELCO_BASE_URL: string; VOICEAI_BASE_URL: string } {
  return {
    TELCO_BASE_URL: `http://127.0.0.1:${telcoPort}`,
    VOICEAI_BASE_URL: `http://127.0.0.1:${voiceaiPort}`,
  }
}

/** The scenarios with these names; throws for a name that nobody knows. */
export function findScenarios(names: readonly string[] | undefined): readonly Scenario[] {
  if (names === undefined) return SCENARIOS
  return names.map((name) => {
    const scenario = SCENARIOS.find((each) => each.name === name)
    if (scenario !== undefined) return scenario
    throw new Error(`there is no scenario ${name}: ${SCENARIOS.map((each) => each.name).join(', ')}`)
  })
}

/** Starts both stand-ins, sets the running service up with them, and plays scenarios with it. */
export async function simulate(options: SimulateOptions): Promise<ScenarioReport[]> {
  const scenarios = findScenarios(options.names)
  const service = new ServiceApi({ url: options.serviceUrl, key: options.key })
  const emulators = await startFor(service, options)
  try {
    await prepareService(service, emulators)
    const reports: ScenarioReport[] = []
    for (const scenario of scenarios) {
      const report = await runScenario(scenario, { ...emulators, service })
      options.onReport?.(report)
      reports.push(report)
    }
    return reports
  } finally {
    if (options.stateFile !== undefined) writeState(options.stateFile, emulators.snapshot())
    await emulators.stop()
  }
}

function readState(file: string): EmulatorsSnapshot | undefined {
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as EmulatorsSnapshot) : undefined
}

/** It holds credentials, if only emulated ones. */
function writeState(file: string, snapshot: EmulatorsSnapshot): void {
  writeFileSync(file, JSON.stringify(snapshot), { mode: 0o600 })
}

async function startFor(service: ServiceApi, options: SimulateOptions): Promise<Emulators> {
  const { faults, paceMs, onProblem, telcoPort = TELCO_PORT, voiceaiPort = VOICEAI_PORT } = options
  const settings = await service.find('connect.settings', {}, ['api_url'])
  const publicUrl = settings?.api_url
  if (typeof publicUrl !== 'string' || !publicUrl.startsWith('https://')) {
    throw new Error(
      'the service needs a public https address (api_url); any will do, such as https://connect.example.com',
    )
  }
  return startEmulators({
    restore: options.stateFile === undefined ? undefined : readState(options.stateFile),
    telco: { port: telcoPort },
    voiceai: { port: voiceaiPort },
    service: { publicUrl, deliverTo: options.serviceUrl },
    ...(faults === undefined ? {} : { faults }),
    ...(paceMs === undefined ? {} : { paceMs }),
    ...(onProblem === undefined ? {} : { onProblem }),
  })
}

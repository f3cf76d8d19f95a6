import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import type { FaultOptions } from './faults.ts'
import type { Problem } from './problems.ts'
import { SCENARIOS } from './scenarios/catalogue.ts'
import { prepareService } from './scenarios/prepare.ts'
import { runScenario, type Scenario, type ScenarioReport } from './scenarios/scenario.ts'
import { ServiceApi } from './scenarios/service-api.ts'
import type { ServiceAddress } from './service-link.ts'
import { type Emulators, type EmulatorsOptions, type EmulatorsSnapshot, startEmulators } from './start.ts'
import type { TelcoEmulatorOptions } from './telco/start.ts'

/** Ports of the emulators unless somebody chooses others. */
export const TELCO_PORT = 4010
export const VOICEAI_PORT = 4020

/**
 * How long all scenarios take on the phone, at most. Without a pace they are played in seconds; so they begin that much
 * earlier, and nothing that is read afterwards lies in the future.
 */
const ALL_SCENARIOS_MS = 15 * 60_000

/** What some countries want of who buys a number there. */
const PAPERS: Pick<TelcoEmulatorOptions, 'addresses' | 'bundles'> = {
  addresses: [
    { name: 'Head office', country: 'CH' },
    { name: 'Berlin office', country: 'DE' },
  ],
  bundles: [{ name: 'German papers', country: 'DE', kind: 'local' }],
}

/** Where the service listens, and an API key of an administrator, such as the one in `DATA_DIR/local-admin.key`. */
export interface ServiceAccess {
  readonly serviceUrl: string
  readonly key: string
}

export interface SimulationOptions {
  /** The ports above unless told otherwise; 0 takes a free one. */
  readonly telcoPort?: number
  readonly voiceaiPort?: number
  readonly faults?: FaultOptions
  /** How many real milliseconds a second on the phone takes; 0, the default, does not wait at all. */
  readonly paceMs?: number
  /** Where both providers keep what they hold, so that the next run finds it again; nothing is kept when left out. */
  readonly stateFile?: string
  /** What the account owns from the beginning. */
  readonly numbers?: readonly string[]
  readonly onProblem?: (problem: Problem) => void
}

export interface PlayOptions extends ServiceAccess {
  /** Names of scenarios; all of them when left out. */
  readonly names?: readonly string[] | undefined
  /** The platform is asked for the audio of conversations as well as for their words. */
  readonly withAudio?: boolean
  /** Both providers are set up. */
  readonly onReady?: () => void
  readonly onBegin?: ((scenario: Scenario) => void) | undefined
  /** The next scenario waits until this is done. */
  readonly onReport?: (report: ScenarioReport) => void | Promise<void>
}

/** Both providers on this machine, ready for a service that was started with their base addresses. */
export interface Simulation {
  readonly environment: ServiceEnvironment
  readonly credentials: Credentials
  /** Waits for a service that somebody sets up by hand: reports go there, and whatever begins then begins now. */
  serve(address: ServiceAddress): void
  /** Sets the running service up with both providers, and plays scenarios with it. */
  play(options: PlayOptions): Promise<ScenarioReport[]>
  stop(): Promise<void>
}

/** What a person enters in the service, to use both emulated accounts. */
export interface Credentials {
  readonly accountSid: string
  readonly authToken: string
  readonly apiKey: string
}

/** Base addresses with which the service is started, so that it talks to the emulators: for its environment. */
export type ServiceEnvironment = {
  readonly TELCO_BASE_URL: string
  readonly VOICEAI_BASE_URL: string
}

/** The service cannot be played with as it is; the sentence says what to change. */
export class CannotSimulate extends Error {
  override readonly name = 'CannotSimulate'
}

export function serviceEnvironment({
  telcoPort = TELCO_PORT,
  voiceaiPort = VOICEAI_PORT,
}: Pick<SimulationOptions, 'telcoPort' | 'voiceaiPort'> = {}): ServiceEnvironment {
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
    throw new CannotSimulate(`there is no scenario ${name}: ${SCENARIOS.map((each) => each.name).join(', ')}`)
  })
}

/** Starts both emulators, sets the running service up with them, plays scenarios with it, and stops them. */
export async function simulate(options: SimulationOptions & PlayOptions): Promise<ScenarioReport[]> {
  const simulation = await startSimulation(options)
  try {
    return await simulation.play(options)
  } finally {
    await simulation.stop()
  }
}

export async function startSimulation(options: SimulationOptions = {}): Promise<Simulation> {
  const { faults, paceMs, onProblem, stateFile, telcoPort = TELCO_PORT, voiceaiPort = VOICEAI_PORT } = options
  const numbers = (options.numbers ?? []).map((phoneNumber) => ({ phoneNumber }))
  const kept = stateFile === undefined ? undefined : readState(stateFile)
  const emulators = await startFree({
    restore: kept,
    telco: { port: telcoPort, ...(kept === undefined ? { ...PAPERS, numbers } : {}) },
    voiceai: { port: voiceaiPort },
    ...(faults === undefined ? {} : { faults }),
    ...(paceMs ? { paceMs } : { startMs: Date.now() - ALL_SCENARIOS_MS }),
    ...(onProblem === undefined ? {} : { onProblem }),
  })
  const keep = (): void => {
    if (stateFile !== undefined) writeState(stateFile, emulators.snapshot())
  }
  const { telco, voiceai } = emulators
  return {
    environment: { TELCO_BASE_URL: telco.url, VOICEAI_BASE_URL: voiceai.url },
    credentials: {
      accountSid: telco.account.sid,
      authToken: telco.account.authToken,
      apiKey: voiceai.workspace.apiKey,
    },
    serve(address) {
      emulators.connectService(address)
      emulators.clock.follow()
      keep()
    },
    play: (play) => playWith(emulators, play, keep),
    async stop() {
      keep()
      await emulators.stop()
    },
  }
}

/** Two simulations cannot be the same providers at once. */
async function startFree(options: EmulatorsOptions): Promise<Emulators> {
  try {
    return await startEmulators(options)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')) throw error
    throw new CannotSimulate(
      `the emulators run already, for \`connect emulators\`, a demo or another simulation (${error.message}); end that one with Ctrl-C and play again: what it holds is kept, and the service runs on`,
      { cause: error },
    )
  }
}

/** What the providers hold is kept after each step, so that an interrupted run leaves both sides in sync. */
async function playWith(emulators: Emulators, options: PlayOptions, keep: () => void): Promise<ScenarioReport[]> {
  const scenarios = findScenarios(options.names)
  const service = new ServiceApi({ url: options.serviceUrl, key: options.key })
  emulators.connectService({ publicUrl: await readyFor(service, emulators), deliverTo: options.serviceUrl })
  keep()
  await prepareService(service, emulators, { withAudio: options.withAudio ?? false })
  options.onReady?.()
  const reports: ScenarioReport[] = []
  for (const scenario of scenarios) {
    options.onBegin?.(scenario)
    const report = await runScenario(scenario, { ...emulators, service })
    keep()
    await options.onReport?.(report)
    reports.push(report)
  }
  emulators.clock.follow()
  return reports
}

/** The public address of the service; throws when it has none, or belongs to somebody's real accounts. */
async function readyFor(service: ServiceApi, { telco, voiceai }: Emulators): Promise<string> {
  const settings = await service.find('connect.settings', {}, ['api_url', 'account_sid', 'voiceai_api_key'])
  const publicUrl = settings?.api_url
  if (typeof publicUrl !== 'string' || !publicUrl.startsWith('https://')) {
    throw new CannotSimulate(
      'the service needs a public https address (api_url); any will do, such as https://connect.example.com',
    )
  }
  const isOurs = (value: unknown, own: string): boolean => value === own || value === null || value === ''
  const hasOthers =
    !isOurs(settings?.account_sid, telco.account.sid) || !isOurs(settings?.voiceai_api_key, voiceai.workspace.apiKey)
  if (!hasOthers) return publicUrl
  throw new CannotSimulate(
    'the settings hold the credentials of other accounts, which a simulation would replace: use a DATA_DIR of its own',
  )
}

function readState(file: string): EmulatorsSnapshot | undefined {
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as EmulatorsSnapshot) : undefined
}

/** It holds credentials, if only emulated ones. Written beside and moved, so that there is never half of it. */
function writeState(file: string, snapshot: EmulatorsSnapshot): void {
  writeFileSync(`${file}.new`, JSON.stringify(snapshot), { mode: 0o600 })
  renameSync(`${file}.new`, file)
}

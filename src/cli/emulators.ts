// The one place from which the product reaches the providers' emulators, and only when a command asks for them: a service
// never loads them, and an installation without the folder `emulators/` lacks nothing else.
import { existsSync } from 'node:fs'
import type { FaultName } from '../../emulators/faults.ts'
import type { ScenarioReport as Report, Scenario } from '../../emulators/scenarios/scenario.ts'
import type { Simulation as BothProviders, SimulationOptions } from '../../emulators/simulate.ts'
import { ServiceRefusal } from '../app/own-api/connection.ts'
import type { Output } from './terminal/output.ts'

/** How a scenario went; without complaints it went well. */
export type ScenarioReport = Report
/** Both providers on this machine. */
export type Simulation = BothProviders

/** What goes wrong with reports on their way, as the options of a command name it. */
export type FaultChoices = { readonly [Name in FaultName]?: boolean }

const FOLDER = new URL('../../emulators/', import.meta.url)

export async function loadSimulation(): Promise<typeof import('../../emulators/simulate.ts')> {
  if (!existsSync(FOLDER)) {
    throw new ServiceRefusal(
      501,
      'This installation comes without the emulators of the providers (the folder emulators/). Use a clone of the source.',
    )
  }
  return await import('../../emulators/simulate.ts')
}

/** Half of all reports are hit by each fault that was chosen; the same seed makes the same faults. */
export async function chosenFaults(choices: FaultChoices, seed: number): Promise<Pick<SimulationOptions, 'faults'>> {
  const { FAULT_NAMES, faultsNamed } = await import('../../emulators/faults.ts')
  const names = FAULT_NAMES.filter((name) => choices[name] === true)
  return names.length === 0 ? {} : { faults: faultsNamed(names, seed) }
}

/** What the emulators refuse, as a refusal of the command. */
export async function refusingAsCommand<Result>(work: () => Promise<Result>): Promise<Result> {
  const { CannotSimulate } = await loadSimulation()
  try {
    return await work()
  } catch (error) {
    if (error instanceof CannotSimulate) throw new ServiceRefusal(409, `Nothing was played: ${error.message}.`)
    throw error
  }
}

/** Tells which scenario begins, when it takes as long as in life; without waiting, its end is told soon enough. */
export function announceScenarios(paceSeconds: number, output: Output): ((scenario: Scenario) => void) | undefined {
  return paceSeconds === 0 ? undefined : ({ name }) => output.say(`...  ${name}`)
}

/** A scenario on one line, and what was wrong below it. */
export function describeReport({ name, title, complaints, seconds }: ScenarioReport): string {
  const result = complaints.length === 0 ? 'ok  ' : 'FAIL'
  return [`${result} ${name}: ${title} (${seconds.toFixed(1)} s)`, ...complaints.map((each) => `  - ${each}`)].join(
    '\n',
  )
}

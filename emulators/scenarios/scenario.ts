import { type Act, person, type Reaction } from '../people.ts'
import { describeProblem } from '../problems.ts'
import type { Emulators } from '../start.ts'
import type { CallResult } from '../telco/carrier/incoming.ts'
import type { Script } from '../voiceai/conversation/script.ts'
import type { Company } from './company.ts'
import { checkExpectations, type Expectation, markNewest } from './expectation.ts'
import { compareLedger, lookBefore } from './ledger-check.ts'
import type { ServiceApi } from './service-api.ts'
import { type SetUp, setUpCompany } from './set-up.ts'

/** Where a scenario is played: both providers and the service between them. */
export interface World extends Emulators {
  readonly service: ServiceApi
}

/** What a scenario can do while it is played. */
export interface Stage extends World, SetUp {
  /** Somebody outside calls a number of the company and does these things. */
  call(call: { from: string; to: string; acts: readonly Act[] }): Promise<CallResult>
  /** Somebody is at this address from now on: reacts to the first call so, to the second so, and so on. */
  phone(address: string, ...reactions: readonly Reaction[]): void
}

/** A story that is played with the whole service, and what it is to have written down afterwards. */
export interface Scenario {
  /** Kebab-case, for the command line. */
  readonly name: string
  /** What happens, in one sentence. */
  readonly title: string
  readonly company: Company
  /** What agents do in the place of a language model, by their names. */
  scripts?(setUp: SetUp): Readonly<Record<string, Script>>
  play(stage: Stage): Promise<void>
  readonly expects: readonly Expectation[]
  /** Problems that the scenario is about, so that they are none. */
  readonly provokes?: readonly RegExp[]
}

export interface ScenarioReport {
  readonly name: string
  readonly title: string
  /** Empty when all went well. */
  readonly complaints: readonly string[]
  readonly seconds: number
}

const EXPECTATION_TIMEOUT_MS = 15_000
const STUCK_AFTER_MS = 20_000
const LOOK_AGAIN_MS = 50
const MS_PER_SECOND = 1_000

/** Plays a scenario and compares what the service wrote down with what it should have. Never throws for a failure. */
export async function runScenario(scenario: Scenario, world: World): Promise<ScenarioReport> {
  const startedAt = performance.now()
  const complaints: string[] = []
  try {
    complaints.push(...(await play(scenario, world)))
  } catch (error) {
    complaints.push(error instanceof Error ? error.message : String(error))
  }
  for (const pattern of scenario.provokes ?? []) {
    if (world.problems.take(pattern).length === 0) complaints.push(`the problem ${String(pattern)} did not come up`)
  }
  complaints.push(...world.problems.all.map(describeProblem))
  world.problems.clear()
  const { name, title } = scenario
  return { name, title, complaints, seconds: (performance.now() - startedAt) / MS_PER_SECOND }
}

async function play(scenario: Scenario, world: World): Promise<string[]> {
  const { service, telco, voiceai, clock, problems } = world
  const setUp = await setUpCompany(service, world, scenario.company)
  for (const [agent, script] of Object.entries(scenario.scripts?.(setUp) ?? {})) voiceai.script(agent, script)
  const marks = await markNewest(service, scenario.expects)
  const before = lookBefore(telco)
  const stage: Stage = {
    ...world,
    ...setUp,
    call: (call) => telco.call(call),
    phone: (address, ...reactions) => telco.connect(address, person(address, problems, reactions)),
  }
  await untilDone(scenario.play(stage), world)
  await clock.idle()
  return untilRight(async () => [
    ...(await checkExpectations(service, scenario.expects, marks)),
    ...(await compareLedger(service, telco, before)),
  ])
}

/** Looks until nothing is wrong any more, because the service does much of its work a moment later. */
async function untilRight(look: () => Promise<string[]>): Promise<string[]> {
  const endMs = Date.now() + EXPECTATION_TIMEOUT_MS
  for (;;) {
    const complaints = await look()
    if (complaints.length === 0 || Date.now() > endMs) return complaints
    await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS))
  }
}

/** A story in which nobody has anything left to do would never end. */
async function untilDone(playing: Promise<void>, { clock }: World): Promise<void> {
  let idleMs = 0
  let isOver = false
  const watch = async (): Promise<void> => {
    while (!isOver && idleMs < STUCK_AFTER_MS) {
      await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS))
      idleMs = clock.isIdle ? idleMs + LOOK_AGAIN_MS : 0
    }
    if (!isOver) throw new Error('nobody has anything left to do, and the story is not over')
  }
  try {
    await Promise.race([playing, watch()])
  } finally {
    isOver = true
  }
}

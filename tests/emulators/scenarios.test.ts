import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { faultsNamed } from '../../emulators/faults.ts'
import { SCENARIOS } from '../../emulators/scenarios/catalogue.ts'
import { runScenario } from '../../emulators/scenarios/scenario.ts'
import { startWorld, type TestWorld } from './scenario-world.ts'

describe.each([
  ['in order', {}],
  [
    'with reports repeated, shuffled, very late and forged',
    faultsNamed(['duplicate', 'shuffle', 'delay', 'forge'], 11),
  ],
])('%s', (_name, faults) => {
  let world: TestWorld

  beforeAll(async () => {
    world = await startWorld(faults)
  })
  afterAll(() => world.stop())

  test('after synchronising neither provider has anything to object to', () => {
    world.problems.check()
  })

  test.each(SCENARIOS)('$name: $title', async (scenario) => {
    const { complaints } = await runScenario(scenario, world)
    expect(complaints).toEqual([])
  })
})

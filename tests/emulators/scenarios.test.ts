import { afterAll, beforeAll, expect, test } from 'vitest'
import { SCENARIOS } from '../../emulators/scenarios/catalogue.ts'
import { prepareService } from '../../emulators/scenarios/prepare.ts'
import { runScenario } from '../../emulators/scenarios/scenario.ts'
import { ServiceApi } from '../../emulators/scenarios/service-api.ts'
import { type Emulators, startEmulators } from '../../emulators/start.ts'
import { TestApp } from '../support/test-app.ts'

const PUBLIC_URL = 'https://pbx.example.com'
let app: TestApp
let emulators: Emulators
let service: ServiceApi

beforeAll(async () => {
  emulators = await startEmulators()
  const { telco, voiceai } = emulators
  app = await TestApp.start({
    env: { TELCO_BASE_URL: telco.url, VOICEAI_BASE_URL: voiceai.url, LOG_LEVEL: process.env.SCENARIO_LOG ?? 'silent' },
  })
  emulators.connectService({ publicUrl: PUBLIC_URL, deliverTo: app.url })
  service = new ServiceApi({ url: app.url, key: app.admin.key })
  await prepareService(service, emulators)
})

afterAll(async () => {
  await app.stop()
  await emulators.stop()
})

test('after synchronising neither provider has anything to object to', () => {
  emulators.problems.check()
})

test.each(SCENARIOS)('$name: $title', async (scenario) => {
  const { complaints } = await runScenario(scenario, { ...emulators, service })
  expect(complaints).toEqual([])
})

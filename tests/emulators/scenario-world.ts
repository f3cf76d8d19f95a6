import type { FaultOptions } from '../../emulators/faults.ts'
import { prepareService } from '../../emulators/scenarios/prepare.ts'
import type { World } from '../../emulators/scenarios/scenario.ts'
import { ServiceApi } from '../../emulators/scenarios/service-api.ts'
import { startEmulators } from '../../emulators/start.ts'
import { TestApp } from '../support/test-app.ts'

const PUBLIC_URL = 'https://pbx.example.com'

/** The whole service between both emulators, synchronised with them. */
export interface TestWorld extends World {
  readonly app: TestApp
}

export async function startWorld(
  faults: FaultOptions = {},
  moreEnv: Readonly<Record<string, string>> = {},
): Promise<TestWorld> {
  const emulators = await startEmulators({ faults })
  const { telco, voiceai } = emulators
  const app = await TestApp.start({
    env: {
      TELCO_BASE_URL: telco.url,
      VOICEAI_BASE_URL: voiceai.url,
      LOG_LEVEL: process.env.SCENARIO_LOG ?? 'silent',
      ...moreEnv,
    },
  })
  emulators.connectService({ publicUrl: PUBLIC_URL, deliverTo: app.url })
  const service = new ServiceApi({ url: app.url, key: app.admin.key })
  await prepareService(service, emulators)
  return {
    ...emulators,
    app,
    service,
    async stop() {
      await app.stop()
      await emulators.stop()
    },
  }
}

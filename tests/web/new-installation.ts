import { type Emulators, startEmulators } from '../../emulators/start.ts'
import { TestApp } from '../support/test-app.ts'
import { pageIsBuilt } from './visitor.ts'

/** Where the providers reach it. */
export const PUBLIC_URL = 'https://pbx.example.com'
/** The only number of its account. */
export const NUMBER = '+14155550110'

export interface NewInstallation {
  app: TestApp
  emulators: Emulators
  stop(): Promise<void>
}

/** An installation that nobody has set up yet, with its page, between the emulators of both providers. */
export async function startNewInstallation(): Promise<NewInstallation> {
  const emulators = await startEmulators({ telco: { numbers: [{ phoneNumber: NUMBER }] } })
  const { telco, voiceai } = emulators
  const app = await TestApp.start({
    env: { PAGE: 'on', TELCO_BASE_URL: telco.url, VOICEAI_BASE_URL: voiceai.url, LOG_LEVEL: 'silent' },
  })
  emulators.connectService({ publicUrl: PUBLIC_URL, deliverTo: app.url })
  await app.db.script('update connect_settings set api_url = null')
  app.app.platform.settings.forget()
  await pageIsBuilt(app)
  return {
    app,
    emulators,
    async stop() {
      await app.stop()
      await emulators.stop()
    },
  }
}

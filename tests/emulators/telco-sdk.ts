import twilio, { type Twilio } from 'twilio'
import type { TelcoEmulator } from '../../emulators/telco/start.ts'

/** The provider's own SDK, pointed at the emulator. */
export function sdkFor(telco: TelcoEmulator, password = telco.account.authToken): Twilio {
  const client = twilio(telco.account.sid, password)
  const { api, messaging, content, routes, pricing, numbers } = client
  for (const domain of [api, messaging, content, routes, pricing, numbers]) domain.baseUrl = telco.url
  return client
}

/** What the SDK throws when the API refuses. */
export async function refusalOf(asking: Promise<unknown>): Promise<{ status: number; code: number; message: string }> {
  try {
    await asking
  } catch (error) {
    const { status, code, message } = error as { status: number; code: number; message: string }
    return { status, code, message }
  }
  throw new Error('it was not refused')
}

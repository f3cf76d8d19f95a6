import type { Database } from '../database/database.ts'
import type { Platform } from '../platform/access/env.ts'
import { setupToken } from '../platform/identity/session-routes.ts'
import { isSetUp } from '../platform/settings/set-up.ts'
import { NOT_VERIFIED } from '../telco/account/account-settings.ts'
import { VERSION } from '../version.ts'

/** Tells the person at the terminal where the service listens, where the data is, and what to do next. */
export async function sayReady(ready: {
  platform: Platform
  db: Database
  address: string
  keyFile: string
}): Promise<void> {
  const { platform, db, address, keyFile } = ready
  const { apiUrl, telcoVerifyRequests } = await platform.settings.get()
  const lines = [
    `Connect listens on ${address}`,
    `Data: ${db.kind === 'embedded' ? `embedded database in ${db.place}` : db.place}`,
    `Version: ${VERSION}`,
    `Key for local scripts: ${keyFile}`,
  ]
  const link = await setupLink(ready)
  if (link !== undefined) lines.push(`Next: create the first administrator at ${link} (works once)`)
  if (link !== undefined && apiUrl !== undefined) lines.push(`      from elsewhere: the same path below ${apiUrl}`)
  if (!telcoVerifyRequests) lines.push(`WARNING: ${NOT_VERIFIED}`)
  if (apiUrl === undefined) lines.push('Next: set the public https address, "api_url" of connect.settings, or API_URL')
  lines.push(`API: ${address}/api/docs`)
  process.stdout.write(`${lines.join('\n')}\n`)
}

/** Tells the person at the terminal that the service answers already, and what it waits for. */
export function sayWaiting({ address, place, reason }: { address: string; place: string; reason: string }): void {
  process.stdout.write(
    `Connect listens on ${address}\n${place} is unavailable: ${reason}\n` +
      'Until it is there, callers are connected by the last dial plan, signed deliveries wait on disk, and everything else is answered 503.\n',
  )
}

/** Says what a worker waits for. */
export function sayWorkerWaiting({ place, reason }: { place: string; reason: string }): void {
  process.stdout.write(
    `${place} is unavailable: ${reason}\nThe worker tries it again every second, and then works on its jobs.\n`,
  )
}

/** Where the first person creates the first administrator; undefined when somebody has. */
export async function setupLink({
  platform,
  db,
  address,
}: {
  platform: Platform
  db: Database
  address: string
}): Promise<string | undefined> {
  return (await isSetUp(db)) ? undefined : `${address}/setup#token=${setupToken({ platform })}`
}

import type { Connection } from '../../app/own-api/connection.ts'
import type { Config } from '../../config.ts'
import { createLog } from '../../log.ts'
import { callMethod } from '../../platform/api/rpc.ts'
import { LOCAL_ADMIN } from '../../platform/identity/service-users.ts'
import { openInstallation } from './installation.ts'
import { requireOwnFolder } from './own-folder.ts'

/** Methods that enqueue nothing. */
const READS: ReadonlySet<string> = new Set([
  'fields_get',
  'name_search',
  'read',
  'read_group',
  'search',
  'search_count',
  'search_read',
])

/** The installation itself, while no service runs on it. */
export async function folderConnection(config: Config, { works }: { works: boolean }): Promise<Connection> {
  requireOwnFolder(config.dataDir)
  const { app, db } = await openInstallation(config, createLog('error'))
  let queue: Promise<void> | undefined
  return {
    address: undefined,
    async call<Result>(model: string, method: string, args: object = {}) {
      const identity = await app.identities.serviceUser(LOCAL_ADMIN)
      if (identity === undefined) throw new Error('the built-in administrator is missing')
      // What a command asks for is done when the service runs again, unless this process is to work on it.
      if (!READS.has(method)) {
        queue ??= app.jobs.start({ works })
        await queue
      }
      return (await callMethod(app.platform, db, identity, { model, method, body: args })) as Result
    },
    async close() {
      await app.stop()
      await db.close()
    },
  }
}

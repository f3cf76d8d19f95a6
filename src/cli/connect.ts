import type { Config } from '../config.ts'
import type { Connection } from './service/connection.ts'
import { findLocalService, serviceConnection } from './service/local-service.ts'

/**
 * Finds the running service by its data folder and uses it; opens the folder itself when none runs. With `works`, what a
 * command asks for is then worked on by this process too, instead of waiting for the service.
 */
export async function connect(config: Config, { works = false }: { works?: boolean } = {}): Promise<Connection> {
  const service = await findLocalService(config)
  if (service !== undefined) return serviceConnection(service)
  // The whole service is loaded for it, so a command that finds the service running never pays for that.
  const { folderConnection } = await import('./service/folder-connection.ts')
  return folderConnection(config, { works })
}

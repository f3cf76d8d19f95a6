import type { CommandRow } from '../command.ts'

/** The service is loaded by the commands that run it, so that all others start at once. */
export const SERVICE_COMMANDS: readonly CommandRow[] = [
  {
    usage: 'serve',
    about: 'serve webhooks, the API and the pages; the same as npm start',
    run: async ({ config }) => (await import('../service/run-service.ts')).runService(config),
  },
  {
    usage: 'worker',
    about: 'work on jobs without serving, beside processes that serve (needs DATABASE_URL)',
    run: async ({ config }) => (await import('../service/run-service.ts')).runWorker(config),
  },
  {
    usage: 'migrate',
    about: 'bring the database up to date and put in what the service comes with',
    async run({ config, output }) {
      const { openInstallation } = await import('../service/installation.ts')
      const { createLog } = await import('../../log.ts')
      const { db } = await openInstallation(config, createLog('error'))
      await db.close()
      output.done(`The database is up to date: ${db.place}`, { database: db.place })
    },
  },
]

import type { Command } from 'commander'
import { configOf, outputOf } from '../command.ts'

// The service is loaded by the commands that run it, so that all others start at once.
export function addServiceCommands(program: Command): void {
  program
    .command('serve')
    .description('serve webhooks, the API and the pages; the same as npm start')
    .action(async (_options, command: Command) =>
      (await import('../service/run-service.ts')).runService(configOf(command)),
    )
  program
    .command('worker')
    .description('work on jobs without serving, beside processes that serve (needs DATABASE_URL)')
    .action(async (_options, command: Command) =>
      (await import('../service/run-service.ts')).runWorker(configOf(command)),
    )
  program
    .command('migrate')
    .description('bring the database up to date and put in what the service comes with')
    .action(async (_options, command: Command) => {
      const [{ openInstallation }, { createLog }] = await Promise.all([
        import('../service/installation.ts'),
        import('../../log.ts'),
      ])
      const { db } = await openInstallation(configOf(command), createLog('error'))
      await db.close()
      outputOf(command).done(`The database is up to date: ${db.place}`, { database: db.place })
    })
}

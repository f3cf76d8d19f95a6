import type { Command } from 'commander'
import { readConfig } from '../../config.ts'
import { createLog } from '../../log.ts'
import { outputOf } from '../command.ts'
import { openInstallation } from '../installation.ts'
import { runService, runWorker } from '../run-service.ts'

export function addServiceCommands(program: Command): void {
  program
    .command('serve')
    .description('serve webhooks, the API and the pages; the same as npm start')
    .action(() => runService(readConfig()))
  program
    .command('worker')
    .description('work on jobs without serving, beside processes that serve (needs DATABASE_URL)')
    .action(() => runWorker(readConfig()))
  program
    .command('migrate')
    .description('bring the database up to date and put in what the service comes with')
    .action(async (_options, command: Command) => {
      const { db } = await openInstallation(readConfig(), createLog('error'))
      outputOf(command).say(`The database is up to date: ${db.place}`)
      await db.close()
    })
}

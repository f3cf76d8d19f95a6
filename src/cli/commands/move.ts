import type { Command } from 'commander'
import { configOf, outputOf } from '../command.ts'
import { ServiceRefusal } from '../service/connection.ts'

export function addMoveCommand(program: Command): void {
  program
    .command('move')
    .requiredOption('--to <url>', 'an empty PostgreSQL database, postgres://user:password@host/name')
    .description('move a stopped installation from the embedded database to PostgreSQL, and compare every table')
    .action(async ({ to }: { to: string }, command: Command) => {
      if (!URL.canParse(to) || !/^postgres(?:ql)?:$/.test(new URL(to).protocol)) {
        throw new ServiceRefusal(400, 'The address given with --to should start with postgres:// or postgresql://.')
      }
      // The whole service is loaded for it.
      const { moveDatabase } = await import('../data/move-database.ts')
      const output = outputOf(command)
      const moved = await moveDatabase(configOf(command), to, (table) => output.say(`copying ${table}`))
      const missing = moved.missingAudio === 0 ? '' : ` ${moved.missingAudio} audio files were missing before.`
      const sentence = [
        `Moved ${moved.rows} rows of ${moved.tables} tables and ${moved.sequences} sequences to ${moved.to}; every count and checksum agrees.${missing}`,
        'Start with DATABASE_URL set to that address, on the same DATA_DIR: keys, audio and waiting deliveries stay there.',
        `The old database is in ${moved.aside}; delete it when you no longer want to go back.`,
      ]
      output.done(sentence.join('\n'), moved)
    })
}

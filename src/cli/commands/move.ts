import { Option } from 'commander'
import { ServiceRefusal } from '../../app/own-api/connection.ts'
import type { CommandRow } from '../command.ts'

const ROWS_WORTH_SAYING = 1_000

export const MOVE_COMMAND: CommandRow = {
  usage: 'move',
  about: 'move a stopped installation from the embedded database to PostgreSQL, and compare every table',
  options: [
    new Option('--to <url>', 'an empty PostgreSQL database, postgres://user:password@host/name').makeOptionMandatory(),
  ],
  async run({ config, output }, { to }: { to: string }) {
    if (!URL.canParse(to) || !/^postgres(?:ql)?:$/.test(new URL(to).protocol)) {
      throw new ServiceRefusal(400, 'The address given with --to should start with postgres:// or postgresql://.')
    }
    // The whole service is loaded for it.
    const { moveDatabase } = await import('../data/move-database.ts')
    const moved = await moveDatabase(config, to, {
      onBegin: () => output.say('Copying every table, and comparing each with its copy ...'),
      onTable({ name, rows }) {
        // Most tables are small: anyone who waits wants to hear of those that take time.
        if (rows >= ROWS_WORTH_SAYING) output.say(`copied ${name}: ${rows} rows`)
      },
    })
    const missing = moved.missingAudio === 0 ? '' : ` ${moved.missingAudio} audio files were missing before.`
    const sentence = [
      `Moved ${moved.rows} rows of ${moved.tables} tables and ${moved.sequences} sequences to ${moved.to}; every count and checksum agrees.${missing}`,
      'Start with DATABASE_URL set to that address, on the same DATA_DIR: keys, audio and waiting deliveries stay there.',
      `The old database is in ${moved.aside}; delete it when you no longer want to go back.`,
    ]
    output.done(sentence.join('\n'), moved)
  },
}

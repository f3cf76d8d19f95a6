import path from 'node:path'
import { Option } from 'commander'
import { ServiceRefusal } from '../../app/own-api/connection.ts'
import { type Made, makeBackup } from '../backup.ts'
import type { CommandRow } from '../command.ts'
import { parseWhole } from '../terminal/arguments.ts'

export const BACKUP_COMMAND: CommandRow = {
  usage: 'backup [folder]',
  about: 'copy everything of an installation into a new folder (DATA_DIR/backups/<time>), also while it runs',
  options: [
    new Option('--keep <n>', 'afterwards remove all but the latest n backups in DATA_DIR/backups').argParser(
      parseWhole,
    ),
  ],
  async run({ config, output }, folder: string | undefined, { keep }: { keep?: number }) {
    if (keep !== undefined && folder !== undefined) {
      throw new ServiceRefusal(400, '--keep is for the backups in DATA_DIR/backups: leave the folder out.')
    }
    const made = await makeBackup(config, {
      folder: folder === undefined ? undefined : path.resolve(folder),
      keep,
      onStep: (step) => output.say(`${step} ...`),
    })
    output.done(describe(made), made)
  },
}

function describe({ folder, kept, left, held_ms: heldMs, removed }: Made): string {
  return [
    `Copied ${kept.join(', ')} to ${folder}. Keep it safe: it holds the keys to every secret.`,
    ...(heldMs === null ? [] : [`The service went on; its database was held for ${heldMs} ms of it.`]),
    ...left.map((each) => `Not in it: ${each}`),
    ...(removed.length === 0 ? [] : [`Removed ${removed.join(', ')}.`]),
  ].join('\n')
}

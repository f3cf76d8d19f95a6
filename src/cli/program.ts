import { Command, CommanderError, Option } from 'commander'
import { ServiceRefusal } from '../app/own-api/connection.ts'
import { asError, Refusal } from '../errors.ts'
import { VERSION } from '../version.ts'
import { addCommand, type CommandRow } from './command.ts'
import { BACKUP_COMMAND } from './commands/backup.ts'
import { CALL_COMMANDS } from './commands/calls.ts'
import { DELIVERY_COMMANDS } from './commands/deliveries.ts'
import { DEMO_COMMAND } from './commands/demo.ts'
import { DOCTOR_COMMAND } from './commands/doctor.ts'
import { EMULATORS_COMMAND } from './commands/emulators.ts'
import { EXPORT_COMMAND } from './commands/export.ts'
import { MOVE_COMMAND } from './commands/move.ts'
import { RESTORE_COMMAND } from './commands/restore.ts'
import { SECRET_KEY_COMMANDS } from './commands/secret-key.ts'
import { SERVICE_COMMANDS } from './commands/service.ts'
import { SETTINGS_COMMANDS } from './commands/settings.ts'
import { simulateCommand } from './commands/simulate.ts'
import { SYNC_COMMAND } from './commands/sync.ts'
import { KEY_COMMANDS, USER_COMMANDS } from './commands/users.ts'
import { printable } from './terminal/printable.ts'
import type { Terminal } from './terminal/terminal.ts'

/** Exit codes: what scripts can tell apart. */
const EXIT = { done: 0, failed: 1, usage: 2, refused: 3 } as const

/**
 * Runs one command line, such as `['call', 'list']`, and gives its exit code; it never throws. For `serve` and `worker` that
 * is when they have begun: they go on until the process gets a signal.
 */
export async function runCommandLine(args: readonly string[], terminal: Terminal): Promise<number> {
  try {
    await createProgram(terminal).parseAsync(args, { from: 'user' })
    return EXIT.done
  } catch (thrown) {
    return exitCodeOf(thrown, terminal)
  }
}

function createProgram(terminal: Terminal): Command {
  const program = new Command('connect')
    .description('Runs and looks after Connect: works through the running service, or on DATA_DIR while none runs.')
    .version(VERSION)
    .option('--json', 'print JSON instead of text')
    .addOption(new Option('--csv', 'print a table that spreadsheets read instead of text').conflicts('json'))
    .showHelpAfterError('(--help tells what a command takes)')
    .configureOutput({
      writeOut: (text) => void terminal.out.write(text),
      writeErr: (text) => void terminal.err.write(text),
    })
    .exitOverride()
  for (const row of commands()) addCommand(program, row, terminal)
  return program
}

/** In the order of the help. */
function commands(): CommandRow[] {
  return [
    ...SERVICE_COMMANDS,
    USER_COMMANDS,
    KEY_COMMANDS,
    SETTINGS_COMMANDS,
    CALL_COMMANDS,
    DELIVERY_COMMANDS,
    SYNC_COMMAND,
    BACKUP_COMMAND,
    RESTORE_COMMAND,
    EXPORT_COMMAND,
    MOVE_COMMAND,
    SECRET_KEY_COMMANDS,
    DOCTOR_COMMAND,
    simulateCommand(),
    DEMO_COMMAND,
    EMULATORS_COMMAND,
  ]
}

function exitCodeOf(thrown: unknown, terminal: Terminal): number {
  const error = asError(thrown)
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage
  // A folder that is in use is known by its name, so that the database is not loaded to recognise it.
  const isRefused =
    error instanceof ServiceRefusal ||
    error instanceof Refusal ||
    ['FolderInUseError', 'DamagedFolderError'].includes(error.name)
  terminal.err.write(`${printable(error.message)}\n`)
  return isRefused ? EXIT.refused : EXIT.failed
}

import { Command, CommanderError, Option } from 'commander'
import { asError, Refusal } from '../errors.ts'
import { VERSION } from '../version.ts'
import { giveTerminal } from './command.ts'
import { addBackupCommand } from './commands/backup.ts'
import { addCallCommands } from './commands/calls.ts'
import { addDeliveryCommands } from './commands/deliveries.ts'
import { addDemoCommand } from './commands/demo.ts'
import { addDoctorCommand } from './commands/doctor.ts'
import { addExportCommand } from './commands/export.ts'
import { addMoveCommand } from './commands/move.ts'
import { addRestoreCommand } from './commands/restore.ts'
import { addSecretKeyCommand } from './commands/secret-key.ts'
import { addServiceCommands } from './commands/service.ts'
import { addSettingsCommands } from './commands/settings.ts'
import { addSimulateCommand } from './commands/simulate.ts'
import { addSyncCommand } from './commands/sync.ts'
import { addUserCommands } from './commands/users.ts'
import { ServiceRefusal } from './service/connection.ts'
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
  giveTerminal(program, terminal)
  addServiceCommands(program)
  addUserCommands(program)
  addSettingsCommands(program)
  addCallCommands(program)
  addDeliveryCommands(program)
  addSyncCommand(program)
  addBackupCommand(program)
  addRestoreCommand(program)
  addExportCommand(program)
  addMoveCommand(program)
  addSecretKeyCommand(program)
  addDoctorCommand(program)
  addSimulateCommand(program)
  addDemoCommand(program)
  return program
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

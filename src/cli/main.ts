import { Command, CommanderError } from 'commander'
import { asError, Refusal } from '../errors.ts'
import { addCallCommands } from './commands/calls.ts'
import { addDataCommands } from './commands/data.ts'
import { addDeliveryCommands } from './commands/deliveries.ts'
import { addDemoCommand } from './commands/demo.ts'
import { addDoctorCommand } from './commands/doctor.ts'
import { addServiceCommands } from './commands/service.ts'
import { addSettingsCommands } from './commands/settings.ts'
import { addSimulateCommand } from './commands/simulate.ts'
import { addSyncCommand } from './commands/sync.ts'
import { addUserCommands } from './commands/users.ts'
import { ServiceRefusal } from './connection.ts'

/** Exit codes: what scripts can tell apart. */
const EXIT = { failed: 1, usage: 2, refused: 3 } as const

function createProgram(): Command {
  const program = new Command('connect')
    .description('Runs and looks after Connect: works through the running service, or on DATA_DIR while none runs.')
    .option('--json', 'print JSON instead of text')
    .showHelpAfterError('(--help tells what a command takes)')
    .exitOverride()
  addServiceCommands(program)
  addUserCommands(program)
  addSettingsCommands(program)
  addCallCommands(program)
  addDeliveryCommands(program)
  addSyncCommand(program)
  addDataCommands(program)
  addDoctorCommand(program)
  addSimulateCommand(program)
  addDemoCommand(program)
  return program
}

function exitCodeOf(thrown: unknown): number {
  const error = asError(thrown)
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : EXIT.usage
  // A folder that is in use is known by its name, so that the database is not loaded to recognise it.
  const isRefused = error instanceof ServiceRefusal || error instanceof Refusal || error.name === 'FolderInUseError'
  process.stderr.write(`${error.message}\n`)
  return isRefused ? EXIT.refused : EXIT.failed
}

// Whoever reads the output may have seen enough, as in `connect export connect.call | head`.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
  process.exit()
})

try {
  await createProgram().parseAsync()
} catch (thrown) {
  process.exitCode = exitCodeOf(thrown)
}

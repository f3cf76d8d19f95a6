import path from 'node:path'
import type { Command } from 'commander'
import { commandStartedAtMs } from '../../config.ts'
import { configOf, outputOf, terminalOf } from '../command.ts'
import { addPaceOption, namesOf } from './simulate.ts'

interface Options {
  once?: boolean
  keep?: boolean
  postgres?: boolean
  folder: string
  pace: number
}

const FOLDER_DEFAULT = 'demo-data'

export function addDemoCommand(program: Command): void {
  const demo = program
    .command('demo')
    .argument('[scenario...]', 'names of scenarios; all of them when left out')
    .description('start the service with emulators for both providers, play calls, and show what came of them')
    .option('--once', 'end after the calls; else everything goes on running until Ctrl-C')
    .option('--keep', 'go on with what the last demo left, in place of an empty folder')
    .option('--folder <path>', 'where its data goes, never that of DATA_DIR', FOLDER_DEFAULT)
    .option('--postgres', 'on the empty database that DATABASE_URL names, in place of the embedded one')
  addPaceOption(demo).action(async (scenarios: string[], options: Options, command: Command) => {
    // The service is loaded here, so that all other commands start at once.
    const { runDemo } = await import('../demo/run-demo.ts')
    await runDemo(
      {
        folder: path.resolve(options.folder),
        names: scenarios.length === 0 ? undefined : namesOf(scenarios),
        isKept: options.keep === true,
        onServer: options.postgres === true,
        endsAfterCalls: options.once === true,
        paceSeconds: options.pace,
        personal: configOf(command),
        startedAtMs: commandStartedAtMs(terminalOf(command).env),
      },
      outputOf(command),
    )
  })
}

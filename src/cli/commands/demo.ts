import path from 'node:path'
import { Argument, Option } from 'commander'
import { commandStartedAtMs } from '../../config.ts'
import type { CommandRow } from '../command.ts'
import { namesOf, PACE } from './simulate.ts'

interface Options {
  once?: boolean
  keep?: boolean
  postgres?: boolean
  folder: string
  pace: number
}

export const DEMO_COMMAND: CommandRow = {
  usage: 'demo',
  about: 'start the service with emulators for both providers, play calls, and show what came of them',
  arguments: [new Argument('[scenario...]', 'names of scenarios; all of them when left out')],
  options: [
    new Option('--once', 'end after the calls; else everything goes on running until Ctrl-C'),
    new Option('--keep', 'go on with what the last demo left, in place of an empty folder'),
    new Option('--folder <path>', 'where its data goes, never that of DATA_DIR').default('demo-data'),
    new Option('--postgres', 'on the empty database that DATABASE_URL names, in place of the embedded one'),
    PACE,
  ],
  async run({ config, output, terminal }, scenarios: string[], { folder, once, keep, postgres, pace }: Options) {
    // The service is loaded here, so that all other commands start at once.
    const { runDemo } = await import('../demo/run-demo.ts')
    await runDemo(
      {
        folder: path.resolve(folder),
        names: scenarios.length === 0 ? undefined : namesOf(scenarios),
        isKept: keep === true,
        onServer: postgres === true,
        endsAfterCalls: once === true,
        paceSeconds: pace,
        personal: config,
        startedAtMs: commandStartedAtMs(terminal.env),
      },
      output,
    )
  },
}

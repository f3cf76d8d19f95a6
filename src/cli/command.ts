import type { Argument, Command, Option } from 'commander'
import type { Connection } from '../app/own-api/connection.ts'
import { type Config, readConfig } from '../config.ts'
import { findLocalService, serviceConnection } from './service/local-service.ts'
import { createOutput, type Format, type Output } from './terminal/output.ts'
import type { Terminal } from './terminal/terminal.ts'

/** What a command works with. */
export interface CommandEnv {
  /** What the variables of the terminal make, read anew each time; throws as `readConfig`. */
  readonly config: Config
  readonly format: Format
  output: Output
  terminal: Terminal
  /** Ends with a sentence and the exit code of a mistyped command. */
  refuseUsage(sentence: string): never
}

/** What a command works with that asks the installation. */
export interface AskingEnv extends CommandEnv {
  connection: Connection
}

/** One command: what is typed, what its help says, and what it does with what was typed: its arguments, then its options. */
export interface CommandRow {
  /** Its name, and arguments that are texts, as commander writes them. */
  usage: string
  about: string
  arguments?: readonly Argument[]
  options?: readonly Option[]
  /** Below it: `call` has `list`. */
  rows?: readonly CommandRow[]
  run?(env: CommandEnv, ...typed: readonly unknown[]): void | Promise<void>
  /** In place of `run`: over a connection that is closed afterwards, whatever happened. */
  ask?(env: AskingEnv, ...typed: readonly unknown[]): Promise<void>
  /** While no service runs, this process also works on what is asked for, instead of waiting for the service. */
  works?: boolean
}

/** Adds a command, and those below it, to a program or another command. */
export function addCommand(parent: Command, row: CommandRow, terminal: Terminal): void {
  const command = parent.command(row.usage).description(row.about)
  for (const each of row.arguments ?? []) command.addArgument(each)
  for (const each of row.options ?? []) command.addOption(each)
  for (const each of row.rows ?? []) addCommand(command, each, terminal)
  if (row.run !== undefined || row.ask !== undefined) command.action(() => start(row, command, terminal))
}

async function start(row: CommandRow, command: Command, terminal: Terminal): Promise<void> {
  const { json, csv } = command.optsWithGlobals<{ json?: boolean; csv?: boolean }>()
  const format = (['json', 'csv'] as const)[[json, csv].indexOf(true)] ?? 'text'
  const env = {
    get config() {
      return readConfig(terminal.env)
    },
    format,
    output: createOutput(format, terminal.out),
    terminal,
    refuseUsage: (sentence: string) => command.error(sentence),
  } as const
  const typed: unknown[] = [...command.processedArgs, command.opts()]
  await row.run?.(env, ...typed)
  if (row.ask === undefined) return
  const connection = await connect(env.config, row.works === true)
  try {
    await row.ask(Object.assign(env, { connection }), ...typed)
  } finally {
    await connection.close()
  }
}

/** Finds the running service by its data folder and uses it; opens the folder itself when none runs. */
async function connect(config: Config, works: boolean): Promise<Connection> {
  const service = await findLocalService(config)
  if (service !== undefined) return serviceConnection(service)
  // The whole service is loaded for it, so a command that finds the service running never pays for that.
  const { folderConnection } = await import('./service/folder-connection.ts')
  return folderConnection(config, { works })
}

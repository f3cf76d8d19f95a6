import type { Command } from 'commander'
import { type Config, readConfig } from '../config.ts'
import { connect } from './connect.ts'
import type { Connection } from './service/connection.ts'
import { createOutput, type Format, type Output } from './terminal/output.ts'
import type { Terminal } from './terminal/terminal.ts'

/** What a command works with. */
export interface CommandEnv {
  config: Config
  connection: Connection
  output: Output
  terminal: Terminal
}

// An action is given its command and nothing else, and that leads to the program it was added to.
const terminals = new WeakMap<Command, Terminal>()

/** Says which terminal all commands of a program have. */
export function giveTerminal(program: Command, terminal: Terminal): void {
  terminals.set(program, terminal)
}

/** The terminal of the program that a command belongs to. */
export function terminalOf(command: Command): Terminal {
  const terminal = terminals.get(command)
  if (terminal !== undefined) return terminal
  if (command.parent === null) throw new Error(`the program ${command.name()} was given no terminal`)
  return terminalOf(command.parent)
}

/** The configuration that the variables of a command's terminal make; throws as `readConfig`. */
export function configOf(command: Command): Config {
  return readConfig(terminalOf(command).env)
}

/**
 * Runs a command over a connection that is closed afterwards, whatever happened. With `works`, this process also works on
 * what the command asks for while no service runs.
 */
export async function withConnection(
  command: Command,
  work: (env: CommandEnv) => Promise<void>,
  options: { works?: boolean } = {},
): Promise<void> {
  const [config, output, terminal] = [configOf(command), outputOf(command), terminalOf(command)]
  const connection = await connect(config, options)
  try {
    await work({ config, connection, output, terminal })
  } finally {
    await connection.close()
  }
}

/** The output that the options of the whole program ask for. */
export function outputOf(command: Command): Output {
  return createOutput(formatOf(command), terminalOf(command).out)
}

/** The format that the options of the whole program ask for. */
export function formatOf(command: Command): Format {
  const { json, csv } = command.optsWithGlobals<{ json?: boolean; csv?: boolean }>()
  if (json === true) return 'json'
  return csv === true ? 'csv' : 'text'
}

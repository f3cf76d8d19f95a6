import type { Command } from 'commander'
import { readConfig } from '../config.ts'
import { connect } from './connect.ts'
import type { Connection } from './connection.ts'
import { createOutput, type Output } from './output.ts'

/** What a command works with. */
export interface CommandEnv {
  connection: Connection
  output: Output
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
  const output = outputOf(command)
  const connection = await connect(readConfig(), options)
  try {
    await work({ connection, output })
  } finally {
    await connection.close()
  }
}

/** The output that the options of the whole program ask for. */
export function outputOf(command: Command): Output {
  return createOutput(command.optsWithGlobals<{ json?: boolean }>().json === true)
}

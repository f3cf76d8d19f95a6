import type { Command } from 'commander'
import { withConnection } from '../command.ts'

interface Options {
  to: string
  from?: string
  at?: string
}

type Input = { press: string } | { say: string }

interface Rehearsal {
  from: string
  to: string
  at: string
  steps: { what: string; detail: string }[]
}

/** `connect simulate call`: one of our own numbers as it is configured here, without a provider and without a trace. */
export function addSimulateCallCommand(simulate: Command): void {
  // One list for both options: what the caller does first, they do first.
  const inputs: Input[] = []
  simulate
    .command('call')
    .description('call one of your own numbers as it is configured, and show what the caller hears; nothing is written')
    .requiredOption('--to <number>', 'the number that is called')
    .option('--from <number>', 'who calls; nobody known when left out')
    .option(
      '--at <time>',
      'when: "2026-11-22 10:00" or "sunday 10:00", on the clocks of its business hours; now when left out',
    )
    .option('--press <keys>', 'keys pressed when something is asked; may be given several times', (press: string) => {
      inputs.push({ press })
    })
    .option('--say <words>', 'words said when something is asked; may be given several times', (say: string) => {
      inputs.push({ say })
    })
    .action(({ to, from, at }: Options, command: Command) =>
      withConnection(command, async ({ connection, output }) => {
        const args = { to, inputs, from: from ?? null, at: at ?? null }
        const heard = await connection.call<Rehearsal>('connect.telco.number', 'rehearse', args)
        output.say(`${heard.from} calls ${heard.to} on ${heard.at}.`)
        output.rows(heard.steps, ['what', 'detail'])
        output.say('No phone rang, no provider was asked, and nothing was written.')
      }),
    )
}

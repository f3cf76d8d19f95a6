import { Argument, type Command } from 'commander'
import { type CommandEnv, withConnection } from '../command.ts'
import { ServiceRefusal } from '../service/connection.ts'
import { type Run, startRun, waitForRun } from '../service/sync-runs.ts'

const BUTTONS = { voiceai: 'voiceai_sync', telco: 'telco_sync' } as const

export function addSyncCommand(program: Command): void {
  program
    .command('sync')
    .addArgument(new Argument('<provider>', 'which one').choices(Object.keys(BUTTONS)))
    .description('set a provider up as the settings say, and wait until it is done')
    .option('--check', 'only compare what the provider holds with what is here, and change nothing')
    .action((provider: keyof typeof BUTTONS, { check = false }: { check?: boolean }, command: Command) =>
      withConnection(command, (env) => synchronise(env, check ? `${provider}_check` : BUTTONS[provider]), {
        works: true,
      }),
    )
}

async function synchronise({ connection, output }: CommandEnv, button: string): Promise<void> {
  const id = await startRun(connection, button)
  const run = await waitForRun(connection, id, { tell: output.say })
  output.done(describe(run), run)
  if (run.state === 'failed') throw new ServiceRefusal(502, 'Not everything is in sync.')
}

function describe({ counts, differences, errors, summary }: Run): string {
  const done = Object.entries(counts).filter(([, numbers]) => Object.keys(numbers).length > 0)
  return [
    ...done.map(([step, numbers]) => `${step}: ${numbersOf(numbers)}`),
    ...differences.map(({ what, name, message }) => `Different: ${name ?? what}: ${message}`),
    ...errors.map(({ step, name, message }) => `Failed: ${name ?? step}: ${message}`),
    ...(summary === null ? [] : [summary]),
  ].join('\n')
}

function numbersOf(numbers: Record<string, number>): string {
  return Object.entries(numbers)
    .map(([what, number]) => `${number} ${what}`)
    .join(', ')
}

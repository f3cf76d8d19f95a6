import { Argument, Option } from 'commander'
import { ServiceRefusal } from '../../app/own-api/connection.ts'
import { type Run, startRun, waitForRun } from '../../app/own-api/sync-runs.ts'
import type { CommandRow } from '../command.ts'

export const SYNC_COMMAND: CommandRow = {
  usage: 'sync',
  about: 'set a provider up as the settings say, and wait until it is done',
  arguments: [new Argument('<provider>', 'which one').choices(['voiceai', 'telco'])],
  options: [new Option('--check', 'only compare what the provider holds with what is here, and change nothing')],
  works: true,
  async ask({ connection, output }, provider: string, { check = false }: { check?: boolean }) {
    const id = await startRun(connection, `${provider}_${check ? 'check' : 'sync'}`)
    const run = await waitForRun(connection, id, { tell: output.say })
    output.done(describe(run), run)
    if (run.state === 'failed') throw new ServiceRefusal(502, 'Not everything is in sync.')
  },
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

import { Option } from 'commander'
import type { Input, Step } from '../../telco/routing/rehearsal/caller-line.ts'
import type { CommandRow } from '../command.ts'

interface Options {
  to: string
  from?: string | null
  at?: string | null
  record?: boolean
  yes?: boolean
}

const STEP = ['what', 'detail']

/** `connect simulate call`: one of our own numbers as it is configured here, without a provider; without a trace unless asked for. */
export function simulateCallCommand(): CommandRow {
  // One list for both options: what the caller does first, they do first.
  const inputs: Input[] = []
  return {
    usage: 'call',
    about:
      'call one of your own numbers as it is configured, and show what the caller hears; nothing is written without --record',
    options: [
      new Option('--to <number>', 'the number that is called').makeOptionMandatory(),
      new Option('--from <number>', 'who calls; nobody known when left out'),
      new Option(
        '--at <time>',
        'when: "2026-11-22 10:00" or "sunday 10:00", on the clocks of its business hours; now when left out',
      ),
      new Option('--press <keys>', 'keys pressed when something is asked; may be given several times').argParser(
        (press: string) => void inputs.push({ press }),
      ),
      new Option('--say <words>', 'words said when something is asked; may be given several times').argParser(
        (say: string) => void inputs.push({ say }),
      ),
      new Option(
        '--record',
        'have the running service record the call, by signed requests as the provider sends them (so an auth_token is set); it is marked as simulated',
      ).conflicts('at'),
      new Option('--yes', 'with --record: also where api_url is a real address'),
    ],
    async ask({ connection, output, format }, { to, from = null, at = null, record, yes }: Options) {
      const heard = await connection.call<{ from: string; to: string; at: string; steps: Step[] }>(
        'connect.telco.number',
        'rehearse',
        { to, inputs, from, at },
      )
      output.say(`${heard.from} calls ${heard.to} on ${heard.at}.`)
      if (record !== true) {
        output.rows(heard.steps, STEP)
        return output.say('No phone rang, no provider was asked, and nothing was written.')
      }
      const { recordCall } = await import('../recorded-call.ts')
      const recorded = await recordCall(connection, { ...heard, inputs, isSure: yes === true })
      if (format === 'json') return output.value(recorded)
      output.rows(recorded.steps, STEP)
      output.say(`No phone rang. It is call ${recorded.call} of the ledger: connect call timeline ${recorded.call}`)
    },
  }
}

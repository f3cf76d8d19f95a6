import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { InvalidArgumentError, Option } from 'commander'
import type { CommandRow } from '../command.ts'
import { loadSimulation, refusingAsCommand, type Simulation } from '../emulators.ts'
import { untilSignal } from '../terminal/until-signal.ts'
import { SIMULATED_STATE_FILE } from './simulate.ts'

interface Options {
  telcoPort?: number
  voiceaiPort?: number
  number: string
  publicUrl: string
}

/** Of the range that North America keeps for fiction. */
const NUMBER = '+14155550110'
/** The emulators know how to reach it; nobody else has to. */
const PUBLIC_URL = 'https://connect.example.com'
const PORT_MAX = 65_535
/** One second on the phone takes one, as in life. */
const PACE_MS = 1_000

export const EMULATORS_COMMAND: CommandRow = {
  usage: 'emulators',
  about: 'start emulators of both providers alone, to set a service up by hand without any account',
  options: [
    new Option('--telco-port <port>', 'of the phone provider; 0 takes a free one').argParser(parsePort),
    new Option('--voiceai-port <port>', 'of the voice-agent platform').argParser(parsePort),
    new Option('--number <number>', 'which the emulated account owns from its first start').default(NUMBER),
    new Option('--public-url <address>', 'under which the emulators know the service').default(PUBLIC_URL),
  ],
  async run({ config, output }, { number, publicUrl, ...ports }: Options) {
    const { startSimulation } = await loadSimulation()
    mkdirSync(config.dataDir, { recursive: true, mode: 0o700 })
    const stateFile = path.join(config.dataDir, SIMULATED_STATE_FILE)
    const { interrupted, forget } = untilSignal()
    const simulation = await refusingAsCommand(() =>
      startSimulation({ ...ports, stateFile, paceMs: PACE_MS, numbers: [number] }),
    ).catch((error: unknown) => {
      forget()
      throw error
    })
    simulation.serve({ publicUrl, deliverTo: `http://127.0.0.1:${config.port}` })
    output.done(describe(simulation, publicUrl), {
      environment: { ...simulation.environment, API_URL: publicUrl },
      ...simulation.credentials,
    })
    await interrupted
    forget()
    await simulation.stop()
  },
}

function parsePort(text: string): number {
  const port = Number(text)
  if (/^\d+$/.test(text) && port <= PORT_MAX) return port
  throw new InvalidArgumentError(`It should be a number from 0 to ${PORT_MAX}.`)
}

/** What to type next, and what the set-up on the page asks for. */
function describe({ environment, credentials }: Simulation, publicUrl: string): string {
  const variables = Object.entries({ ...environment, API_URL: publicUrl }).map(([name, value]) => `${name}=${value}`)
  return [
    'Both providers are emulated on this machine. Start the service in another terminal:',
    '',
    `  ${variables.join(' ')} npm start`,
    '',
    'The set-up on the page asks for:',
    '',
    `  Public address  ${publicUrl}`,
    `  Account SID     ${credentials.accountSid}`,
    `  Auth token      ${credentials.authToken}`,
    `  API key         ${credentials.apiKey}`,
    '',
    'Ctrl-C ends the emulators; the next start goes on with what they hold.',
  ].join('\n')
}

import { setTimeout as pause } from 'node:timers/promises'
import { Argument, type Command } from 'commander'
import { type CommandEnv, withConnection } from '../command.ts'
import { type Connection, ServiceRefusal } from '../connection.ts'

interface Run {
  id: number
  state: string
  step: string | null
  counts: unknown
  errors: unknown
}

const LOOK_EVERY_MS = 300
const METHODS = { voiceai: 'voiceai_sync', telco: 'telco_sync' } as const

export function addSyncCommand(program: Command): void {
  program
    .command('sync')
    .addArgument(new Argument('<provider>', 'which one').choices(Object.keys(METHODS)))
    .description('set a provider up as the settings say, and wait until it is done')
    .action((provider: keyof typeof METHODS, _options, command: Command) =>
      withConnection(command, async (env) => {
        if (env.connection.kind === 'folder') {
          throw new ServiceRefusal(409, 'A sync is worked on by the running service: start it with npm start.')
        }
        const args = { ids: [await settingsId(env.connection)] }
        const { run_id: id } = await env.connection.call<{ run_id: number }>(
          'connect.settings',
          METHODS[provider],
          args,
        )
        const run = await waitFor(env, id)
        env.output.value(run)
        if (run.state === 'failed') throw new ServiceRefusal(502, `The sync failed at: ${run.step ?? 'the start'}.`)
      }),
    )
}

async function waitFor({ connection, output }: CommandEnv, id: number): Promise<Run> {
  let told = ''
  for (;;) {
    const [run] = await connection.call<Run[]>('connect.sync_run', 'read', {
      ids: [id],
      fields: ['state', 'step', 'counts', 'errors'],
    })
    if (run === undefined) throw new ServiceRefusal(404, `There is no sync ${id}.`)
    const now = `${run.state}${run.step === null ? '' : `: ${run.step}`}`
    if (now !== told) output.say(now)
    told = now
    if (run.state === 'done' || run.state === 'failed') return run
    await pause(LOOK_EVERY_MS)
  }
}

async function settingsId(connection: Connection): Promise<number> {
  const [id] = await connection.call<number[]>('connect.settings', 'search', {})
  if (id === undefined) throw new Error('there are no settings; the database is not seeded')
  return id
}

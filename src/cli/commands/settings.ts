import type { Command } from 'commander'
import { withConnection } from '../command.ts'
import { type Connection, ServiceRefusal } from '../service/connection.ts'
import { askSecret } from '../terminal/ask-secret.ts'
import { shown } from '../terminal/output.ts'
import { describeFields, isSecret, withoutSecrets } from '../terminal/secret-fields.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { typedValue } from '../terminal/typed-value.ts'

const MODEL = 'connect.settings'

export function addSettingsCommands(program: Command): void {
  const settings = program.command('settings').description('what administrators decide while the service runs')
  settings
    .command('get [name]')
    .description('print one setting, or all; secrets are never printed')
    .action((name: string | undefined, _options, command: Command) =>
      withConnection(command, async ({ connection, output }) => {
        const fields = await describeFields(connection, MODEL)
        const values = withoutSecrets(await readSettings(connection), fields)
        if (name === undefined) return output.value(values)
        if (!(name in values)) throw new ServiceRefusal(404, `There is no setting "${name}".`)
        output.value(values[name])
      }),
    )
  settings
    .command('set <name> [value]')
    .description(
      'change a setting; without a value it is read from standard input, so that a secret stays out of the history',
    )
    .action((name: string, value: string | undefined, _options, command: Command) =>
      withConnection(command, async ({ connection, output, terminal }) => {
        const fields = await describeFields(connection, MODEL)
        const field = fields[name]
        if (field === undefined) throw new ServiceRefusal(404, `There is no setting "${name}".`)
        if (value !== undefined && isSecret(field)) warnOfHistory(name, terminal)
        const text = value ?? (await askValue(name, terminal))
        const { id } = await readSettings(connection)
        const vals = { [name]: await typedValue(connection, field, text) }
        await connection.call(MODEL, 'write', { ids: [id], vals })
        const stored = withoutSecrets(await readSettings(connection), fields)[name]
        output.done(`${name} is set: ${shown(stored)}`, { name, value: stored })
      }),
    )
}

async function readSettings(connection: Connection): Promise<Record<string, unknown>> {
  const [settings] = await connection.call<Record<string, unknown>[]>(MODEL, 'search_read', {})
  if (settings === undefined) throw new Error('there are no settings; the database is not seeded')
  return settings
}

function warnOfHistory(name: string, { err }: Terminal): void {
  err.write(
    `${name} is a secret, and now it stands in the history of your shell: \`connect settings set ${name}\` asks for it instead.\n`,
  )
}

/** Nothing typed is more often a mistake than a wish: whoever means it writes it. */
async function askValue(name: string, terminal: Terminal): Promise<string> {
  const text = await askSecret(`${name}: `, terminal)
  if (text !== '') return text
  throw new ServiceRefusal(
    400,
    `${name} is not changed: nothing was typed. \`connect settings set ${name} ""\` empties it.`,
  )
}

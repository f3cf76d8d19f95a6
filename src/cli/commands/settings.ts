import { readFileSync } from 'node:fs'
import type { Command } from 'commander'
import { MASK } from '../../platform/secrets.ts'
import { withConnection } from '../command.ts'
import { type Connection, ServiceRefusal } from '../connection.ts'

interface FieldDescription {
  type: string
  string: string
  protected: boolean
}

export function addSettingsCommands(program: Command): void {
  const settings = program.command('settings').description('what administrators decide while the service runs')
  settings
    .command('get [name]')
    .description('print one setting, or all; secrets are never printed')
    .action((name: string | undefined, _options, command: Command) =>
      withConnection(command, async ({ connection, output }) => {
        const fields = await describe(connection)
        const stored = await readSettings(connection)
        const shown = Object.entries(stored).map(([key, value]) => [key, isSecret(fields[key]) ? masked(value) : value])
        const values: Record<string, unknown> = Object.fromEntries(shown)
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
      withConnection(command, async ({ connection, output }) => {
        const field = (await describe(connection))[name]
        if (field === undefined) throw new ServiceRefusal(404, `There is no setting "${name}".`)
        const text = value ?? readFileSync(0, 'utf8').trim()
        const { id } = await readSettings(connection)
        await connection.call('connect.settings', 'write', { ids: [id], vals: { [name]: typed(field, text) } })
        output.say(`${name} is set.`)
      }),
    )
}

function describe(connection: Connection): Promise<Record<string, FieldDescription | undefined>> {
  return connection.call('connect.settings', 'fields_get', { attributes: ['type', 'string', 'protected'] })
}

async function readSettings(connection: Connection): Promise<Record<string, unknown>> {
  const [settings] = await connection.call<Record<string, unknown>[]>('connect.settings', 'search_read', {})
  if (settings === undefined) throw new Error('there are no settings; the database is not seeded')
  return settings
}

function isSecret(field: FieldDescription | undefined): boolean {
  return field?.protected === true
}

function masked(value: unknown): string | null {
  return value === null || value === '' ? null : MASK
}

function typed({ type }: FieldDescription, text: string): unknown {
  if (text === '') return null
  if (type === 'boolean') return ['1', 'true', 'on', 'yes'].includes(text.toLowerCase())
  if (type === 'integer' || type === 'float' || type === 'many2one') return Number(text)
  return text
}
